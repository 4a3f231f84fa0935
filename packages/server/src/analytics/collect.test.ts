import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const CLAUDE = 'Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)';

let test: TestApp;
let admin: Record<string, string>;
let stranger: Record<string, string>;
let assistant: Record<string, string>;
let sites = 0;

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_TRUSTED_PROXIES: '1' } });
});
afterAll(() => test.close());

/** A new site for each test, so that totals are exact. */
async function newSite(): Promise<{ slug: string; siteId: string }> {
  sites += 1;
  const slug = `docs${sites}`;
  const operator = await addOrganization(test);
  const { siteId } = await addSite(test, operator, slug, ['index', 'guides/start', 'v1/old']);
  admin = (await addKey(test, operator, { kind: 'admin' })).headers;
  assistant = (await addKey(test, operator, { kind: 'assistant', site: slug })).headers;
  stranger = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
  return { slug, siteId };
}

interface Sender {
  address?: string;
  agent?: string;
  headers?: Record<string, string>;
}

function post(
  slug: string,
  body: unknown,
  { address = '203.0.113.1', agent = CHROME, headers = {} }: Sender = {},
) {
  const host = `${slug}.localhost:3000`;
  return test.app.inject({
    method: 'POST',
    url: '/_docent/events',
    headers: {
      host,
      origin: `http://${host}`,
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': agent,
      'x-forwarded-for': address,
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify({ v: 1, events: body }),
  });
}

async function read(slug: string, path: string, headers = admin) {
  await test.deps.analytics.flush();
  return (
    await callDeclared(test.app, { method: 'GET', url: `/v1/analytics/${slug}/${path}`, headers })
  ).json();
}

const page = (path: string, more: object = {}) => ({ t: 'page', at: 1000, path, ...more });

describe('an event from a page', () => {
  it('is counted by page, by reader and by day', async () => {
    const { slug } = await newSite();
    expect((await post(slug, [page('/guides/start'), page('/')])).statusCode).toBe(204);
    await post(slug, [page('/guides/start')], { agent: IPHONE });
    await post(slug, [page('/guides/start')], { address: '203.0.113.2' });
    expect(await read(slug, 'views')).toEqual({
      totals: { human: 4, ai: 0, total: 4 },
      views: [
        { path: '/guides/start', human: 3, ai: 0, total: 3 },
        { path: '/', human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    });
    const { totals } = await read(slug, 'visitors');
    expect(totals).toEqual({ human: 3, ai: 0, total: 3 });
    expect(await read(slug, 'views?path=/&limit=1')).toMatchObject({
      totals: { human: 1 },
      views: [{ path: '/' }],
    });
    expect(await read(slug, 'views?version=v1')).toMatchObject({ totals: { human: 0 }, views: [] });
    expect(await read(slug, 'views?limit=1')).toMatchObject({
      views: [{ path: '/guides/start' }],
      hasMore: true,
    });
    expect(await read(slug, 'views?limit=1&offset=1')).toMatchObject({
      views: [{ path: '/' }],
      hasMore: false,
    });
  });

  it('is counted once if the page is reloaded within five seconds, and again after that', async () => {
    const { slug } = await newSite();
    await post(slug, [page('/')]);
    test.deps.clock.advance(4);
    await post(slug, [page('/', { reload: true })]);
    test.deps.clock.advance(20);
    await post(slug, [page('/', { reload: true })]);
    expect((await read(slug, 'views')).totals.human).toBe(2);
  });

  it('for a search is counted with its results and the share of searches that opened one', async () => {
    const { slug } = await newSite();
    const search = (query: string, more: object) => ({
      t: 'search',
      at: 1,
      path: '/',
      query,
      results: 3,
      ...more,
    });
    await post(slug, [
      search('Rotate key', { opened: '/guides/start', position: 1 }),
      search('rotate KEY', {}),
      search('nothing', { results: 0 }),
      search('rotate key', { opened: 'https://evil.test/' }),
    ]);
    expect(await read(slug, 'searches')).toMatchObject({
      totalSearches: 3,
      searches: [
        {
          searchQuery: 'rotate key',
          hits: 2,
          ctr: 0.5,
          topClickedPage: '/guides/start',
          noResults: 0,
        },
        { searchQuery: 'nothing', hits: 1, ctr: 0, topClickedPage: null, noResults: 1 },
      ],
      hasMore: false,
      nextCursor: null,
    });
    const first = await read(slug, 'searches?limit=1');
    expect(
      (await read(slug, `searches?limit=1&cursor=${first.nextCursor}`)).searches,
    ).toMatchObject([{ searchQuery: 'nothing' }]);
  });

  it('is not counted for machines, readers who opt out of tracking, or pages of other origins', async () => {
    const { slug } = await newSite();
    const views = [page('/')];
    for (const headers of [{ dnt: '1' }, { 'sec-gpc': '1' }] as Record<string, string>[])
      expect((await post(slug, views, { headers })).statusCode).toBe(204);
    expect((await post(slug, views, { agent: CLAUDE })).statusCode).toBe(204);
    expect((await post(slug, views, { headers: { origin: 'https://evil.test' } })).statusCode).toBe(
      403,
    );
    expect(
      (await post(slug, views, { headers: { 'sec-fetch-site': 'cross-site' } })).statusCode,
    ).toBe(403);
    expect((await read(slug, 'views')).totals.total).toBe(0);
  });

  it('is rejected in an invalid or oversized batch, and ignored if it is invalid itself', async () => {
    const { slug } = await newSite();
    const statusOf = async (body: unknown) => (await post(slug, body)).statusCode;
    expect(await statusOf('')).toBe(400);
    expect(await statusOf('{"v":2,"events":[]}')).toBe(400);
    expect(await statusOf('[')).toBe(400);
    expect(await statusOf([])).toBe(400);
    expect(await statusOf(Array.from({ length: 21 }, () => page('/')))).toBe(400);
    expect(await statusOf('x'.repeat(9000))).toBe(413);
    expect(await statusOf('x'.repeat(1024 * 1024))).toBe(413);
    const invalid = [
      { t: 'login', at: 1, path: '/' },
      { t: 'page' },
      page('/elsewhere'),
      page('/', { at: -1 }),
      page('/', { at: 1e300 }),
      { t: 'missing', at: 1, path: '/' },
      { t: 'outbound', at: 1, path: '/', to: 'javascript:alert(1)' },
      null,
      7,
    ];
    expect((await post(slug, [...invalid, page('/')])).statusCode).toBe(204);
    expect((await read(slug, 'views')).totals.total).toBe(1);
    for (const report of ['missing-pages', 'outbound-links'])
      expect((await read(slug, report))[report]).toEqual([]);
  });

  it('is dated back by its age, but by at most an hour', async () => {
    const { slug } = await newSite();
    const now = test.deps.clock.now();
    await post(
      slug,
      JSON.stringify({
        v: 1,
        now: 90_000_000,
        events: [
          page('/', { at: 5 }),
          page('/v1/old', { at: 90_000_000 - 600_000 }),
          page('/guides/start', { at: 90_000_000 }),
        ],
      }),
    );
    const hour = 60 * 60 * 1000;
    const since = (ms: number) => new Date(now.getTime() - ms).toISOString();
    const viewed = async (from: number) =>
      (await read(slug, `views?dateFrom=${since(from)}`)).views.map(
        ({ path }: { path: string }) => path,
      );
    expect((await viewed(hour + 1000)).sort()).toEqual(['/', '/guides/start', '/v1/old']);
    expect((await viewed(hour - 1000)).sort()).toEqual(['/guides/start', '/v1/old']);
    expect((await viewed(601_000)).sort()).toEqual(['/guides/start', '/v1/old']);
    expect(await viewed(599_000)).toEqual(['/guides/start']);
  });

  it("is counted at the time of the server if the reader's clock is wrong, and on the right day across midnight", async () => {
    const { slug } = await newSite();
    const { clock } = test.deps;
    const day = 24 * 60 * 60 * 1000;
    const midnight = new Date(Math.ceil(clock.now().getTime() / day) * day);
    clock.advance((midnight.getTime() - clock.now().getTime()) / 1000 - 30);
    for (const skew of [-day, 0, day]) {
      const readerTime = clock.now().getTime() + skew;
      const headers = { date: new Date(readerTime).toUTCString() };
      const events = [
        page('/', {
          at: readerTime,
          time: readerTime,
          timestamp: new Date(readerTime).toISOString(),
        }),
      ];
      expect(
        (
          await post(
            slug,
            { v: 1, now: readerTime, events },
            { headers, address: `203.0.113.${skew / day + 50}` },
          )
        ).statusCode,
      ).toBe(400);
      const sent = JSON.stringify({
        v: 1,
        now: 2000,
        events: [page('/', { at: 1000, time: readerTime, date: readerTime })],
      });
      expect(
        (await post(slug, sent, { headers, address: `203.0.113.${skew / day + 50}` })).statusCode,
      ).toBe(204);
    }
    clock.advance(60);
    // Shown 40 seconds ago, which was yesterday, and sent with a page of today.
    const across = [page('/guides/start', { at: 1000 }), page('/', { at: 41_000 })];
    await post(slug, JSON.stringify({ v: 1, now: 41_000, events: across }), {
      address: '203.0.113.60',
    });
    expect((await read(slug, 'traffic-by-day'))['traffic-by-day']).toMatchObject([
      { startsAt: new Date(midnight.getTime() - day).toISOString(), human: 4, visitors: 4 },
      { startsAt: midnight.toISOString(), human: 1, visitors: 1 },
    ]);
  });

  it('is counted only for the site of the address, not for one that the event, a header or a path names', async () => {
    const victim = await newSite();
    const sender = await newSite();
    const theirs = admin;
    const forged = {
      site: victim.slug,
      siteId: victim.siteId,
      projectId: victim.siteId,
      domain: victim.slug,
    };
    const events = [
      page('/', forged),
      page(`//${victim.slug}.localhost:3000/`, forged),
      page(`/sites/${victim.slug}/guides/start`),
    ];
    await post(sender.slug, JSON.stringify({ v: 1, ...forged, events }), {
      headers: {
        'x-forwarded-host': `${victim.slug}.localhost:3000`,
        referer: `http://${victim.slug}.localhost:3000/`,
      },
    });
    // From a page of the sender to the address of the victim.
    const from = { origin: `http://${sender.slug}.localhost:3000` };
    expect((await post(victim.slug, [page('/')], { headers: from })).statusCode).toBe(403);
    expect(
      (
        await post(victim.slug, [page('/')], {
          headers: { ...from, 'sec-fetch-site': 'same-site' },
        })
      ).statusCode,
    ).toBe(403);
    expect((await read(sender.slug, 'views', theirs)).totals.human).toBe(1);
    const { rows } = await test.deps.database.execute(
      `SELECT count(*)::integer AS count FROM analytics_events WHERE site_id = '${victim.siteId}'`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('is counted up to 200 times per minute and reader', async () => {
    const { slug } = await newSite();
    for (let batch = 0; batch < 15; batch += 1)
      await post(
        slug,
        Array.from({ length: 20 }, () => page('/')),
      );
    expect((await read(slug, 'views')).totals.total).toBe(200);
    await post(slug, [page('/')], { address: '203.0.113.9' });
    expect((await read(slug, 'views')).totals.total).toBe(201);
    test.deps.clock.advance(60);
    await post(slug, [page('/')]);
    expect((await read(slug, 'views')).totals.total).toBe(202);
  });

  it('stores nothing that identifies the reader', async () => {
    const { slug } = await newSite();
    await post(slug, [
      page('/', { from: 'www.example.com', campaign: ['mail', '', 'autumn', ''] }),
    ]);
    await test.deps.analytics.flush();
    const { rows } = await test.deps.database.execute(
      'SELECT row_to_json(e)::text AS row FROM analytics_events e',
    );
    const all = rows.map(({ row }) => row).join();
    expect(all).toContain('"source":"example.com"');
    expect(all).not.toMatch(/203\.0\.113|Mozilla/);
  });
});

describe('a machine request', () => {
  it('is counted as AI if a program reads the API, and only the owners see the counts', async () => {
    const { slug } = await newSite();
    const call = (path: string, payload: object, headers: object = {}) =>
      test.app.inject({
        method: 'POST',
        url: `/v1/${path}/${slug}`,
        headers: { ...assistant, 'user-agent': 'node', ...headers },
        payload,
      });
    expect((await call('page', { path: 'guides/start' })).statusCode).toBe(200);
    expect((await call('search', { query: 'start' })).statusCode).toBe(200);
    await call(
      'page',
      { path: 'guides/start' },
      { origin: 'https://app.example.com', 'user-agent': CHROME },
    );
    expect(await read(slug, 'views')).toMatchObject({
      totals: { human: 0, ai: 1, total: 1 },
      views: [{ path: '/guides/start', ai: 1 }],
    });
    for (const list of ['views', 'visitors', 'searches']) {
      expect((await read(slug, list, stranger)).code, list).toBe('site_not_found');
      expect((await read(slug, list, assistant)).code, list).toBe('wrong_key_kind');
    }
  });
});

describe('an event from a page of a bundle', () => {
  it('is counted for the site of the key in the address, from any origin', async () => {
    const { slug } = await newSite();
    const key = (assistant.authorization as string).replace('Bearer ', '');
    const payload = JSON.stringify({ v: 1, events: [page('/guides/start')] });
    const sendWith = (address: string, body = payload) =>
      test.app.inject({
        method: 'POST',
        url: `/v1/events/${address}`,
        headers: {
          origin: 'null',
          'content-type': 'text/plain;charset=UTF-8',
          'user-agent': CHROME,
        },
        payload: body,
      });
    expect((await sendWith(`${slug}?key=${key}`)).statusCode).toBe(204);
    expect((await sendWith(`${slug}?key=${key}`, '{}')).statusCode).toBe(400);
    expect((await sendWith(slug)).statusCode).toBe(400);
    expect((await sendWith(`${slug}?key=svc_dsc_none`)).statusCode).toBe(401);
    const adminKey = (admin.authorization as string).replace('Bearer ', '');
    expect((await sendWith(`${slug}?key=${adminKey}`)).json().code).toBe('wrong_key_kind');
    const other = await newSite();
    expect((await sendWith(`${other.slug}?key=${key}`)).statusCode).toBe(403);
    expect((await read(other.slug, 'views')).totals.total).toBe(0);
  });
});
