import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportBundle } from '../support/exported-bundle.ts';
import { type RunningBundleServer, startBundleServer } from '../support/start-bundle-server.ts';
import { removeTemporaryFolders, runDocent } from '../support/start-docent.ts';

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const AGENT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)';

let server: RunningBundleServer;
beforeAll(async () => {
  const { file } = await exportBundle('Counted.', { args: ['--analytics-url', '/_docent/events'] });
  server = await startBundleServer(file, { args: ['--analytics', '--base-path', '/docs'] });
  await server.serves();
});
afterAll(async () => {
  await server.kill();
  await removeTemporaryFolders();
});

const send = async (body: string, headers: Record<string, string> = {}) => {
  const own = {
    'user-agent': READER,
    'sec-fetch-site': 'same-origin',
    'content-type': 'text/plain',
  };
  return fetch(`${server.url}/_docent/events`, {
    method: 'POST',
    headers: { ...own, ...headers },
    body,
  });
};
const batch = (...events: object[]) => JSON.stringify({ v: 1, now: 9000, events });
const feedback = {
  t: 'feedback',
  at: 10,
  id: 'reader-0000000001',
  path: '/guides/start',
  helpful: true,
};

test('serve-bundle --analytics stores page events, feedback and AI requests, and docent analytics reports them', async () => {
  expect(await (await server.get('/guides/start')).text()).toContain('/_docent/events');
  const view = { t: 'page', at: 10, path: '/guides/start', from: 'search.example' };
  const search = {
    t: 'search',
    at: 800,
    path: '/guides/start',
    query: 'rotate',
    results: 1,
    opened: '/guides/next',
    position: 1,
  };
  expect((await send(batch(view, search))).status).toBe(204);
  expect((await send(batch(feedback))).status).toBe(204);
  const words = { ...feedback, helpful: false, reason: 'missing', comment: 'Say which <port>.' };
  expect((await send(batch(words))).status).toBe(204);

  const refused = {
    'another origin': await send(batch(view), {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    }),
    'not a batch': await send('{"v":2}'),
    '1 MB': await send(batch(...Array.from({ length: 10_000 }, () => view)).padEnd(1_000_000, ' ')),
    'unknown page': await send(batch({ ...feedback, path: '/nowhere' })),
  };
  expect(Object.values(refused).map(({ status }) => status)).toEqual([403, 400, 413, 404]);
  await send(batch(view), { 'user-agent': AGENT });
  await send(batch(view), { dnt: '1' });

  expect((await server.get('/guides/next', { 'user-agent': AGENT })).status).toBe(200);
  expect((await server.get('/guides/next.md', { 'user-agent': 'curl/8.9.1' })).status).toBe(200);
  await server.get('/llms.txt', { 'user-agent': AGENT });
  await server.stop();

  const { code, stdout } = await runDocent(['analytics', server.cache, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    totals: { views: 1, visitors: 1, aiViews: 2, searches: 1 },
    Sources: [{ Source: 'search.example', Views: 1 }],
    Searches: [{ Search: 'rotate', 'Opened a result': '100 %' }],
    Machines: expect.arrayContaining([
      expect.objectContaining({ Class: 'ai.agent', Agent: 'ChatGPT-User', Requests: 2 }),
    ]),
    Feedback: [{ Page: '/guides/start', Helpful: 0, 'Not helpful': 1 }],
    Comments: [{ Page: '/guides/start', Reason: 'missing', Comment: 'Say which <port>.' }],
  });
});
