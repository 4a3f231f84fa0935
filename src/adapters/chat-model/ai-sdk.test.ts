import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOpenAi, startFakeOpenAi } from '../../../test/support/fake-openai.ts';
import { chatModelContract } from '../../ports/chat-model.contract.ts';
import type { ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { createLanguageModel } from './providers.ts';

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

const model = () =>
  createLanguageModel({
    provider: 'openai-compatible',
    model: 'local',
    url: server.url,
    apiKey: 'sk-test',
    inputTokens: 4000,
    maxOutputTokens: 200,
  });

chatModelContract('AI SDK provider, OpenAI-compatible', model);

const request: ChatRequest = {
  instructions: 'Answer from the passages.',
  turns: [{ role: 'user', text: 'How do I rotate a key?' }],
  passages: [],
  steps: [],
  mayUseTools: true,
};

async function collect(asked: Partial<ChatRequest> = {}): Promise<ChatPart[]> {
  const parts: ChatPart[] = [];
  for await (const part of model().stream({ ...request, ...asked }, new AbortController().signal)) parts.push(part);
  return parts;
}

describe('a language model behind the AI SDK', () => {
  it('gives thought, text and the usage that the provider counted', async () => {
    expect(await collect()).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Create a ' },
      { type: 'text', text: 'second key.' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 120, outputTokens: 30 } },
    ]);
  });

  it('hears the instructions apart from what readers and pages say', async () => {
    await collect();
    const [system, user] = server.requests[0]?.messages ?? [];
    expect(system).toEqual({ role: 'system', content: 'Answer from the passages.' });
    expect(JSON.stringify(user)).toContain('<question>\\nHow do I rotate a key?');
  });

  it('may ask for a search and for a page', async () => {
    server.turns = [
      [
        { tool: 'search', input: { query: 'rotate' } },
        { tool: 'read_page', input: { path: 'api/keys' } },
      ],
    ];
    const calls = (await collect()).flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
    expect(calls).toEqual([
      { name: 'search', input: { query: 'rotate' } },
      { name: 'read_page', input: { path: 'api/keys' } },
    ]);
  });

  it.each([
    ['a tool that there is not', { tool: 'shell', input: { command: 'rm' } }],
    ['an input of another form', { tool: 'search', input: { query: { $ne: '' } } }],
    ['an input that is no object', { tool: 'read_page', input: 'x' }],
  ])('that asks for %s is not heard', async (_, turn) => {
    server.turns = [[turn, { text: 'So.' }]];
    expect((await collect()).map((part) => part.type)).toEqual(['text', 'finish']);
  });

  it('is told what its calls gave, and in its last turn that it may not call again', async () => {
    const call = { name: 'search' as const, input: { query: 'rotate' } };
    await collect({ mayUseTools: false, steps: [{ text: 'Let me look.', calls: [{ id: 'c1', call, output: 'Nothing.' }] }] });
    const sent = server.requests[0];
    expect(sent?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(sent?.tool_choice).toBe('none');
  });

  it('that fails before its first word throws', async () => {
    server.failWith = 503;
    await expect(collect()).rejects.toThrow();
  });

  it('that breaks off in the middle throws after what it said', async () => {
    server.turns = [[{ text: 'Half an' }, { pauseMs: 30 }, { breakOff: true }]];
    const parts: ChatPart[] = [];
    await expect(
      (async () => {
        for await (const part of model().stream(request, new AbortController().signal)) parts.push(part);
      })(),
    ).rejects.toThrow();
    expect(parts).toEqual([{ type: 'text', text: 'Half an' }]);
  });

  it('is told within 100 ms that its reader has left', async () => {
    server.turns = [[{ text: 'a' }, { pauseMs: 5000 }, { text: 'b' }]];
    const before = server.abandonedCount;
    const reader = new AbortController();
    const stream = model().stream(request, reader.signal)[Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next();
    const abortedAt = performance.now();
    reader.abort();
    expect((await next).done).toBe(true);
    await expect.poll(() => server.abandonedCount, { interval: 5 }).toBe(before + 1);
    expect(performance.now() - abortedAt).toBeLessThan(1000);
  });
});
