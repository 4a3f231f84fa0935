import { describe, expect, it } from 'vitest';
import type { AnswerEvent, NextQuestions, RetrievedPage } from '../chat/answer-event.ts';
import { type DataStreamOptions, dataStream } from './data-stream.ts';

type Part = { code: string; value: unknown };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const hasUsage = (value: Record<string, unknown>) =>
  isObject(value.usage) &&
  Number.isInteger(value.usage.promptTokens) &&
  Number.isInteger(value.usage.completionTokens);

/** What a client of the protocol requires of each part. */
const DEMANDS: Record<string, (value: unknown) => boolean> = {
  '0': isText,
  '2': Array.isArray,
  '3': isText,
  '8': Array.isArray,
  '9': (value) =>
    isObject(value) && isText(value.toolCallId) && isText(value.toolName) && isObject(value.args),
  a: (value) => isObject(value) && isText(value.toolCallId) && Object.hasOwn(value, 'result'),
  d: (value) => isObject(value) && isText(value.finishReason) && hasUsage(value),
  e: (value) =>
    isObject(value) &&
    isText(value.finishReason) &&
    hasUsage(value) &&
    typeof value.isContinued === 'boolean',
  f: (value) => isObject(value) && isText(value.messageId),
  g: isText,
  h: (value) =>
    isObject(value) && value.sourceType === 'url' && isText(value.id) && isText(value.url),
};

/**
 * Reads a stream as a client does: whole lines, code before the first colon, JSON after it; unknown
 * codes are fatal.
 */
function decode(stream: string): Part[] {
  expect(stream.endsWith('\n')).toBe(true);
  return stream
    .slice(0, -1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      const code = line.slice(0, colon);
      const value: unknown = JSON.parse(line.slice(colon + 1));
      expect(DEMANDS[code]?.(value), `part ${line.slice(0, 80)}`).toBe(true);
      return { code, value };
    });
}

const page: RetrievedPage = {
  content: '## Keys\n\nText',
  path: 'keys',
  url: 'https://d.example/keys#rotate',
  metadata: { title: 'Keys', score: 0.7 },
};
const answer: AnswerEvent[] = [
  { type: 'start', messageId: 'm1', threadId: 't1' },
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
  { type: 'finish', reason: 'stop', usage: { inputTokens: 12, outputTokens: 7 }, threadId: 't1' },
];
const standard = { minimal: false, searchForm: 'array' } as const;
const encode = (events: readonly AnswerEvent[], options: Partial<DataStreamOptions> = {}) =>
  events.map(dataStream({ ...standard, ...options }).encode).join('');

describe('the data stream', () => {
  it('sends its parts in the order that clients expect', () => {
    expect(
      decode(encode(answer))
        .map((part) => part.code)
        .join(''),
    ).toBe('f89ahg00e82d');
  });

  it('writes each line exactly as the protocol specifies', () => {
    expect(encode(answer).split('\n')).toEqual([
      'f:{"messageId":"m1"}',
      '8:[{"type":"finish","threadId":"t1"}]',
      '9:{"toolCallId":"c1","toolName":"search","args":{"query":"rotate a key"}}',
      `a:{"toolCallId":"c1","result":[${JSON.stringify(page)}]}`,
      'h:{"sourceType":"url","id":"s1","url":"https://d.example/keys#rotate","title":"Keys"}',
      'g:"Hm."',
      '0:"Create a second key"',
      '0:", then revoke the first."',
      'e:{"finishReason":"stop","usage":{"promptTokens":12,"completionTokens":7},"isContinued":false}',
      '8:[{"type":"finish","threadId":"t1"}]',
      '2:[{"type":"finish","threadId":"t1"}]',
      'd:{"finishReason":"stop","usage":{"promptTokens":12,"completionTokens":7},"type":"finish","threadId":"t1"}',
      '',
    ]);
  });

  it('omits the parts that the oldest clients fail on if the request is minimal', () => {
    const codes = decode(encode(answer, { minimal: true })).map((part) => part.code);
    expect(codes).not.toContain('h');
    expect(codes.join('')).toBe('f89ag00e82d');
  });

  it('sends the results of a search once, as an object for clients that ask for that form', () => {
    const results = (options: Partial<DataStreamOptions>) =>
      decode(encode(answer, options)).flatMap(({ code, value }) => (code === 'a' ? [value] : []));
    expect(results({})).toEqual([{ toolCallId: 'c1', result: [page] }]);
    expect(results({ searchForm: 'object' })).toEqual([
      { toolCallId: 'c1', result: { type: 'search', results: [page] } },
    ]);
  });

  it('sends the thread before an error can occur', () => {
    const parts = decode(
      encode([answer[0] as AnswerEvent, { type: 'error', message: 'The model failed.' }]),
    );
    expect(parts).toEqual([
      { code: 'f', value: { messageId: 'm1' } },
      { code: '8', value: [{ type: 'finish', threadId: 't1' }] },
      { code: '3', value: 'The model failed.' },
    ]);
  });

  it.each(['a\nb\r\n', '"\\', '\u2028\u2029', '\u0000', '\ud83d', '0:"x"\nd:{}', '汉字 🚀'])(
    'transfers any text unchanged: %j',
    (text) => {
      const parts = decode(encode([{ type: 'text', text }]));
      expect(parts).toEqual([{ code: '0', value: text }]);
    },
  );

  it('sends follow-up questions in a known annotation and adds no part that clients do not know', () => {
    const nextQuestions: NextQuestions = { kind: 'choices', questions: ['a (x)?', 'a (y)?'] };
    const finish = answer.at(-1) as Extract<AnswerEvent, { type: 'finish' }>;
    const [without, parts] = [finish, { ...finish, nextQuestions }].map((event) =>
      decode(encode([event])),
    );
    expect(parts?.map(({ code }) => code)).toEqual(without?.map(({ code }) => code));
    expect(parts?.find(({ code }) => code === '8')?.value).toEqual([
      { type: 'finish', threadId: 't1', nextQuestions },
    ]);
  });

  it('sends nothing for empty text', () => {
    expect(
      encode([
        { type: 'text', text: '' },
        { type: 'reasoning', text: '' },
      ]),
    ).toBe('');
  });

  it('has a keepalive that clients ignore', () => {
    expect(
      decode(
        encode(answer.slice(0, 1)) + dataStream(standard).keepalive + encode(answer.slice(5, 6)),
      ),
    ).toHaveLength(3);
  });

  it('forbids buffering and identifies the protocol in its headers', () => {
    expect(dataStream(standard).headers).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'x-vercel-ai-data-stream': 'v1',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
  });
});
