import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LanguageModelChoice } from '@docent/format/model-choices.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../kernel/config/config.ts';
import type { ChatPart, ChatRequest } from '../../ports/chat-model.ts';
import { noteOfModel } from './model-note.ts';
import { OllamaStream } from './ollama.ts';
import { createLanguageModel } from './providers.ts';

/** The server, as Ollama 0.12 answers. */
let server: http.Server;
let url: string;
let shows: { status: number; body: object };
let lines: object[];
let chats: Record<string, unknown>[];

const done = { done: true, done_reason: 'stop', prompt_eval_count: 812, eval_count: 9 };
const qwen = {
  model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40_960 },
  capabilities: ['completion', 'tools', 'thinking'],
};

beforeAll(async () => {
  server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/api/show') {
      response.writeHead(shows.status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(shows.body));
    }
    chats.push(JSON.parse(body));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    return response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  [shows, lines, chats] = [
    { status: 200, body: qwen },
    [{ message: { content: 'Run it.' } }, done],
    [],
  ];
});

const choice = (more: Partial<LanguageModelChoice> = {}): LanguageModelChoice => ({
  ...{
    provider: 'ollama',
    model: 'qwen3:8b',
    url,
    inputTokens: 6000,
    maxOutputTokens: 2000,
    silenceSeconds: 45,
  },
  ...{ takesImages: false, thinks: false },
  ...more,
});

async function ask(
  request: Partial<ChatRequest> = {},
  more: Partial<LanguageModelChoice> = {},
): Promise<ChatPart[]> {
  const content = 'Words of the documentation. '.repeat(120);
  const page = {
    content,
    path: 'a',
    url: 'https://a.test/a',
    headings: [],
    metadata: { title: 'A', score: 1 },
  };
  const passages = Array.from({ length: 30 }, (_, index) => ({ ...page, path: `a${index}` }));
  const turns: ChatRequest['turns'] = [{ role: 'user', text: 'How?' }];
  const parts: ChatPart[] = [];
  const stream = createLanguageModel(choice(more)).stream(
    { instructions: 'Answer.', turns, passages, steps: [], mayUseTools: true, ...request },
    new AbortController().signal,
  );
  for await (const part of stream) parts.push(part);
  return parts;
}

it('sets a context that holds the question with its passages and the answer, and reads the answer, its reasoning and its cost', async () => {
  lines = [
    { message: { thinking: 'Hm.' } },
    { message: { content: 'Schlüs' } },
    { message: { content: 'sel' } },
    done,
  ];
  expect(await ask()).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Schlüs' },
    { type: 'text', text: 'sel' },
    { type: 'finish', reason: 'stop', usage: { inputTokens: 812, outputTokens: 9 } },
  ]);
  const [chat] = chats;
  expect(chat).toMatchObject({
    model: 'qwen3:8b',
    stream: true,
    options: { num_ctx: 10_240, num_predict: 2000 },
  });
  const characters = JSON.stringify(chat?.messages).length;
  expect(characters / 4).toBeLessThan(6000);
  expect(characters / 4).toBeGreaterThan(3000);
  expect(chat?.tools).toHaveLength(4);
});

it('sends less to a model whose context is smaller, and no tools to one that cannot call them', async () => {
  const body = {
    model_info: { 'general.architecture': 'phi', 'phi.context_length': 4096 },
    capabilities: ['completion'],
  };
  shows = { status: 200, body };
  await ask();
  const [chat] = chats;
  expect(chat?.options).toMatchObject({ num_ctx: 4096 });
  expect(JSON.stringify(chat?.messages).length / 4).toBeLessThan(4096 - 2000);
  expect(chat).not.toHaveProperty('tools');
  expect(await noteOfModel(choice())).toMatchObject({
    isWarning: true,
    text: expect.stringContaining('cannot call tools'),
  });
});

it('calls tools, and is given their results', async () => {
  lines = [
    {
      message: {
        content: '',
        tool_calls: [{ function: { name: 'search', arguments: { query: 'keys' } } }],
      },
    },
    done,
  ];
  const call = { name: 'search', input: { query: 'keys' } } as const;
  expect(await ask()).toMatchObject([{ type: 'tool-call', call }, { type: 'finish' }]);
  await ask({
    steps: [{ text: '', calls: [{ id: 'call-0', call, output: 'Found.' }] }],
    mayUseTools: false,
  });
  expect((chats[1] as { messages: object[] }).messages.slice(-2)).toEqual([
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'search', arguments: { query: 'keys' } } }],
    },
    { role: 'tool', tool_name: 'search', content: 'Found.' },
  ]);
});

it('fails with words of ours where Ollama reports an error or stops before the end', async () => {
  lines = [{ message: { content: 'Run' } }, { error: 'llama runner at /secret/path died' }];
  await expect(ask()).rejects.toThrow('The model reported an error.');
  lines = [{ message: { content: 'Run' } }];
  await expect(ask()).rejects.toThrow('The model stopped before the end');
});

it.each([1, 5, 1000])('reads lines that arrive in pieces of %i bytes', (size) => {
  const text = [
    { message: { content: 'Schlüssel 🔑' } },
    { message: { content: ' a\nb' } },
    done,
  ].map((line) => JSON.stringify(line));
  const bytes = Buffer.from(`${text.join('\n')}\n`).toString('latin1');
  const stream = new OllamaStream();
  let said = '';
  for (let at = 0; at < bytes.length; at += size)
    for (const part of stream.push([bytes.slice(at, at + size)]))
      if (part.type === 'text') said += part.text;
  expect(said).toBe('Schlüssel 🔑 a\nb');
  expect(stream.isComplete).toBe(true);
});

it('a line at startup says what fits, or how to get the model', async () => {
  expect(await noteOfModel(choice())).toEqual({
    text: 'Ollama runs qwen3:8b with a context of 10240 tokens of 40960: 6000 for a question with its passages.',
    isWarning: false,
  });
  shows = { status: 404, body: { error: 'model not found' } };
  expect(await noteOfModel(choice())).toMatchObject({
    isWarning: true,
    text: expect.stringContaining('ollama pull qwen3:8b'),
  });
  expect(await noteOfModel(choice({ url: 'http://127.0.0.1:1' }))).toMatchObject({
    text: expect.stringContaining('cannot be reached'),
  });
  const compatible = choice({ provider: 'openai-compatible', url: 'http://localhost:11434/v1' });
  expect(await noteOfModel(compatible)).toMatchObject({
    isWarning: true,
    text: expect.stringContaining('ollama:qwen3:8b'),
  });
  const other = choice({ provider: 'openai-compatible', url: 'http://localhost:8000/v1' });
  expect(await noteOfModel(other)).toMatchObject({
    isWarning: false,
    text: expect.stringContaining('at least 10240'),
  });
  expect(await noteOfModel(choice({ provider: 'anthropic' }))).toBeUndefined();
});

it('questions for servers of unknown context have 6,000 tokens by default, for others 16,000', () => {
  const tokens = (env: Record<string, string>) => {
    const { model } = loadConfig(env);
    return model.kind === 'language-model' ? model.inputTokens : undefined;
  };
  expect(tokens({ DOCENT_MODEL: 'ollama:qwen3' })).toBe(6000);
  expect(
    tokens({ DOCENT_MODEL: 'openai-compatible:x', DOCENT_MODEL_URL: 'http://a.test/v1' }),
  ).toBe(6000);
  expect(tokens({ DOCENT_MODEL: 'anthropic:x', DOCENT_MODEL_API_KEY: 'k' })).toBe(16_000);
  expect(tokens({ DOCENT_MODEL: 'ollama:qwen3', DOCENT_MODEL_INPUT_TOKENS: '3000' })).toBe(3000);
});
