import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { fakeModel } from '../../../../test/support/fakes.ts';
import { addKey, addOrganisation, addSite, openTestApp, type TestApp } from '../../../../test/support/test-app.ts';

let test: TestApp;
let headers: Record<string, string>;
const model = fakeModel([
  { type: 'text', text: 'Hello, reader.' },
  { type: 'finish', reason: 'stop', usage: { inputTokens: 11, outputTokens: 3 } },
]);

beforeAll(async () => {
  test = await openTestApp({ model });
  const operator = await addOrganisation(test);
  await addSite(test, operator, 'docs', ['guides/install', 'guides/publish']);
  headers = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
});
afterAll(() => test.close());

const user = (text: string, id = 'm1') => ({ id, role: 'user', parts: [{ type: 'text', text }] });

function ask(payload: object, url = '/discovery/v2/assistant/docs/message'): Promise<LightMyRequestResponse> {
  return callDeclared(test.app, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: { fp: 'anonymous', ...payload },
  });
}

const chunks = (body: string): Record<string, unknown>[] =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)));

describe('an answer to AI SDK 5, 6 and 7', () => {
  it('is a UI message stream with the search as a tool, its output in the declared form, and no sign of a deprecated operation', async () => {
    const response = await ask({ messages: [user('How do I install?')] });
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(response.headers).not.toHaveProperty('deprecation');
    const all = chunks(response.body);
    const threadId = response.headers['x-thread-id'];
    expect(all[0]).toMatchObject({ type: 'start', messageMetadata: { threadId } });
    expect(all.find((chunk) => chunk.type === 'tool-output-available')).toMatchObject({
      output: { type: 'search', results: [{ path: 'guides/install', metadata: { title: 'guides/install' } }] },
    });
    expect(all.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop', messageMetadata: { threadId } });
  });

  it('names the thread as a key of its last event only where the query requests it', async () => {
    const asked = await ask({ messages: [user('install')] }, '/v2/assistant/docs/message?threadIdOnFinish=1');
    expect(chunks(asked.body).at(-1)).toHaveProperty('threadId', asked.headers['x-thread-id']);
  });

  it('continues in the thread that the metadata of an earlier answer names', async () => {
    const first = await ask({ messages: [user('install')] });
    const threadId = first.headers['x-thread-id'];
    const answered = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'So.' }], metadata: { threadId } };
    const second = await ask({ messages: [user('install'), answered, user('and then?', 'm2')], trigger: 'submit-message' });
    expect(second.headers['x-thread-id']).toBe(threadId);
    expect(second.headers).not.toHaveProperty('x-thread-key');
  });

  it('continues the assistant’s own message under its id', async () => {
    const half = { id: 'a9', role: 'assistant', parts: [{ type: 'text', text: 'First,' }] };
    const response = await ask({ messages: [user('install'), half] });
    expect(chunks(response.body)[0]).toMatchObject({ type: 'start', messageId: 'a9' });
  });

  it('passes over parts that it does not know, tools in every state, and addresses of files', async () => {
    const parts = [
      { type: 'step-start' },
      { type: 'tool-search', toolCallId: 'c', state: 'output-available', input: {}, output: {} },
      { type: 'dynamic-tool', toolCallId: 'd', state: 'input-streaming' },
      { type: 'data-x', data: 1 },
      { type: 'something-new' },
      { type: 'text', text: 'Yes.' },
    ];
    const file = { type: 'file', mediaType: 'text/plain', url: 'http://169.254.169.254/latest' };
    const response = await ask({
      messages: [
        user('a'),
        { id: 'a1', role: 'assistant', parts },
        { id: 'm2', role: 'user', parts: [file, ...user('b').parts] },
      ],
    });
    expect(response.statusCode).toBe(200);
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('169.254');
  });

  it('refuses a body that could only be a mistake with a pointer to it', async () => {
    const response = await ask({ messages: [{ id: 'm1', role: 'user', parts: 'hello' }] });
    expect([response.statusCode, response.json().errors[0]]).toEqual([
      400,
      expect.objectContaining({ path: '/messages/0/parts' }),
    ]);
  });
});

describe('a refused question', () => {
  const refuse = (accept?: string) => {
    const more: Record<string, string> = accept === undefined ? {} : { accept };
    const request = { method: 'POST' as const, url: '/v2/assistant/docs/message', payload: {} };
    return callDeclared(test.app, { ...request, headers: { 'content-type': 'application/json', ...headers, ...more } });
  };

  it('says first what went wrong, because chat clients show the whole body', async () => {
    const [first] = Object.entries((await refuse()).json());
    expect(first).toEqual(['message', expect.stringMatching(/^[A-Z].*fp.*[.]$/)]);
  });

  it('is a sentence and no document where the client requests plain text', async () => {
    const response = await refuse('text/plain');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect([response.statusCode, response.body]).toEqual([400, (await refuse('*/*')).json().message]);
    expect(response.headers['x-request-id']).toBeTruthy();
  });

  it.each(['application/json, text/plain, */*', 'text/plain, application/problem+json'])(
    'is a document where the client takes JSON too: %s',
    async (accept) => expect((await refuse(accept)).json()).toHaveProperty('code', 'invalid_request'),
  );
});

describe('the address to resume an answer', () => {
  const resume = (key: Record<string, string>) =>
    callDeclared(test.app, { method: 'GET', url: '/v2/assistant/docs/message/chat-1/stream', headers: key });

  it('reports that there is nothing to resume', async () => {
    const response = await resume(headers);
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  it('says it to nobody without a key', async () => {
    expect((await resume({})).statusCode).toBe(401);
  });
});
