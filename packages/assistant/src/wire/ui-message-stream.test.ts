import { describe, expect, it } from 'vitest';
import type { AnswerEvent, NextQuestions, RetrievedPage } from '../chat/answer-event.ts';
import { type UiMessageStreamOptions, uiMessageStream } from './ui-message-stream.ts';

/**
 * The keys that every release of AI SDK 5, 6, and 7 accepts, by chunk type. Some releases fail on
 * an unknown type or key.
 */
const COMMON_KEYS: Record<string, string[]> = {
  start: ['messageId', 'messageMetadata'],
  'start-step': [],
  'finish-step': [],
  'text-start': ['id'],
  'text-delta': ['id', 'delta'],
  'text-end': ['id'],
  'reasoning-start': ['id'],
  'reasoning-delta': ['id', 'delta'],
  'reasoning-end': ['id'],
  'source-url': ['sourceId', 'url', 'title'],
  'tool-input-start': ['toolCallId', 'toolName'],
  'tool-input-available': ['toolCallId', 'toolName', 'input'],
  'tool-output-available': ['toolCallId', 'output'],
  error: ['errorText'],
  finish: ['messageMetadata'],
};

type Chunk = Record<string, unknown> & { type: string };

/**
 * Reads a stream as a client does: events end with an empty line, comments are ignored, the last
 * event is `[DONE]`.
 */
function decode(stream: string): Chunk[] {
  expect(stream.endsWith('\n\n')).toBe(true);
  const events = stream
    .slice(0, -2)
    .split('\n\n')
    .filter((event) => !event.startsWith(':'));
  return events
    .filter((event) => event !== 'data: [DONE]')
    .map((event) => {
      expect(event).toMatch(/^data: \{[^\n]*\}$/);
      return JSON.parse(event.slice('data: '.length)) as Chunk;
    });
}

const page: RetrievedPage = {
  content: '## Keys\n\nText',
  path: 'keys',
  url: 'https://d.example/keys#rotate',
  metadata: { title: 'Keys', score: 0.7 },
};
const start: AnswerEvent = { type: 'start', messageId: 'm1', threadId: 't1' };
const finish: AnswerEvent = {
  type: 'finish',
  reason: 'stop',
  usage: { inputTokens: 12, outputTokens: 7 },
  threadId: 't1',
};
const answer: AnswerEvent[] = [
  start,
  {
    type: 'tool-call',
    toolCallId: 'c1',
    call: { name: 'search', input: { query: 'rotate a key' } },
  },
  { type: 'tool-result', toolCallId: 'c1', result: { name: 'search', results: [page] } },
  { type: 'source', id: 's1', url: page.url, title: 'Keys' },
  { type: 'reasoning', text: 'Hm.' },
  { type: 'text', text: 'Create a second key' },
  { type: 'text', text: ', then revoke the first.' },
  finish,
];

function encode(
  events: readonly AnswerEvent[],
  options: Partial<UiMessageStreamOptions> = {},
): string {
  const wire = uiMessageStream({ minimal: false, threadIdOnFinish: false, ...options });
  return events.map(wire.encode).join('');
}

describe('the UI message stream', () => {
  it('opens and closes each part, in the order that clients expect', () => {
    expect(decode(encode(answer)).map((chunk) => chunk.type)).toEqual([
      'start',
      'start-step',
      'tool-input-start',
      'tool-input-available',
      'tool-output-available',
      'source-url',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
  });

  it('ends with [DONE], even after an error', () => {
    expect(encode(answer).endsWith('data: [DONE]\n\n')).toBe(true);
    expect(
      encode([start, { type: 'text', text: 'So' }, { type: 'error', message: 'Failed.' }]),
    ).toMatch(
      /"text-end","id":"text-1"\}\n\ndata: \{"type":"error","errorText":"Failed\."\}\n\ndata: \[DONE\]\n\n$/,
    );
  });

  it('in minimal form writes only keys that every client release accepts', () => {
    for (const { type, ...chunk } of decode(encode(answer, { minimal: true }))) {
      const known = COMMON_KEYS[type];
      expect(known, type).toBeDefined();
      expect(
        Object.keys(chunk).filter((key) => !known?.includes(key)),
        type,
      ).toEqual([]);
    }
  });

  it('reports the finish reason, except in minimal form', () => {
    expect(decode(encode([start, finish])).at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
    });
    expect(decode(encode([start, finish], { minimal: true })).at(-1)).not.toHaveProperty(
      'finishReason',
    );
  });

  it('sends the thread in the metadata of start and finish, and as a key of finish only on request', () => {
    const chunks = decode(encode([start, finish]));
    expect([chunks[0]?.messageMetadata, chunks.at(-1)?.messageMetadata]).toEqual([
      { threadId: 't1' },
      expect.objectContaining({ threadId: 't1' }),
    ]);
    expect(chunks.at(-1)).not.toHaveProperty('threadId');
    expect(decode(encode([start, finish], { threadIdOnFinish: true })).at(-1)).toHaveProperty(
      'threadId',
      't1',
    );
  });

  it('opens a new part for text after another search', () => {
    const chunks = decode(
      encode([
        start,
        { type: 'text', text: 'a' },
        answer[1] as AnswerEvent,
        { type: 'text', text: 'b' },
      ]),
    );
    const parts = chunks
      .filter((chunk) => chunk.type.startsWith('text-'))
      .map((chunk) => [chunk.type, chunk.id]);
    expect(parts).toEqual([
      ['text-start', 'text-1'],
      ['text-delta', 'text-1'],
      ['text-end', 'text-1'],
      ['text-start', 'text-2'],
      ['text-delta', 'text-2'],
    ]);
  });

  it.each(['a\nb\r\n', '"\\', '\u2028\u2029', '\u0000', '\ud83d', 'data: [DONE]\n\n', '汉字 🚀'])(
    'transfers any text unchanged: %j',
    (text) => {
      expect(decode(encode([{ type: 'text', text }])).at(-1)).toMatchObject({
        type: 'text-delta',
        delta: text,
      });
    },
  );

  it('sends follow-up questions in its metadata and adds no chunk that clients do not know', () => {
    const nextQuestions: NextQuestions = {
      kind: 'follow-ups',
      questions: ['How do I rotate a key?'],
    };
    const [without, chunks] = [finish, { ...finish, nextQuestions }].map((event) =>
      decode(encode([start, event])),
    );
    expect(chunks?.map(({ type }) => type)).toEqual(without?.map(({ type }) => type));
    expect(chunks?.at(-1)?.messageMetadata).toMatchObject({ threadId: 't1', nextQuestions });
  });

  it('sends the quotes of an answer without a language model in the metadata of the message', () => {
    const quotes = [
      {
        url: 'https://docs.example.com/keys',
        highlight: 'Create a key.',
        section: 'Create a key. Then use it.',
      },
    ];
    const [without, chunks] = [finish, { ...finish, quotes }].map((event) =>
      decode(encode([start, event])),
    );
    expect(chunks?.at(-1)?.messageMetadata).toMatchObject({ threadId: 't1', quotes });
    expect(without?.at(-1)?.messageMetadata).not.toHaveProperty('quotes');
  });

  it('sends nothing for empty text and has a keepalive that clients ignore', () => {
    expect(encode([{ type: 'text', text: '' }])).toBe('');
    const { keepalive } = uiMessageStream({ minimal: false, threadIdOnFinish: false });
    expect(decode(encode([start]) + keepalive)).toHaveLength(2);
  });
});
