import { describe, expect, it } from 'vitest';
import { CompletionStream } from './completion-stream.ts';

type Event = Record<string, unknown>;

const textEvent = (content: unknown, more: Event = {}): Event => {
  return { id: 'c', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more };
};

/** Server-sent events, as the bytes of the network. */
function bytesOf(events: readonly (Event | string)[], stringify = (event: Event) => JSON.stringify(event)): string {
  const lines = events.map((event) => `data: ${typeof event === 'string' ? event : stringify(event)}\n\n`);
  return Buffer.from(lines.join('')).toString('latin1');
}

/** What is said by bytes that come in pieces of one size. */
function said(bytes: string, size = bytes.length): { text: string; reasoning: string } {
  const stream = new CompletionStream();
  const all = { text: '', reasoning: '' };
  for (let at = 0; at < bytes.length; at += size) {
    for (const part of stream.push([bytes.slice(at, at + size)])) if ('text' in part) all[part.type] += part.text;
  }
  return all;
}

const texts = [
  'Use',
  ' the',
  ' `--flag`',
  '',
  ' "quoted"',
  ' back\\slash',
  '\n\n',
  'a\ttab',
  ' Schlüssel',
  ' 鍵',
  ' 🔑',
  ' content',
  ' end',
  ' end',
];

describe('the stream of a completion', () => {
  it.each([1, 7, 64, 100_000])('says every text as it is, however the bytes are cut: %i at a time', (size) => {
    expect(said(bytesOf(texts.map((text) => textEvent(text))), size).text).toBe(texts.join(''));
  });

  it('says every text where its JSON is written with spaces, or with escapes', () => {
    const spaced = (event: Event) => JSON.stringify(event, null, 1).replaceAll(/\n */g, ' ');
    expect(
      said(
        bytesOf(
          texts.map((text) => textEvent(text)),
          spaced,
        ),
      ).text,
    ).toBe(texts.join(''));
    const escaped = (event: Event) =>
      JSON.stringify(event).replaceAll(
        /[^\x20-\x7e]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    expect(
      said(
        bytesOf(
          texts.map((text) => textEvent(text)),
          escaped,
        ),
      ).text,
    ).toBe(texts.join(''));
  });

  it('says every text where events differ in more than that', () => {
    const events = texts.map((text, index) => textEvent(text, { created: index, usage: { prompt_tokens: index } }));
    expect(said(bytesOf(events)).text).toBe(texts.join(''));
  });

  it('mistakes no other event for text', () => {
    const reasoning = { id: 'c', choices: [{ index: 0, delta: { reasoning_content: 'hm' }, finish_reason: null }] };
    const both = { id: 'c', choices: [{ index: 0, delta: { content: 'b', reasoning: 'so' }, finish_reason: null }] };
    const bytes = bytesOf([textEvent('a'), reasoning, both, both, textEvent('c'), '[DONE]']);
    expect(said(bytes)).toEqual({ text: 'abbc', reasoning: 'hmsoso' });
  });

  it('loses the event that cannot be read, and nothing else', () => {
    const [before, after] = JSON.stringify(textEvent('|')).split('|') as [string, string];
    const stream = new CompletionStream();
    stream.push([bytesOf([textEvent('first')])]);
    const broken = `data: ${before}a"b${after}\n\n`;
    const parts = stream.push([`${bytesOf([textEvent('one ')])}${broken}data: 7\n\n${bytesOf([textEvent('two')])}`]);
    expect(parts).toEqual([{ type: 'text', text: 'one two' }]);
    expect(stream.fault).toBeUndefined();
  });

  it('gives what stood before a fault in the same read, and nothing after it', () => {
    const stream = new CompletionStream();
    const fault = 'data: {"error":{"message":"key sk-1 of host x"}}\n\n';
    expect(stream.push([bytesOf([textEvent('one')]) + fault + bytesOf([textEvent('two')])])).toEqual([
      { type: 'text', text: 'one' },
    ]);
    expect(stream.fault?.message).toBe('The model reported an error.');
    expect(stream.push([bytesOf([textEvent('three')])])).toEqual([]);
  });

  it('notices the end after texts, and the usage', () => {
    const stream = new CompletionStream();
    const last = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'length' }] };
    stream.push([
      bytesOf([
        textEvent('a'),
        textEvent('b'),
        last,
        { id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
      ]),
    ]);
    expect(stream.isComplete).toBe(true);
    expect(stream.end()).toEqual([{ type: 'finish', reason: 'length', usage: { inputTokens: 3, outputTokens: 2 } }]);
  });
});
