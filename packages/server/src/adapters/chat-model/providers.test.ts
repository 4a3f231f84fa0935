import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEndlessModel } from '../../../../../test/support/endless-model.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../../../../../test/support/fake-openai.ts';
import { chatModelContract } from '../../ports/chat-model.contract.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { maxBytesOfAnswer } from '../model-client/bounded-answer.ts';
import { createAiSdkModel, createLanguageModel } from './providers.ts';

let server: FakeOpenAi;
beforeAll(async () => {
  server = await startFakeOpenAi([]);
});
beforeEach(() => {
  server.requests = [];
  server.failWith = undefined;
  server.turns = [[{ reasoning: 'hm' }, { text: 'Create a ' }, { text: 'second key.' }]];
});
afterAll(() => server.close());

const limits = { inputTokens: 4000, maxOutputTokens: 200, silenceSeconds: 45, thinks: false };
const throughAiSdk = (url = server.url) => {
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: url,
    apiKey: 'sk-test',
    includeUsage: true,
  });
  return createAiSdkModel({
    name: 'local',
    load: async () => provider.chatModel('local'),
    takesImages: true,
    ...limits,
  });
};
const throughOurClient = (url = server.url, silenceSeconds = limits.silenceSeconds) => {
  const choice = {
    provider: 'openai-compatible',
    model: 'local',
    url,
    apiKey: 'sk-test',
    takesImages: true,
  } as const;
  return createLanguageModel({ ...choice, ...limits, silenceSeconds });
};

chatModelContract('a provider package of the AI SDK', () => throughAiSdk());
chatModelContract('an OpenAI-compatible endpoint', () => throughOurClient());

const request: ChatRequest = {
  instructions: 'Answer from the passages.',
  turns: [{ role: 'user', text: 'How do I rotate a key?' }],
  passages: [],
  steps: [],
  mayUseTools: true,
};

async function collectFrom(
  model: ChatModel,
  changes: Partial<ChatRequest> = {},
  parts: ChatPart[] = [],
): Promise<ChatPart[]> {
  for await (const part of model.stream({ ...request, ...changes }, new AbortController().signal))
    parts.push(part);
  return parts;
}

describe.each([
  ['a provider package of the AI SDK', throughAiSdk],
  ['an OpenAI-compatible endpoint', throughOurClient],
])('a language model behind %s', (_, model) => {
  const collect = (changes?: Partial<ChatRequest>) => collectFrom(model(), changes);

  it('yields reasoning, text and the usage that the provider reports', async () => {
    const parts = await collect();
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(parts[0]).toEqual({ type: 'reasoning', text: 'hm' });
    expect(texts.join('')).toBe('Create a second key.');
    expect(parts.at(-1)).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 120, outputTokens: 30 },
    });
  });

  it('receives the instructions separately from the question of the reader', async () => {
    await collect();
    const [system, user] = server.requests[0]?.messages ?? [];
    expect(system).toEqual({ role: 'system', content: 'Answer from the passages.' });
    expect(JSON.stringify(user)).toContain('<question>\\nHow do I rotate a key?');
  });

  it('receives the images of a question with its text', async () => {
    await collect({ images: [{ mediaType: 'image/png', base64: 'iVBORw0KGgo=' }] });
    const { content } = server.requests[0]!.messages[1] as { content: unknown };
    expect(content).toMatchObject([
      { type: 'text', text: expect.stringContaining('How do I rotate a key?') },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
    ]);
  });

  it('can call the search and page tools', async () => {
    server.turns = [
      [
        { tool: 'search', input: { query: 'rotate' } },
        { tool: 'read_page', input: { path: 'api/keys' } },
      ],
    ];
    const calls = (await collect()).flatMap((part) =>
      part.type === 'tool-call' ? [part.call] : [],
    );
    expect(calls).toEqual([
      { name: 'search', input: { query: 'rotate' } },
      { name: 'read_page', input: { path: 'api/keys' } },
    ]);
  });

  it.each([
    ['an unknown name', { tool: 'shell', input: { command: 'rm' } }],
    ['an input of the wrong shape', { tool: 'search', input: { query: { $ne: '' } } }],
    ['an input that is not an object', { tool: 'read_page', input: 'x' }],
  ])('ignores a tool call with %s', async (_, turn) => {
    server.turns = [[turn, { text: 'So.' }]];
    expect((await collect()).map((part) => part.type)).toEqual(['text', 'finish']);
  });

  it('receives the results of its tool calls, and may call no tool in its last turn', async () => {
    const call = { name: 'search' as const, input: { query: 'rotate' } };
    await collect({
      mayUseTools: false,
      steps: [{ text: 'Let me look.', calls: [{ id: 'c1', call, output: 'Nothing.' }] }],
    });
    const sent = server.requests[0];
    expect(sent?.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect(sent?.tool_choice).toBe('none');
  });

  it('throws if the provider fails before the first token', async () => {
    server.failWith = 503;
    await expect(collect()).rejects.toMatchObject({ name: 'ProviderFault', kind: 'busy' });
    server.failWith = 401;
    await expect(collect()).rejects.toMatchObject({ name: 'ProviderFault', kind: 'refused' });
  });

  it('throws after the received text if the stream breaks off', async () => {
    server.turns = [[{ text: 'Half an' }, { pauseMs: 30 }, { breakOff: true }]];
    const parts: ChatPart[] = [];
    await expect(collectFrom(model(), {}, parts)).rejects.toThrow();
    expect(parts).toEqual([{ type: 'text', text: 'Half an' }]);
  });

  it('has its request canceled within 100 ms after the reader aborts', async () => {
    const own = await startFakeOpenAi([[{ text: 'a' }, { pauseMs: 5000 }, { text: 'b' }]]);
    const tookMs: number[] = [];
    // The best of several runs, because a busy machine may be late once.
    for (let count = 1; count <= 5; count++) {
      const reader = new AbortController();
      const parts = model(own.url).stream(request, reader.signal)[Symbol.asyncIterator]();
      await parts.next();
      const isOver = parts.next();
      const abortedAt = performance.now();
      reader.abort();
      await isOver;
      await expect.poll(() => own.abandonedCount, { interval: 2 }).toBe(count);
      tookMs.push(performance.now() - abortedAt);
    }
    await own.close();
    expect(Math.min(...tookMs)).toBeLessThan(100);
  });
});

it('a model that only keeps its connection open fails as silent', async () => {
  const timers = new Set<NodeJS.Timeout>();
  const quiet = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': waiting\n\n'), 20);
    timers.add(timer);
    response.once('close', () => clearInterval(timer));
  });
  quiet.listen(0, '127.0.0.1');
  await once(quiet, 'listening');
  const url = `http://127.0.0.1:${(quiet.address() as AddressInfo).port}`;
  try {
    const answer = collectFrom(throughOurClient(url, 0.2));
    await expect(answer).rejects.toMatchObject({ kind: 'silent' });
  } finally {
    for (const timer of timers) clearInterval(timer);
    quiet.closeAllConnections();
    quiet.close();
  }
});

/**
 * What the sockets and streams between a hostile server and the reader may hold besides what was
 * read.
 */
const IN_TRANSIT_BYTES = 8 * 1024 * 1024;

it.each(['openai-compatible', 'mistral'] as const)(
  'an answer without end of a model by %s is cut after a number of bytes: the reader has what was said, and the end of it',
  async (provider) => {
    const event = {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, delta: { content: 'more and more and ' }, finish_reason: null }],
    };
    const hostile = await startEndlessModel(
      `data: ${JSON.stringify(event)}\n\n`,
      'text/event-stream',
    );
    try {
      const choice = {
        provider,
        model: 'm',
        url: hostile.url,
        apiKey: 'sk-test',
        takesImages: false,
      };
      const parts = await collectFrom(createLanguageModel({ ...choice, ...limits }));
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'length' });
      const said = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
      expect(said).toBeGreaterThan(10_000);
      expect(said).toBeLessThan(maxBytesOfAnswer(limits.maxOutputTokens));
      await expect.poll(() => hostile.openCount).toBe(0);
      expect(hostile.sentBytes).toBeLessThan(
        maxBytesOfAnswer(limits.maxOutputTokens) + IN_TRANSIT_BYTES,
      );
    } finally {
      hostile.close();
    }
  },
);
