import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, publishFixture } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  startDocent,
} from '../support/start-docent.ts';

const question = (text: string, more: object = {}) => ({
  fp: 'anonymous',
  messages: [{ role: 'user', content: text }],
  ...more,
});

interface Part {
  code: string;
  value: unknown;
}

/** Splits a data stream into its parts and rejects what a client would reject. */
async function readParts(answer: Response): Promise<Part[]> {
  const body = await answer.text();
  expect(body.endsWith('\n')).toBe(true);
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      expect(line.slice(0, colon)).toMatch(/^[0-9a-k]$/);
      return { code: line.slice(0, colon), value: JSON.parse(line.slice(colon + 1)) as unknown };
    });
}

describe('the assistant v1', () => {
  let docent: RunningDocent;
  let key: string;
  const ask = (body: object, path = '/v1/assistant/basic/message', withKey = key) =>
    call(docent, withKey, 'POST', path, body);
  beforeAll(async () => {
    docent = await sharedDocent();
    await publishFixture(docent, 'basic');
    const made = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
      kind: 'assistant',
      name: 'test',
      site: 'basic',
    });
    key = ((await made.json()) as { key: string }).key;
  });
  afterAll(removeTemporaryFolders);

  test('streams a cited answer in the order that clients expect', async () => {
    const answer = await ask(question('How do I rotate an API key?'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('x-vercel-ai-data-stream')).toBe('v1');
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    expect(answer.headers.get('cache-control')).toContain('no-cache');
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(answer.headers.get('link')).toContain('rel="successor-version"');
    const threadId = answer.headers.get('x-thread-id');
    expect(threadId).toBeTruthy();
    expect(answer.headers.get('x-thread-key')).toBeTruthy();

    const parts = await readParts(answer);
    const codes = parts.map((part) => part.code).join('');
    expect(codes).toMatch(/^f89ah+0+e[28]+d$/);
    const first = (code: string) => parts.find((part) => part.code === code)?.value;
    const finish = [{ type: 'finish', threadId }];
    expect(first('8')).toEqual(finish);
    expect(first('2')).toEqual(finish);
    expect(parts.at(-1)?.value).toMatchObject({
      finishReason: 'stop',
      type: 'finish',
      threadId,
      usage: { promptTokens: expect.any(Number) },
    });
    const { result } = first('a') as {
      result: { path: string; url: string; metadata: { title: string } }[];
    };
    expect(result[0]).toMatchObject({ path: 'guides/install', metadata: { title: 'Install' } });
    expect(result[0]?.url).toBe(
      `http://basic.localhost:${docent.port}/guides/install#rotate-a-key`,
    );
    expect(first('h')).toMatchObject({ sourceType: 'url', title: 'Install' });
    const text = parts
      .filter((part) => part.code === '0')
      .map((part) => part.value)
      .join('');
    expect(text).toContain('acme keys rotate');
    expect(text).toContain('/guides/install');
  });

  test('responds with a text without sources if the documentation has no answer', async () => {
    const parts = await readParts(await ask(question('zzyzx qwrtp flumph')));
    const text = parts
      .filter((part) => part.code === '0')
      .map((part) => part.value)
      .join('');
    expect(text.length).toBeGreaterThan(20);
    expect(parts.some((part) => part.code === 'h')).toBe(false);
  });

  test('is also served under /discovery, and omits sources for clients with the minimal wire', async () => {
    const parts = await readParts(
      await ask(
        question('rotate a key', { wire: 'minimal' }),
        '/discovery/v1/assistant/basic/message',
      ),
    );
    expect(parts.some((part) => part.code === '0')).toBe(true);
    expect(parts.some((part) => part.code === 'h')).toBe(false);
  });

  test('continues a thread with its key, rejects a wrong key, and starts a new thread for an unknown id', async () => {
    const first = await ask(question('How do I rotate a key?'));
    await first.text();
    const threadId = first.headers.get('x-thread-id');
    const threadKey = first.headers.get('x-thread-key');
    const second = await ask(
      question('and how long does the old one stay valid?', { threadId, threadKey }),
    );
    expect(second.headers.get('x-thread-id')).toBe(threadId);
    expect(second.headers.get('x-thread-key')).toBeNull();
    await second.text();
    expect((await ask(question('x', { threadId, threadKey: 'wrong' }))).status).toBe(404);
    const other = await ask(question('x', { threadId: 'no-such-thread' }));
    expect(other.status).toBe(200);
    expect(other.headers.get('x-thread-id')).not.toBe('no-such-thread');
    await other.text();
  });

  test('rejects keys of the wrong kind or site, unknown keys, and invalid bodies with the path of the error', async () => {
    expect((await ask(question('x'), undefined, docent.adminKey)).status).toBe(403);
    expect((await ask(question('x'), undefined, docent.assistantKey)).status).toBe(403);
    const unknown = await ask(question('x'), undefined, 'svc_dsc_unknown');
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toContain('Bearer');
    const bad = await ask({ fp: 'anonymous', messages: [{ role: 'wizard', content: 'x' }] });
    expect(bad.status).toBe(400);
    expect(bad.headers.get('content-type')).toContain('application/problem+json');
    expect(await bad.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/messages/0/role' }],
    });
  });

  test('reports the rate limit and what remains of it in headers', async () => {
    const answer = await ask(question('rotate'));
    await answer.text();
    expect(answer.headers.get('ratelimit-policy')).toMatch(/q=10000;\s*w=3600/);
    expect(answer.headers.get('ratelimit')).toMatch(/r=\d+;\s*t=\d+/);
  });

  test('allows requests from other origins, including preflights and errors', async () => {
    const origin = 'https://acme.example';
    const preflight = await fetch(`${docent.apiUrl}/v1/assistant/basic/message`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/i);
    const refused = await fetch(`${docent.apiUrl}/v1/assistant/basic/message`, {
      method: 'POST',
      headers: { origin },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBeTruthy();
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/x-thread-id/i);
  });
});

describe('the rate limit of the assistant', () => {
  test('rejects only requests over it, with 429 and Retry-After', async () => {
    const docent = await startDocent({
      env: { DOCENT_LIMIT_ASSISTANT_PER_ORGANIZATION_HOUR: '3' },
    });
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let count = 0; count < 5; count++) {
      last = await call(
        docent,
        docent.assistantKey,
        'POST',
        '/v1/assistant/docent/message',
        question('publish'),
      );
      await last.text();
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    await docent.stop();
  });
});
