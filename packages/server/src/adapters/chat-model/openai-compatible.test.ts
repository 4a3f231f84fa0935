import { describe, expect, it } from 'vitest';
import { CompletionStream } from './openai-compatible.ts';

type Event = Record<string, unknown>;

const textEvent = (content: unknown, more: Event = {}): Event => {
  return {
    id: 'c',
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  };
};

/** Server-sent events, as the bytes of the network. */
function bytesOf(
  events: readonly (Event | string)[],
  stringify = (event: Event) => JSON.stringify(event),
): string {
  const lines = events.map(
    (event) => `data: ${typeof event === 'string' ? event : stringify(event)}\n\n`,
  );
  return Buffer.from(lines.join('')).toString('latin1');
}

/** The text and reasoning of bytes that arrive in chunks of one size. */
function read(bytes: string, size = bytes.length): { text: string; reasoning: string } {
  const stream = new CompletionStream();
  const all = { text: '', reasoning: '' };
  for (let at = 0; at < bytes.length; at += size) {
    for (const part of stream.push([bytes.slice(at, at + size)]))
      if ('text' in part) all[part.type] += part.text;
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

describe('a completion stream', () => {
  it.each([1, 7, 64, 100_000])('returns every text unchanged in chunks of %i bytes', (size) => {
    expect(read(bytesOf(texts.map((text) => textEvent(text))), size).text).toBe(texts.join(''));
  });

  it('returns every text if its JSON has spaces or escapes', () => {
    const spaced = (event: Event) => JSON.stringify(event, null, 1).replaceAll(/\n */g, ' ');
    expect(
      read(
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
      read(
        bytesOf(
          texts.map((text) => textEvent(text)),
          escaped,
        ),
      ).text,
    ).toBe(texts.join(''));
  });

  it('returns every text if other fields of the events differ', () => {
    const events = texts.map((text, index) =>
      textEvent(text, { created: index, usage: { prompt_tokens: index } }),
    );
    expect(read(bytesOf(events)).text).toBe(texts.join(''));
  });

  it('separates text from reasoning', () => {
    const reasoning = {
      id: 'c',
      choices: [{ index: 0, delta: { reasoning_content: 'hm' }, finish_reason: null }],
    };
    const both = {
      id: 'c',
      choices: [{ index: 0, delta: { content: 'b', reasoning: 'so' }, finish_reason: null }],
    };
    const bytes = bytesOf([textEvent('a'), reasoning, both, both, textEvent('c'), '[DONE]']);
    expect(read(bytes)).toEqual({ text: 'abbc', reasoning: 'hmsoso' });
  });

  it('skips an event that cannot be parsed and nothing else', () => {
    const [before, after] = JSON.stringify(textEvent('|')).split('|') as [string, string];
    const stream = new CompletionStream();
    stream.push([bytesOf([textEvent('first')])]);
    const broken = `data: ${before}a"b${after}\n\n`;
    const parts = stream.push([
      `${bytesOf([textEvent('one ')])}${broken}data: 7\n\n${bytesOf([textEvent('two')])}`,
    ]);
    expect(parts).toEqual([{ type: 'text', text: 'one two' }]);
    expect(stream.fault).toBeUndefined();
  });

  it('returns the text before a fault in the same read, and nothing after it', () => {
    const stream = new CompletionStream();
    const fault = 'data: {"error":{"message":"key sk-1 of host x"}}\n\n';
    expect(
      stream.push([bytesOf([textEvent('one')]) + fault + bytesOf([textEvent('two')])]),
    ).toEqual([{ type: 'text', text: 'one' }]);
    expect(stream.fault?.message).toBe('The model reported an error.');
    expect(stream.push([bytesOf([textEvent('three')])])).toEqual([]);
  });

  it('reports the finish reason and the usage', () => {
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
    expect(stream.end()).toEqual([
      { type: 'finish', reason: 'length', usage: { inputTokens: 3, outputTokens: 2 } },
    ]);
  });
});
