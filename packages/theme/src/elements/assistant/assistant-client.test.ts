import type { QuotedAnswer } from '@docent/assistant/quoted-answer.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { type AskBody, AssistantClient } from './assistant-client.ts';

const server = { message: 'https://docs.acme.test/message', settings: '', feedback: '' };
const body: AskBody = {
  ...{ fp: 'anonymous', messages: [], context: [], filter: undefined },
  ...{ threadId: undefined, threadKey: undefined, currentPath: undefined },
};
const local: QuotedAnswer = {
  text: 'From this browser.',
  quotes: [],
  sources: [{ url: '/keys', title: 'Keys' }],
};

afterEach(() => vi.unstubAllGlobals());

/** Asks a client whose server gives this response, and returns what it streams. */
async function ask(
  respond: () => Response,
  addresses: typeof server | undefined = server,
): Promise<unknown[]> {
  vi.stubGlobal('fetch', async () => respond());
  const client = new AssistantClient(
    () => addresses,
    async () => local,
  );
  const { chunks } = await client.ask(body, new AbortController().signal);
  return Array.fromAsync(chunks);
}

const problem = (status: number, code: string) => Response.json({ code }, { status });
const offline = () => {
  throw new TypeError('fetch failed');
};

test.each<[string, () => Response]>([
  ['is not reachable', offline],
  ['fails', () => problem(500, 'internal_error')],
  ['is overloaded', () => problem(503, 'unavailable')],
  ['has only files', () => new Response('Not found', { status: 404 })],
])('a question is answered in the browser if the server %s', async (_, respond) => {
  expect(await ask(respond)).toEqual([
    { type: 'source-url', ...local.sources[0] },
    { type: 'text-delta', delta: local.text },
    { type: 'finish', messageMetadata: { quotes: [] } },
  ]);
});

test('a question is answered in the browser if there is no server', async () => {
  vi.stubGlobal('fetch', offline);
  const client = new AssistantClient(
    () => undefined,
    async () => local,
  );
  const { chunks } = await client.ask(body, new AbortController().signal);
  expect((await Array.fromAsync(chunks)).map(({ type }) => type)).toEqual([
    'source-url',
    'text-delta',
    'finish',
  ]);
});

test.each(['rate_limited', 'assistant_disabled', 'forbidden'])(
  'a refusal is not circumvented: %s',
  async (code) => {
    await expect(ask(() => problem(code === 'rate_limited' ? 429 : 403, code))).rejects.toThrow(
      code,
    );
  },
);
