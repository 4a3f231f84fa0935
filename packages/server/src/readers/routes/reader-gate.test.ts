import { randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Call, callDeclared } from '../../../../../test/support/declared.ts';
import { fixtureSite, tarball } from '../../../../../test/support/http.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../../test/support/test-app.ts';
import { publishSite } from '../../publishing/publish-site.ts';
import { openLiveSites } from '../../serving/open-live-sites.ts';
import { siteRoutes } from '../../serving/routes.ts';
import { buildApp } from '../../start/http-app.ts';
import { createReaderSessions } from '../sessions/reader-sessions.ts';

const PASSWORD = 'correct horse battery';

let test: TestApp;
let app: FastifyInstance;
let operator: Actor;
let headers: Record<string, string>;
let deps: TestApp['deps'];
let slug: string;
let siteId: string;

const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };
const source = tarball(fixtureSite('small'));

beforeAll(async () => {
  test = await openTestApp();
  deps = { ...test.deps, liveSites: Object.assign(openLiveSites(test.deps), { add: () => {} }) };
  app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
  await addPublishedSite();
});
afterAll(async () => {
  await app.close();
  await test.close();
});
beforeEach(async () => {
  await deps.database.queries.deleteFrom('reader_sessions').execute();
  await change({ visibility: 'private', sessionDays: 7, password: { password: PASSWORD } });
  test.deps.clock.advance(2);
});

async function addPublishedSite(): Promise<void> {
  slug = `r${randomUUID().slice(0, 8)}`;
  ({ siteId } = await addSite(test, operator, slug));
  await publish();
}

const call = (method: Call['method'], url: string, payload?: object, as = headers) =>
  callDeclared(app, {
    method,
    url: `/v1/projects/${slug}/${url}`,
    headers: as,
    ...(payload && { payload }),
  });

async function change(payload: object): Promise<void> {
  const answer = await call('PATCH', 'access', payload);
  expect(answer.statusCode, answer.body).toBe(200);
}

async function publish(preview?: string): Promise<void> {
  test.deps.clock.advance(10);
  const url = `/v1/project/${slug}/source${preview === undefined ? '' : `?preview=${preview}`}`;
  const sent = { ...headers, 'content-type': 'application/gzip' };
  const answer = await callDeclared(app, {
    method: 'PUT',
    url,
    headers: sent,
    payload: Buffer.from(source),
  });
  await publishSite(deps, answer.json().statusId, context);
}

const host = () => `${slug}.localhost:3000`;
const visit = (url = '/guides/install', more: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: host(), accept: 'text/html', ...more } });

const signIn = (
  form: Record<string, string>,
  more: Record<string, string> = {},
  remoteAddress = '127.0.0.1',
) =>
  app.inject({
    method: 'POST',
    url: '/login',
    remoteAddress,
    headers: {
      host: host(),
      origin: `http://${host()}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...more,
    },
    payload: new URLSearchParams(form).toString(),
  });

let network = 0;

/** Signs in, and returns the cookie of the session. */
async function session(
  password = PASSWORD,
  more: Record<string, string> = {},
): Promise<{ cookie: string }> {
  const answer = await signIn({ password }, more);
  expect(answer.statusCode, answer.body).toBe(303);
  return { cookie: String(answer.headers['set-cookie']).split(';')[0] as string };
}

describe('a private site', () => {
  it('shows nothing to nobody: a browser is sent to the sign-in, everything else gets 401', async () => {
    for (const path of ['/guides/install', '/', '/nowhere', '/guides/install?a=1&b=%2F']) {
      const answer = await visit(path);
      const redirect =
        path === '/' ? '/login' : `/login?${new URLSearchParams({ redirect: path })}`;
      expect([path, answer.statusCode, answer.headers.location, answer.body]).toEqual([
        path,
        303,
        redirect,
        '',
      ]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(answer.headers.vary).toContain('cookie');
    }
    for (const path of [
      '/guides/install.md',
      '/llms.txt',
      '/llms-full.txt',
      '/sitemap.xml',
      '/robots.txt',
      '/skill.md',
      '/_docent/x.js',
    ]) {
      const answer = await visit(path, { accept: '*/*' });
      expect([path, answer.statusCode, answer.json().code]).toEqual([
        path,
        401,
        'sign_in_required',
      ]);
    }
    const mcp = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: host(), accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(mcp.statusCode).toBe(401);
  });

  it('has its own search scripts and preview pictures behind the sign-in too', async () => {
    const reader = await session();
    const page = (await visit('/guides/install', reader)).body;
    const script = /_docent\/search-index-[0-9a-z-]+\.js/.exec(page)?.[0];
    expect((await visit(`/${script}`, reader)).statusCode).toBe(200);
    expect((await visit(`/${script}`, { accept: '*/*' })).statusCode).toBe(401);
    const picture = await app.inject({
      url: `/sites/${slug}/_docent/og/guides/install.png`,
      headers: { host: 'localhost:3000' },
    });
    expect(picture.statusCode).toBe(401);
  });

  it('opens with its password, leads back to the requested page, and is kept from shared caches', async () => {
    const form = await visit('/login?redirect=%2Fguides%2Finstall%3Fa%3D1');
    expect([form.statusCode, form.headers['referrer-policy']]).toEqual([200, 'same-origin']);
    expect(form.body).toContain('name="redirect" value="/guides/install?a=1"');
    const answer = await signIn({ password: PASSWORD, redirect: '/guides/install?a=1' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/guides/install?a=1']);
    const setCookie = String(answer.headers['set-cookie']);
    expect(setCookie).toMatch(
      new RegExp(
        `^docent-reader-${siteId.toLowerCase()}=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax$`,
      ),
    );
    const page = await visit('/guides/install', { cookie: setCookie.split(';')[0] as string });
    expect(page.body).toContain('apt-get');
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(page.headers.vary).toContain('cookie');
    const again = await visit('/login?redirect=/guides/install', {
      cookie: setCookie.split(';')[0] as string,
    });
    expect([again.statusCode, again.headers.location]).toEqual([303, '/guides/install']);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/login?redirect=/',
    '/logout',
    `/${'x'.repeat(3000)}`,
  ])('leads nowhere else after the sign-in: %s', async (redirect) => {
    expect((await signIn({ password: PASSWORD, redirect })).headers.location).toBe('/');
    expect((await visit(`/login?${new URLSearchParams({ redirect })}`)).body).toContain(
      'name="redirect" value="/"',
    );
  });

  it.each([
    ['/a\r\nset-cookie: a=b', '/a%0D%0Aset-cookie:%20a=b'],
    ['/\t/evil.example', '/%09/evil.example'],
    ['/caf\u00e9', '/caf%C3%A9'],
  ])(
    'writes the characters of a path so that no header ends and no host begins: %j',
    async (redirect, location) => {
      expect((await signIn({ password: PASSWORD, redirect })).headers.location).toBe(location);
    },
  );

  it('refuses a wrong password, and after 20 of them from an address the right one too; right ones count nothing', async () => {
    for (let time = 0; time < 25; time += 1) await session();
    const guesses: number[] = [];
    for (let guess = 1; guess <= 20; guess += 1)
      guesses.push((await signIn({ password: 'x'.repeat(300) }, {}, '192.0.2.7')).statusCode);
    expect(guesses).toEqual(Array(20).fill(403));
    const past = await signIn({ password: PASSWORD }, {}, '192.0.2.7');
    expect([
      past.statusCode,
      Number(past.headers['retry-after']) > 0,
      past.headers['set-cookie'],
    ]).toEqual([429, true, undefined]);
  });

  it('locks no reader out while strangers guess from many addresses, and leaves each address 5 attempts', async () => {
    const wrong = { password: 'x'.repeat(300) };
    // Another network if the test runs again: the attempts of the former one still count.
    network += 1;
    const statuses: number[] = [];
    for (let host = 1; host <= 20; host += 1)
      for (let guess = 1; guess <= 20; guess += 1)
        statuses.push((await signIn(wrong, {}, `10.${network}.0.${host}`)).statusCode);
    expect(statuses[0]).toBe(403);
    const guesses: number[] = [];
    for (let guess = 1; guess <= 6; guess += 1)
      guesses.push((await signIn(wrong, {}, `10.${network}.1.7`)).statusCode);
    expect(guesses).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await signIn({ password: PASSWORD }, {}, `10.${network}.1.8`)).statusCode).toBe(303);
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ])('takes no form that a page of another origin sends: %j', async (more) => {
    expect((await signIn({ password: PASSWORD }, more)).statusCode).toBe(403);
  });

  it('starts each session with a token of its own and ends the former one of the browser', async () => {
    const fixed = { cookie: `docent-reader-${siteId.toLowerCase()}=${'A'.repeat(43)}` };
    expect((await visit('/guides/install', fixed)).statusCode).toBe(303);
    const first = await session(PASSWORD, fixed);
    expect(first.cookie).not.toBe(fixed.cookie);
    const second = await session(PASSWORD, first);
    expect(second.cookie).not.toBe(first.cookie);
    test.deps.clock.advance(5);
    expect((await visit('/guides/install', first)).statusCode).toBe(303);
    expect((await visit('/guides/install', second)).statusCode).toBe(200);
  });

  it('reads the session of the reader although another host of the domain set a cookie of the same name', async () => {
    const { cookie } = await session();
    const name = cookie.split('=')[0];
    const tossed = `${name}=${'B'.repeat(43)}; ${cookie}`;
    expect((await visit('/guides/install', { cookie: tossed })).statusCode).toBe(200);
  });

  it('accepts neither the token of another site nor its hash', async () => {
    const { cookie } = await session();
    const token = cookie.split('=')[1] as string;
    const stored = await deps.database.queries
      .selectFrom('reader_sessions')
      .selectAll()
      .where('site_id', '=', siteId)
      .execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token);
    const former = { slug, siteId };
    await addPublishedSite();
    await change({ visibility: 'private', password: { password: PASSWORD } });
    expect(siteId).not.toBe(former.siteId);
    for (const value of [token, stored[0]?.token_hash])
      expect(
        (
          await visit('/guides/install', {
            cookie: `docent-reader-${siteId.toLowerCase()}=${value}`,
          })
        ).statusCode,
      ).toBe(303);
  });

  it('ends all sessions with another password, and none by other changes', async () => {
    const reader = await session();
    await change({ sessionDays: 3 });
    expect((await visit('/guides/install', reader)).statusCode).toBe(200);
    await change({ password: { password: 'another password' } });
    expect((await visit('/guides/install', reader)).statusCode).toBe(303);
    expect((await signIn({ password: PASSWORD })).statusCode).toBe(403);
    expect((await visit('/guides/install', await session('another password'))).statusCode).toBe(
      200,
    );
  });

  it('ends a session in every process, when it expires, and by the owner: one or all, without its token', async () => {
    const elsewhere = createReaderSessions(deps);
    const [first, second, third] = [await session(), await session(), await session()];
    const token = (reader: { cookie: string }) => reader.cookie.split('=')[1] as string;
    expect(await elsewhere.find(siteId, token(first))).toMatchObject({
      reader: { id: 'password', groups: [] },
    });
    const listed = await call('GET', 'reader-sessions?limit=2');
    expect(listed.json()).toMatchObject({
      hasMore: true,
      items: [{ method: 'password', name: null }, { method: 'password' }],
    });
    const ids = async () =>
      (await call('GET', 'reader-sessions')).json().items.map(({ id }: { id: string }) => id);
    const [, , oldest] = await ids();
    expect((await call('DELETE', `reader-sessions/${oldest}`)).statusCode).toBe(204);
    expect((await call('DELETE', `reader-sessions/${oldest}`)).json().code).toBe(
      'reader_session_not_found',
    );
    const states = async () => {
      test.deps.clock.advance(3);
      return Promise.all(
        [first, second, third].map(
          async (reader) => (await visit('/guides/install', reader)).statusCode,
        ),
      );
    };
    expect((await states()).filter((status) => status === 200)).toHaveLength(2);
    expect((await call('DELETE', 'reader-sessions')).json()).toEqual({ ended: 2 });
    expect(await states()).toEqual([303, 303, 303]);
    expect(await elsewhere.find(siteId, token(second))).toBeUndefined();
    const last = await session();
    test.deps.clock.advance(7 * 24 * 3600 - 10);
    expect((await visit('/guides/install', last)).statusCode).toBe(200);
    test.deps.clock.advance(10);
    expect((await visit('/guides/install', last)).statusCode).toBe(303);
  });

  it('signs a reader out at once, and asks first if the reader comes from elsewhere', async () => {
    const reader = await session();
    const lured = await visit('/logout', { ...reader, 'sec-fetch-site': 'cross-site' });
    expect([lured.statusCode, lured.headers['set-cookie']]).toEqual([200, undefined]);
    expect(lured.body).toContain('action="/logout"');
    expect((await visit('/guides/install', reader)).statusCode).toBe(200);
    const prefetch = await visit('/logout', {
      ...reader,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
    });
    expect(prefetch.headers['set-cookie']).toBeUndefined();
    const left = await visit('/logout', {
      ...reader,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
    });
    expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await visit('/guides/install', reader)).statusCode).toBe(303);
  });

  it('opens nothing to a key that may be public, and searches for members', async () => {
    const assistant = await addKey(test, operator, { kind: 'assistant', site: slug });
    const search = (as: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: `/v1/search/${slug}`,
        headers: as,
        payload: { query: 'install' },
      });
    const refused = await search(assistant.headers);
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'sign_in_required']);
    await change({ visibility: 'public' });
    test.deps.clock.advance(2);
    expect((await search(assistant.headers)).statusCode).toBe(200);
  });

  it('keeps its previews for members, unless they have a password', async () => {
    await publish('next');
    await publish('shared');
    await call('PATCH', 'previews/shared', { password: 'password of a preview' });
    const preview = (name: string, path = '/guides/install', more = {}) =>
      app.inject({
        url: path,
        headers: { host: `${name}--${host()}`, accept: 'text/html', ...more },
      });
    expect((await preview('next')).body).toContain('This preview is for members');
    expect((await preview('shared')).body).toContain('Enter its password');
    const { pathname, search } = new URL(
      (await call('GET', 'previews/next/open?path=%2Fguides%2Finstall')).json().url,
    );
    const opened = await preview('next', pathname + search);
    const cookie = String(opened.headers['set-cookie']).split(';')[0];
    expect((await preview('next', '/guides/install', { cookie })).body).toContain('apt-get');
  });

  it('takes no session on the address of the platform, whose cookies all sites share, and says where it is open', async () => {
    const { cookie } = await session();
    const answer = await app.inject({
      url: `/sites/${slug}/guides/install`,
      headers: { host: '127.0.0.1:3000', accept: 'text/html', cookie },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain(`href="http://${host()}"`);
    expect(answer.body).not.toContain('apt-get');
    const login = await app.inject({
      method: 'POST',
      url: `/sites/${slug}/login`,
      headers: {
        host: '127.0.0.1:3000',
        origin: 'http://127.0.0.1:3000',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ password: PASSWORD }).toString(),
    });
    expect(login.statusCode).toBe(404);
  });
});

describe('a public site', () => {
  it('has pages at /login and /logout like any other, until readers can sign in', async () => {
    await change({ visibility: 'public', password: null });
    test.deps.clock.advance(2);
    expect((await visit('/login')).statusCode).toBe(404);
    expect((await signIn({ password: PASSWORD })).statusCode).toBe(404);
    expect((await visit()).headers['cache-control']).toContain('public');
    expect((await visit()).headers.vary).not.toContain('cookie');
  });

  it('is read by everybody although readers can sign in; what a reader gets is kept from shared caches', async () => {
    await change({ visibility: 'public' });
    test.deps.clock.advance(2);
    const nobody = await visit();
    expect([nobody.statusCode, nobody.headers['cache-control']]).toEqual([
      200,
      expect.stringContaining('public'),
    ]);
    expect(nobody.headers.vary).toContain('cookie');
    const reader = await visit('/guides/install', await session());
    expect([reader.statusCode, reader.headers['cache-control']]).toEqual([
      200,
      'private, no-cache',
    ]);
  });
});

describe('who may read a site', () => {
  it('is returned without secrets, and is stored without the password', async () => {
    const access = await call('GET', 'access');
    expect(access.json()).toMatchObject({
      visibility: 'private',
      sessionDays: 7,
      password: { changedAt: expect.any(String) },
      addresses: { login: `http://${host()}/login`, logout: `http://${host()}/logout` },
    });
    const stored = await deps.database.queries
      .selectFrom('site_access')
      .selectAll()
      .where('site_id', '=', siteId)
      .execute();
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  });

  it('cannot be nobody: a private site needs a way to sign in, and an address of its own', async () => {
    const refused = await call('PATCH', 'access', { password: null });
    expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, '/visibility']);
    expect(
      (await call('PATCH', 'access', { password: { password: 'short' } })).json().errors[0].path,
    ).toBe('/password/password');
    expect((await visit('/guides/install', await session())).statusCode).toBe(200);
  });

  it('is changed by admins only, and every change is in the audit log, without the password', async () => {
    const reading = (await addKey(test, operator, { kind: 'admin', scopes: ['read'] })).headers;
    expect((await call('PATCH', 'access', { visibility: 'public' }, reading)).statusCode).toBe(403);
    expect((await call('GET', 'access', undefined, reading)).statusCode).toBe(200);
    const log = (await app.inject({ url: '/v1/audit-log?limit=5', headers })).json();
    const outcomes = log.items.filter(
      ({ action }: { action: string }) => action === 'changeSiteAccess',
    );
    expect(outcomes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      expect.arrayContaining(['refused', 'done']),
    );
    expect(JSON.stringify(outcomes)).not.toContain(PASSWORD);
    const { changes } = outcomes.find(({ outcome }: { outcome: string }) => outcome === 'done');
    expect(changes.map(({ field }: { field: string }) => field)).toContain('password');
  });
});
