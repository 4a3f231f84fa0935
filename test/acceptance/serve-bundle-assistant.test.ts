import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedBundle } from '../support/exported-bundle.ts';
import { type RunningBundleServer, startBundleServer } from '../support/start-bundle-server.ts';
import { removeTemporaryFolders } from '../support/start-docent.ts';

afterAll(removeTemporaryFolders);

describe('the assistant of a bundle', () => {
  let server: RunningBundleServer;
  beforeAll(async () => {
    const { file } = await sharedBundle('first');
    server = await startBundleServer(file, { args: ['--assistant', '--base-path', '/docs'] });
    await server.serves();
  });
  afterAll(() => server.kill());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const question = (text: string) => ({
    fp: 'reader',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text }] }],
  });

  test('answers the panel on its pages with sources, continues the thread, and rejects other origins', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const settings = await (await server.get('/_docent/assistant/settings', own)).json();
    expect(settings).toMatchObject({ name: 'Acme', enabled: true, botCheck: null });
    const answer = await post(
      '/docs/_docent/assistant/message',
      question('How do I rotate keys?'),
      own,
    );
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringContaining('acme rotate')]);
    expect(text).toContain('"url":"https://docs.example.com/guides/next#rotate-keys"');
    const threadId = answer.headers.get('x-thread-id') ?? '';
    const next = await post(
      '/docs/_docent/assistant/message',
      { ...question('And install?'), threadId },
      own,
    );
    expect([next.headers.get('x-thread-id'), await next.text()]).toEqual([
      threadId,
      expect.stringContaining('acme install'),
    ]);
    expect(
      (await post('/docs/_docent/assistant/feedback', { threadId, helpful: true }, own)).status,
    ).toBe(204);
    expect(
      (
        await post('/docs/_docent/assistant/message', question('x'), {
          'sec-fetch-site': 'cross-site',
        })
      ).status,
    ).toBe(403);
  });

  test('limits the ratings from one IP address', async () => {
    const rate = () =>
      post(
        '/docs/_docent/assistant/feedback',
        { threadId: 'none', helpful: true },
        { 'sec-fetch-site': 'same-origin' },
      );
    const statuses = new Set<number>();
    for (let count = 0; count < 125 && !statuses.has(429); count++)
      statuses.add((await rate()).status);
    expect(statuses).toContain(429);
  });

  test.each(['/v1', '/discovery/v1', '/v2', '/discovery/v2'])(
    'answers the API at %s without a key',
    async (prefix) => {
      const body = prefix.endsWith('v1')
        ? { fp: 'a', messages: [{ role: 'user', content: 'How do I install?' }] }
        : question('How do I install?');
      const answer = await post(`${prefix}/assistant/acme/message`, body);
      const named = answer.headers.get(
        prefix.endsWith('v1') ? 'x-vercel-ai-data-stream' : 'x-vercel-ai-ui-message-stream',
      );
      expect([answer.status, named, await answer.text()]).toEqual([
        200,
        'v1',
        expect.stringContaining('acme install'),
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const successor = `</docs${prefix.replace('v1', 'v2')}/assistant/acme/message>; rel="successor-version"`;
      expect(answer.headers.get('link')).toBe(prefix.endsWith('v1') ? successor : null);
    },
  );

  test('serves MCP to agents, and rejects pages of other origins', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const url = new URL('/docs/mcp', server.url);
    await client.connect(new StreamableHTTPClientTransport(url));
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify((await client.callTool({ name, arguments: args })).content);
    expect(await call('search_acme', { query: 'rotate keys' })).toContain('path: guides/next');
    expect(await call('list_acme', {})).toContain('guides/start.md');
    expect(await call('grep_acme', { text: 'acme install' })).toContain('guides/start.md:');
    await client.close();
    const headers = {
      accept: 'application/json, text/event-stream',
      origin: 'https://elsewhere.example',
    };
    expect((await post('/docs/mcp', {}, headers)).status).toBe(403);
    expect((await fetch(url, { headers: { accept: 'text/event-stream' } })).status).toBe(405);
  });

  test('searches and reads pages, and rejects unknown pages and invalid messages', async () => {
    const found = (await (await post('/v1/search/acme', { query: 'rotate keys' })).json()) as {
      path: string;
    }[];
    expect(found[0]?.path).toBe('guides/next');
    expect(await (await post('/v1/page/acme', { path: '/guides/start' })).json()).toMatchObject({
      content: expect.stringContaining('acme install'),
    });
    expect((await post('/v1/page/acme', { path: 'nope' })).status).toBe(404);
    expect((await post('/v2/assistant/acme/message', { nonsense: true })).status).toBe(400);
  });
});
