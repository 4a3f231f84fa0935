import { readBatch } from '@docent/format/analytics/reader-events.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const MACHINES = [
  ['ai.agent', 'Claude-User', 'Claude-User/1.0'],
  ['ai.training', 'GPTBot', 'GPTBot/1.2'],
  ['search', 'Googlebot', 'Googlebot/2.1'],
] as const;
const CLIENTS = 50_000;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ env: { DOCENT_TRUSTED_PROXIES: '1' } });
});
afterAll(() => app.close());

test('a day of 50,000 readers and machines yields exactly the expected figures, despite invalid events', async () => {
  const operator = await addOrganization(app);
  await addSite(app, operator, 'day', ['index', 'a', 'b']);
  const { headers } = await addKey(app, operator, { kind: 'admin' });
  const { analytics, clock, liveSites } = app.deps;
  const site = await liveSites.find('day');
  if (!site) throw new Error('no site');
  const known = { human: 0, readers: 0, ai: 0, aiClients: 0, searches: 0, opened: 0, referred: 0 };
  const machines = new Map<string, number>();
  const send = async (address: string, userAgent: string, events: object[]) => {
    const batch = readBatch(JSON.stringify({ v: 1, events }));
    if (batch) await analytics.takeBatch(site, batch, { address, userAgent, wantsNone: false });
  };
  for (let n = 0; n < CLIENTS; n += 1) {
    const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    if (n % 5 === 4) {
      const [kind, agent, userAgent] = MACHINES[n % 3] as (typeof MACHINES)[number];
      analytics.countFetch(
        site,
        { surface: 'page', href: '/a' },
        { address, userAgent, wantsNone: false },
      );
      machines.set(`${kind} ${agent}`, (machines.get(`${kind} ${agent}`) ?? 0) + 1);
      if (kind.startsWith('ai.')) known.ai += 1;
      if (kind.startsWith('ai.')) known.aiClients += 1;
    } else {
      const isReferred = n % 4 === 0;
      const events: object[] = [
        { t: 'page', at: 1, path: '/a', ...(isReferred && { from: 'www.news.example' }) },
      ];
      if (n % 3 === 0) events.push({ t: 'page', at: 2, path: '/b' });
      known.human += events.length;
      known.readers += 1;
      known.referred += Number(isReferred);
      if (n % 10 === 0) {
        const isOpened = n % 20 === 0;
        events.push({
          t: 'search',
          at: 3,
          path: '/a',
          query: 'Keys',
          results: 2,
          ...(isOpened && { opened: '/b', position: 1 }),
        });
        known.searches += 1;
        known.opened += Number(isOpened);
      }
      // Unknown pages, unknown events and invalid times change nothing.
      if (n % 7 === 0)
        events.push(
          { t: 'page', at: 4, path: '/elsewhere' },
          { t: 'login', at: 4, path: '/a' },
          { t: 'page', at: -9, path: '/a' },
        );
      await send(address, CHROME, events);
    }
    if (n % 5000 === 4999) {
      await analytics.flush();
      if (n % 20_000 === 4999) await analytics.store.rollUp();
      clock.advance(61);
    }
  }
  const read = async (path: string) =>
    (await app.app.inject({ method: 'GET', url: `/v1/analytics/day/${path}`, headers })).json();
  const check = async () => {
    const { human, ai, readers, aiClients, referred, searches, opened } = known;
    expect((await read('views')).totals).toEqual({ human, ai, total: human + ai });
    expect((await read('visitors')).totals).toEqual({
      human: readers,
      ai: aiClients,
      total: readers + aiClients,
    });
    expect((await read('referrers')).referrers).toContainEqual({
      source: 'news.example',
      views: referred,
      visitors: referred,
    });
    expect(await read('searches')).toMatchObject({
      totalSearches: searches,
      searches: [
        { searchQuery: 'keys', hits: searches, ctr: opened / searches, topClickedPage: '/b' },
      ],
    });
    const found: { class: string; agent: string; requests: number }[] = (await read('machines'))
      .machines;
    expect(new Map(found.map((row) => [`${row.class} ${row.agent}`, row.requests]))).toEqual(
      machines,
    );
  };
  await analytics.flush();
  await check();
  await analytics.store.rollUp();
  await check();
}, 360_000);
