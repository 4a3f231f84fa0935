import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import type { LiveSite } from '../ports/live-sites.ts';

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const ANDROID = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

let test: TestApp;
let admin: Record<string, string>;
let reader: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp({ env: { DOCENT_TRUSTED_PROXIES: '1' } });
  const operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['index', 'guides/start']);
  admin = (await addKey(test, operator, { kind: 'admin', scopes: ['read', 'write'] })).headers;
  reader = (await addKey(test, operator, { kind: 'admin', scopes: ['read'] })).headers;
});
afterAll(() => test.close());

async function send(events: object[], agent = CHROME, address = '203.0.113.1') {
  const host = 'docs.localhost:3000';
  const headers = {
    host,
    origin: `http://${host}`,
    'content-type': 'text/plain',
    'user-agent': agent,
    'x-forwarded-for': address,
  };
  const body = JSON.stringify({
    v: 1,
    events: events.map((event) => ({ at: 1000, path: '/', ...event })),
  });
  expect(
    (await test.app.inject({ method: 'POST', url: '/_docent/events', headers, payload: body }))
      .statusCode,
  ).toBe(204);
}

async function call(
  method: 'GET' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers = admin,
) {
  await test.deps.analytics.flush();
  return callDeclared(test.app, { method, url, headers, ...(payload && { payload }) });
}
const read = async (path: string) => (await call('GET', `/v1/analytics/docs/${path}`)).json();

describe('an analytics report', () => {
  it('counts sources, campaigns, devices, missing pages, links, actions, exits and reading times', async () => {
    await send([
      { t: 'page', from: 'www.example.com', campaign: ['mail', 'email', 'autumn', ''] },
      { t: 'page', path: '/guides/start', from: 'docs.localhost' },
      { t: 'time', ms: 4000 },
      { t: 'time', ms: 1e9 },
      { t: 'missing', path: '/gone', from: 'example.org' },
      { t: 'outbound', to: 'https://github.com/acme/acme/?token=secret#x' },
      { t: 'action', name: 'tab', detail: 'Python' },
      { t: 'action', name: 'steal', detail: 'x' },
    ]);
    await send([{ t: 'page' }], ANDROID, '203.0.113.2');
    const hasMore = false;
    expect(await read('referrers')).toEqual({
      referrers: [
        { source: '', views: 1, visitors: 1 },
        { source: 'example.com', views: 1, visitors: 1 },
      ],
      hasMore,
    });
    expect(await read('campaigns')).toEqual({
      campaigns: [
        { source: 'mail', medium: 'email', campaign: 'autumn', ref: '', views: 1, visitors: 1 },
      ],
      hasMore,
    });
    expect((await read('devices')).devices).toEqual([
      { device: 'desktop', browser: 'Chrome', views: 2, visitors: 1 },
      { device: 'mobile', browser: 'Firefox', views: 1, visitors: 1 },
    ]);
    expect((await read('missing-pages'))['missing-pages']).toEqual([
      { path: '/gone', source: 'example.org', views: 1 },
    ]);
    expect((await read('outbound-links'))['outbound-links']).toEqual([
      { address: 'github.com/acme/acme', clicks: 1 },
    ]);
    expect((await read('actions')).actions).toEqual([
      { action: 'tab', detail: 'Python', count: 1 },
    ]);
    expect((await read('time-on-page'))['time-on-page']).toEqual([
      { path: '/', averageMs: 902_000, count: 2 },
    ]);
    expect((await read('exits')).exits).toHaveLength(2);
    const today = '2026-11-20T00:00:00.000Z';
    expect((await read('traffic-by-day'))['traffic-by-day']).toEqual([
      { startsAt: today, human: 3, ai: 0, requests: 3, visitors: 2, aiVisitors: 0 },
    ]);
    expect((await read('traffic-by-hour'))['traffic-by-hour']).toMatchObject([
      { startsAt: expect.stringMatching(/:00:00\.000Z$/), human: 3 },
    ]);
    expect((await read('referrers?limit=1')).hasMore).toBe(true);
    expect((await read('referrers?path=/guides/start')).referrers).toEqual([]);
    for (const wrong of [
      'limit=0',
      'offset=-1',
      'dateFrom=soon',
      'dateFrom=0000-12-31',
      `path=${'x'.repeat(501)}`,
    ])
      expect((await read(`referrers?${wrong}`)).code, wrong).toBe('invalid_request');
  });

  it('is empty for a future period, up to the last representable day', async () => {
    for (const from of ['2100-01-01', '9999-12-31T23:59:59Z'])
      expect((await read(`referrers?dateFrom=${from}`)).referrers, from).toEqual([]);
  });

  it('counts all that the visitors of a source, a device or a machine did, and the filters combine', async () => {
    const from = `dateFrom=${new Date(test.deps.clock.now().getTime() + 3000).toISOString()}`;
    test.deps.clock.advance(10);
    await send([
      { t: 'page', from: 'news.example' },
      { t: 'page', path: '/guides/start', from: 'docs.localhost' },
      { t: 'time', path: '/guides/start', ms: 3000 },
      { t: 'search', query: 'keys', results: 0 },
    ]);
    await send(
      [{ t: 'page', path: '/guides/start', from: 'news.example' }],
      ANDROID,
      '203.0.113.3',
    );
    await send(
      [{ t: 'page', path: '/guides/start', from: 'other.example' }],
      ANDROID,
      '203.0.113.9',
    );
    expect(await read(`views?${from}&referrer=news.example`)).toMatchObject({
      totals: { human: 3, ai: 0 },
      views: [
        { path: '/guides/start', human: 2 },
        { path: '/', human: 1 },
      ],
    });
    const { pages } = await read(`pages?${from}&referrer=news.example`);
    for (const { views, exits } of pages) expect(exits).toBeLessThanOrEqual(views);
    expect(pages).toMatchObject([
      {
        path: '/guides/start',
        views: 2,
        exits: 2,
        averageMs: 3000,
        thumbsUp: null,
        thumbsDown: null,
      },
      { path: '/', views: 1, exits: 0, averageMs: null, thumbsUp: null },
    ]);
    expect((await read(`devices?${from}&referrer=news.example`)).devices).toMatchObject([
      { device: 'desktop', views: 2, visitors: 1 },
      { device: 'mobile', views: 1, visitors: 1 },
    ]);
    expect((await read(`referrers?${from}&referrer=news.example&device=mobile`)).referrers).toEqual(
      [{ source: 'news.example', views: 1, visitors: 1 }],
    );
    expect(
      (await read(`searches?${from}&device=desktop&referrer=news.example`)).totalSearches,
    ).toBe(1);
    expect((await read(`searches?${from}&device=mobile`)).totalSearches).toBe(0);
    expect(
      (await read(`traffic-by-hour?${from}&referrer=news.example`))['traffic-by-hour'],
    ).toMatchObject([{ human: 3 }]);
    expect((await read(`views?${from}&device=mobile`)).views).toEqual([
      { path: '/guides/start', human: 2, ai: 0, total: 2 },
    ]);
    expect((await read(`visitors?${from}&referrer=news.example&path=/`)).totals.human).toBe(1);
    expect((await read(`traffic-by-day?${from}&device=desktop`))['traffic-by-day']).toMatchObject([
      { human: 2 },
    ]);
    expect((await read(`views?${from}&agent=Claude-User`)).totals.total).toBe(0);
    expect((await read(`views?${from}&device=mobile&referrer=news.example`)).totals.human).toBe(1);
  });

  it('can be filtered by every row that a report shows, machines included', async () => {
    test.deps.clock.advance(10);
    const from = `dateFrom=${test.deps.clock.now().toISOString()}`;
    test.deps.clock.advance(10);
    await send([
      { t: 'page', campaign: ['ads', 'cpc', 'spring "24"', ''] },
      { t: 'missing', path: '/lost', from: 'example.org' },
      { t: 'missing', path: '/lost', from: 'docs.localhost' },
    ]);
    await send([{ t: 'page', path: '/guides/start' }], ANDROID, '203.0.113.4');
    const site = (await test.deps.liveSites.find('docs')) as LiveSite;
    for (const [href, userAgent] of [
      ['/guides/start', GOOGLE],
      ['/', 'curl/8.9.1'],
    ] as const) {
      const caller = { address: '203.0.113.5', userAgent, wantsNone: false };
      test.deps.analytics.countFetch(site, { surface: 'page', href }, caller);
    }
    const paths = async (filter: string) =>
      (await read(`pages?${from}&${filter}`)).pages.map(
        ({ path, requests }: Record<string, unknown>) => [path, requests],
      );
    const campaign = `campaign=${encodeURIComponent('[ "ads","cpc","spring \\"24\\"","" ]')}`;
    expect(await paths(campaign)).toEqual([['/', 1]]);
    expect(await paths('browser=Firefox')).toEqual([['/guides/start', 1]]);
    expect(await paths('device=desktop&browser=Firefox')).toEqual([]);
    expect(await paths('class=search')).toEqual([['/guides/start', 1]]);
    expect(await paths('class=other&agent=')).toEqual([['/', 1]]);
    expect(
      (await read(`traffic-by-day?${from}&class=search&agent=Googlebot`))['traffic-by-day'],
    ).toMatchObject([{ human: 0, ai: 0, requests: 1 }]);
    expect((await read(`views?${from}&missing=/lost`)).totals.human).toBe(1);
    expect((await read(`missing-pages?${from}&missing=/lost`))['missing-pages']).toHaveLength(2);
    expect((await read(`devices?${from}&browser=Firefox`)).devices).toMatchObject([
      { device: 'mobile' },
    ]);
    for (const wrong of ['campaign=ads', 'campaign=["ads"]', 'class=human'])
      expect((await read(`pages?${wrong}`)).code, wrong).toBe('invalid_request');
    expect(
      (await call('GET', `/v1/analytics/docs/export?report=machines&class=search&${from}`)).body,
    ).toBe('"class","agent","requests"\r\n"search","Googlebot",1\r\n');
    expect((await read('export?report=feedback&missing=/lost')).code).toBe('invalid_request');
  });

  it('shows pages with their reading time, exits and feedback', async () => {
    await send([{ t: 'feedback', id: 'abcdefghijklmnop', helpful: false, path: '/guides/start' }]);
    const { pages } = await read('pages');
    const pageOf = (path: string) => pages.find((page: { path: string }) => page.path === path);
    expect(pages).toHaveLength(2);
    expect(pageOf('/')).toMatchObject({
      title: expect.any(String),
      averageMs: 902_000,
      thumbsUp: 0,
      thumbsDown: 0,
      lastUpdated: null,
    });
    expect(pageOf('/guides/start')).toMatchObject({ averageMs: 3000, thumbsDown: 1 });
    const { exits } = await read('exits');
    for (const { path, exits: count } of exits) expect(pageOf(path).exits).toBe(count);
    expect((await read('pages?limit=1')).hasMore).toBe(true);
  });

  it('shows current readers, and drops them after half an hour', async () => {
    test.deps.clock.advance(3600);
    await send([{ t: 'page', from: 'live.example' }]);
    test.deps.clock.advance(600);
    await send([{ t: 'page', path: '/guides/start' }], ANDROID, '203.0.113.4');
    expect(await read('live')).toMatchObject({
      last5Minutes: { readers: 1, views: 1 },
      last30Minutes: { readers: 2, views: 2 },
      pages: [
        { path: '/', readers: 1, views: 1 },
        { path: '/guides/start', readers: 1, views: 1 },
      ],
      sources: [
        { source: '', readers: 1 },
        { source: 'live.example', readers: 1 },
      ],
      machines: [],
    });
    expect((await read('live?path=/guides/start')).last30Minutes.readers).toBe(1);
    test.deps.clock.advance(1801);
    expect((await read('live')).last30Minutes).toEqual({ readers: 0, views: 0, aiViews: 0 });
  });

  it('is exported as CSV and NDJSON with times in ISO 8601, and no CSV cell is a formula', async () => {
    await send([{ t: 'search', query: '=HYPERLINK("http://evil.test")', results: 0 }]);
    const csv = await call('GET', '/v1/analytics/docs/export?report=searches');
    expect([csv.headers['content-type'], csv.headers['content-disposition']]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="searches.csv"',
    ]);
    expect(csv.body.split('\r\n')[1]).toMatch(/^"'=hyperlink\(""http:\/\/evil\.test""\)",1,0,1,0,/);
    const days = await call('GET', '/v1/analytics/docs/export?report=traffic-by-day');
    expect(days.body.split('\r\n')[1]).toMatch(/^"2026-11-20T00:00:00\.000Z",/);
    const url = '/v1/analytics/docs/export?report=events&format=ndjson';
    const events = (await test.app.inject({ method: 'GET', url, headers: admin })).body;
    const rows = events
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ kind }) => kind)).toContain('search');
    expect(events).not.toMatch(/secret|203\.0\.113/);
    const pages = await call('GET', '/v1/analytics/docs/export?report=pages&browser=Firefox');
    expect(pages.body).toMatch(
      /^"path","title","views","aiViews","requests","visitors","averageMs","exits","thumbsUp","thumbsDown","lastUpdated"\r\n/,
    );
    expect(pages.body).toMatch(/\r\n"\/guides\/start",/);
    expect((await read('export?report=passwords')).code).toBe('invalid_request');
    const other = await addKey(test, await addOrganization(test), { kind: 'admin' });
    expect(
      (await call('GET', '/v1/analytics/docs/export?report=events', undefined, other.headers))
        .statusCode,
    ).toBe(404);
  });
});

describe('the analytics of a site', () => {
  const settings = '/v1/project/docs/analytics-settings';

  it('follow the settings for search queries and for counting at all', async () => {
    const words = async () =>
      (await read('searches?limit=100')).searches.map(
        (row: { searchQuery: string }) => row.searchQuery,
      );
    const change = async (changes: object) => {
      expect((await call('PATCH', settings, changes)).json()).toMatchObject(changes);
      test.deps.clock.advance(10);
    };
    await change({ searchQueries: 'hash' });
    await send([{ t: 'search', query: 'my name', results: 1 }]);
    await send([{ t: 'search', query: 'My Name', results: 1 }]);
    await change({ searchQueries: 'drop' });
    await send([{ t: 'search', query: 'my name', results: 1 }]);
    expect(await words()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^#[\w-]{16}$/), '']),
    );
    expect((await words()).join()).not.toContain('name');
    const before = (await read('views')).totals.total;
    await change({ enabled: false });
    await send([{ t: 'page' }]);
    expect((await read('views')).totals.total).toBe(before);
    await change({ enabled: true });
    expect((await call('PATCH', settings, { eventDays: 1 })).json().code).toBe('invalid_request');
    expect((await call('PATCH', settings, { enabled: false }, reader)).json().code).toBe(
      'scope_missing',
    );
  });

  it('can be deleted only with write access', async () => {
    expect((await call('DELETE', '/v1/analytics/docs', undefined, reader)).json().code).toBe(
      'scope_missing',
    );
    expect((await call('DELETE', '/v1/analytics/docs?dateTo=2026-11-01')).json()).toEqual({
      deletedEvents: 0,
      deletedFeedback: 0,
    });
    expect((await call('DELETE', '/v1/analytics/docs')).json().deletedEvents).toBeGreaterThan(0);
    expect((await read('views')).totals.total).toBe(0);
  });
});
