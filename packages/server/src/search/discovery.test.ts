import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

let test: TestApp;
let headers: Record<string, string>;
let adminHeaders: Record<string, string>;
beforeAll(async () => {
  test = await openTestApp();
  const operator = await addOrganization(test);
  await addSite(test, operator, 'docs', ['guides/install', 'guides/publish', 'index']);
  await addSite(test, operator, 'other', ['index']);
  headers = (await addKey(test, operator, { kind: 'assistant', site: 'docs' })).headers;
  adminHeaders = (await addKey(test, operator, { kind: 'admin' })).headers;
});
afterAll(() => test.close());

const call = (
  operation: 'search' | 'page',
  payload: object,
  key = headers,
  domain = 'docs',
  prefix = '/discovery',
) =>
  callDeclared(test.app, {
    method: 'POST',
    url: `${prefix}/v1/${operation}/${domain}`,
    headers: { 'content-type': 'application/json', ...key },
    payload,
  });

describe('search', () => {
  it('returns pages best first, each with its score, its URL and the matching text', async () => {
    const found = (await call('search', { query: 'install' })).json();
    expect(found[0]).toMatchObject({
      path: 'guides/install',
      content: expect.any(String),
      metadata: { title: 'guides/install', url: expect.stringMatching(/^http.*guides\/install/) },
    });
    const scores = found.map((one: { metadata: { score: number } }) => one.metadata.score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  it('returns at most the requested number of pages, and none below the score threshold', async () => {
    expect((await call('search', { query: 'guides', pageSize: 1 })).json()).toHaveLength(1);
    const found = (await call('search', { query: 'install', scoreThreshold: 1 })).json();
    expect(found.every((one: { metadata: { score: number } }) => one.metadata.score >= 1)).toBe(
      true,
    );
  });

  it('accepts a query of any length, and searches its first 400 characters', async () => {
    const padded = (length: number) => call('search', { query: `${' '.repeat(length)}install` });
    expect((await padded(390)).json()).not.toEqual([]);
    for (const length of [400, 100_000]) expect((await padded(length)).json()).toEqual([]);
  });

  it('returns plain-text highlights with the ranges of matching words', async () => {
    const [{ metadata }] = (await call('search', { query: 'install' })).json();
    const [{ text, ranges }] = metadata.highlights;
    expect(ranges.map(([start, end]: [number, number]) => text.slice(start, end))).toEqual([
      'install',
    ]);
  });

  it('returns an empty list without an error if nothing matches', async () => {
    const response = await call('search', { query: 'zzqxv' });
    expect([response.statusCode, response.json()]).toEqual([200, []]);
  });

  it.each([
    [{}, '/query'],
    [{ query: '' }, '/query'],
    [{ query: 'a', pageSize: 51 }, '/pageSize'],
    [{ query: 'a', scoreThreshold: 2 }, '/scoreThreshold'],
  ])('rejects %j with a pointer', async (payload, path) => {
    const response = await call('search', payload);
    expect([response.statusCode, response.json().errors[0].path]).toEqual([400, path]);
  });

  it('is also available without the discovery prefix, to browsers of any origin', async () => {
    const response = await call('search', { query: 'install' }, headers, 'docs', '');
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([
      200,
      '*',
    ]);
    expect(response.headers).toHaveProperty('ratelimit');
  });

  it('accepts only an assistant key of the site', async () => {
    expect((await call('search', { query: 'a' }, adminHeaders)).json().code).toBe('wrong_key_kind');
    expect((await call('search', { query: 'a' }, headers, 'other')).json().code).toBe('wrong_site');
    expect((await call('search', { query: 'a' }, {})).statusCode).toBe(401);
  });
});

describe('the rate limits of search and page', () => {
  let limited: TestApp;
  let keyHeaders: Record<string, string>;
  beforeAll(async () => {
    limited = await openTestApp({ env: { DOCENT_LIMIT_SEARCH_PER_ORGANIZATION_HOUR: '3' } });
    const operator = await addOrganization(limited);
    await addSite(limited, operator, 'docs', ['index']);
    keyHeaders = (await addKey(limited, operator, { kind: 'assistant', site: 'docs' })).headers;
  });
  afterAll(() => limited.close());
  const send = (url: string, payload: object) =>
    callDeclared(limited.app, {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...keyHeaders },
      payload,
    });

  it('are shared by both operations and both URLs, shown in headers, and separate from the assistant', async () => {
    const first = await send('/v1/search/docs', { query: 'a' });
    expect(first.headers['ratelimit-policy']).toBe(
      '"search-organization";q=3;w=3600, "search-ip";q=10000;w=3600',
    );
    await send('/discovery/v1/page/docs', { path: 'index' });
    const third = await send('/v1/page/docs', { path: 'index' });
    expect(third.headers.ratelimit).toContain('"search-organization";r=0');
    const past = await send('/discovery/v1/search/docs', { query: 'a' });
    expect([past.statusCode, past.json().code, Number(past.headers['retry-after']) > 0]).toEqual([
      429,
      'rate_limited',
      true,
    ]);
    expect(past.json().detail).toMatch(
      /^An organization may receive 3 search and page requests an hour; try again in \d+ /,
    );
    const settings = await callDeclared(limited.app, {
      method: 'GET',
      url: '/v1/assistant/docs/settings',
      headers: keyHeaders,
    });
    expect(settings.headers.ratelimit).toContain('"assistant-organization";r=9999');
  });
});

describe('the page operation', () => {
  it.each(['guides/install', '/guides/install', '/guides/install.md', 'guides/install#step'])(
    'returns %s as Markdown',
    async (path) => {
      expect((await call('page', { path })).json()).toMatchObject({
        path: 'guides/install',
        content: expect.any(String),
      });
    },
  );

  it('returns 404 with a message for an unknown page', async () => {
    const response = await call('page', { path: '../../etc/passwd' });
    expect([response.statusCode, response.json().message]).toEqual([
      404,
      expect.stringContaining('no page'),
    ]);
  });
});
