import { afterAll, beforeAll, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import type { ChatModel, ChatPart, ChatRequest } from '../ports/chat-model.ts';

let test: TestApp;
let headers: Record<string, string>;
const requests: ChatRequest[] = [];
const finish = (reason: 'stop' | 'tool-calls'): ChatPart => ({
  type: 'finish',
  reason,
  usage: { inputTokens: 1, outputTokens: 1 },
});

/** Calls the documentation tools, then answers. */
const model: ChatModel = {
  name: 'looks-around',
  async *stream(request) {
    requests.push(request);
    if (request.steps.length > 0) {
      yield { type: 'text', text: 'See [how](/guides/install).' };
      yield finish('stop');
      return;
    }
    yield { type: 'tool-call', id: 'a', call: { name: 'list_pages', input: { path: 'guides' } } };
    yield {
      type: 'tool-call',
      id: 'b',
      call: { name: 'grep', input: { text: 'no line has this', path: '' } },
    };
    yield {
      type: 'tool-call',
      id: 'c',
      call: { name: 'grep', input: { text: 'x'.repeat(5000), path: '../..' } },
    };
    yield finish('tool-calls');
  },
};

beforeAll(async () => {
  test = await openTestApp({ model });
  const operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['guides/install', 'guides/publish', 'api/keys']);
  headers = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
});
afterAll(() => test.close());

it('a model lists and searches the pages of its site, and readers see its tool calls', async () => {
  const response = await callDeclared(test.app, {
    method: 'POST',
    url: '/v2/assistant/docs/message',
    headers: { 'content-type': 'application/json', ...headers },
    payload: {
      fp: 'a',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'How do I install?' }] }],
    },
  });
  const outputs = requests.at(-1)?.steps[0]?.calls.map(({ output }) => output) ?? [];
  expect(outputs[0]).toBe('guides/install.md  guides/install\nguides/publish.md  guides/publish');
  expect(outputs[1]).toBe('No line contains "no line has this".');
  expect(outputs[2]?.length).toBeLessThan(700);
  const chunks = response.body
    .split('\n\n')
    .flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []));
  const called = chunks
    .filter(({ type }) => type === 'tool-input-available')
    .map(({ toolName }) => toolName);
  expect(called).toEqual(['search', 'list_pages', 'grep', 'grep']);
  expect(chunks.find(({ output }) => output?.type === 'list_pages')?.output.content).toContain(
    'guides/install.md',
  );
  expect(response.body).toContain('docs.localhost:3000/guides/install)');
});
