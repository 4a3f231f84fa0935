import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { fakeModel } from '../../../../test/support/fakes.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

let test: TestApp;
let headers: Record<string, string>;
const model = fakeModel([
  { type: 'text', text: 'Hello, reader.' },
  { type: 'finish', reason: 'stop', usage: { inputTokens: 11, outputTokens: 3 } },
]);

beforeAll(async () => {
  test = await openTestApp({ model });
  const operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['guides/install', 'guides/publish']);
  headers = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
});
afterAll(() => test.close());

const user = (text: string, id = 'm1') => ({ id, role: 'user', parts: [{ type: 'text', text }] });

function ask(
  payload: object,
  url = '/discovery/v2/assistant/docs/message',
): Promise<LightMyRequestResponse> {
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

describe('an answer for AI SDK 5, 6 and 7', () => {
  it('is a UI message stream with the search as a tool, and has no deprecation header', async () => {
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
      output: {
        type: 'search',
        results: [{ path: 'guides/install', metadata: { title: 'guides/install' } }],
      },
    });
    expect(all.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      messageMetadata: { threadId },
    });
  });

  it('includes a top-level thread id in its last event if the query requests it', async () => {
    const response = await ask(
      { messages: [user('install')] },
      '/v2/assistant/docs/message?threadIdOnFinish=1',
    );
    expect(chunks(response.body).at(-1)).toHaveProperty(
      'threadId',
      response.headers['x-thread-id'],
    );
  });

  it('continues the thread named in the metadata of an earlier answer', async () => {
    const first = await ask({ messages: [user('install')] });
    const threadId = first.headers['x-thread-id'];
    const answered = {
      id: 'a1',
      role: 'assistant',
      parts: [{ type: 'text', text: 'So.' }],
      metadata: { threadId },
    };
    const second = await ask({
      messages: [user('install'), answered, user('and then?', 'm2')],
      trigger: 'submit-message',
    });
    expect(second.headers['x-thread-id']).toBe(threadId);
    expect(second.headers).not.toHaveProperty('x-thread-key');
  });

  it('continues an unfinished assistant message under its id', async () => {
    const unfinished = { id: 'a9', role: 'assistant', parts: [{ type: 'text', text: 'First,' }] };
    const response = await ask({ messages: [user('install'), unfinished] });
    expect(chunks(response.body)[0]).toMatchObject({ type: 'start', messageId: 'a9' });
  });

  it('ignores unknown parts, tool parts in any state, and file URLs', async () => {
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

  it('rejects malformed message parts with a pointer to them', async () => {
    const response = await ask({ messages: [{ id: 'm1', role: 'user', parts: 'hello' }] });
    expect([response.statusCode, response.json().errors[0]]).toEqual([
      400,
      expect.objectContaining({ path: '/messages/0/parts' }),
    ]);
  });
});

describe('a rejected question', () => {
  const refuse = (accept?: string) => {
    const more: Record<string, string> = accept === undefined ? {} : { accept };
    const request = { method: 'POST' as const, url: '/v2/assistant/docs/message', payload: {} };
    return callDeclared(test.app, {
      ...request,
      headers: { 'content-type': 'application/json', ...headers, ...more },
    });
  };

  it('names the error in its first member, because chat clients show the whole body', async () => {
    const [first] = Object.entries((await refuse()).json());
    expect(first).toEqual(['message', expect.stringMatching(/^[A-Z].*fp.*[.]$/)]);
  });

  it('returns a plain sentence if the client requests plain text', async () => {
    const response = await refuse('text/plain');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect([response.statusCode, response.body]).toEqual([
      400,
      (await refuse('*/*')).json().message,
    ]);
    expect(response.headers['x-request-id']).toBeTruthy();
  });

  it.each(['application/json, text/plain, */*', 'text/plain, application/problem+json'])(
    'returns a problem document if the client also accepts JSON: %s',
    async (accept) =>
      expect((await refuse(accept)).json()).toHaveProperty('code', 'invalid_request'),
  );
});

describe('the endpoint that resumes an answer', () => {
  const resume = (key: Record<string, string>) =>
    callDeclared(test.app, {
      method: 'GET',
      url: '/v2/assistant/docs/message/chat-1/stream',
      headers: key,
    });

  it('responds with 204, because there is nothing to resume', async () => {
    const response = await resume(headers);
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });

  it('requires a key', async () => {
    expect((await resume({})).statusCode).toBe(401);
  });
});
