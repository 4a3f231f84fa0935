import { randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, callDeclared } from '../../../../test/support/declared.ts';
import { fixtureSite, tarball } from '../../../../test/support/http.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { siteRoutes } from '../serving/routes.ts';
import { buildApp } from '../start/http-app.ts';
import { expirePreviews } from './manage-previews.ts';

let test: TestApp;
let app: FastifyInstance;
let operator: Actor;
let headers: Record<string, string>;
let stranger: Record<string, string>;
let deps: TestApp['deps'];

beforeAll(async () => {
  test = await openTestApp();
  const live = openLiveSites(test.deps);
  deps = { ...test.deps, liveSites: Object.assign(live, { add: () => {} }) };
  app = await buildApp(deps, { plugins: [siteRoutes(deps)] });
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin', expiresInDays: null })).headers;
  stranger = (
    await addKey(test, await addOrganization(test), { kind: 'admin', expiresInDays: null })
  ).headers;
});
afterAll(async () => {
  await app.close();
  await test.close();
});

const context = { signal: new AbortController().signal, attempt: 1, lastAttempt: false };
const source = tarball(fixtureSite('small'));

async function newSite(): Promise<{ slug: string; siteId: string }> {
  const slug = `s${randomUUID().slice(0, 8)}`;
  return { slug, ...(await addSite(test, operator, slug)) };
}

const call = (method: Call['method'], url: string, payload?: object, as = headers) =>
  callDeclared(app, {
    method,
    url: `/v1/projects/${url}`,
    headers: as,
    ...(payload && { payload }),
  });

/** Uploads a source, for a preview if one is named, and builds it. */
async function publish(
  slug: string,
  preview?: string,
): Promise<{ statusId: string; previewUrl?: string }> {
  test.deps.clock.advance(10);
  const url = `/v1/project/${slug}/source${preview === undefined ? '' : `?preview=${encodeURIComponent(preview)}`}`;
  const sent = { ...headers, 'content-type': 'application/gzip' };
  const answer = await callDeclared(app, {
    method: 'PUT',
    url,
    headers: sent,
    payload: Buffer.from(source),
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await publishSite(deps, answer.json().statusId, context);
  return answer.json();
}

const visit = (label: string, url = '/guides/install', more: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: `${label}.localhost:3000`, accept: 'text/html', ...more } });
const unlock = (label: string, password: string, to = '/guides/install') =>
  app.inject({
    method: 'POST',
    url: '/_docent/unlock',
    headers: {
      host: `${label}.localhost:3000`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ password, to }).toString(),
  });

describe('a preview', () => {
  it('serves a source at a separate address, is not live, and is hidden from search engines and shared caches', async () => {
    const { slug } = await newSite();
    const { statusId, previewUrl } = await publish(slug, 'feature/New start');
    expect(previewUrl).toBe(`http://feature-new-start--${slug}.localhost:3000`);
    const page = await visit(`feature-new-start--${slug}`);
    expect([page.statusCode, page.body.includes('apt-get')]).toEqual([200, true]);
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-cache',
    });
    expect((await visit(slug)).statusCode).toBe(404);
    expect((await call('GET', slug)).json()).toMatchObject({
      state: 'empty',
      lastDeployment: null,
    });
    const deployment = (await call('GET', `${slug}/deployments/${statusId}`)).json();
    expect(deployment).toMatchObject({
      preview: 'feature-new-start',
      isLive: false,
      canPromote: true,
    });
  });

  it('has a separate search, Markdown and sitemap, and no assistant', async () => {
    const { slug } = await newSite();
    await publish(slug);
    await publish(slug, 'next');
    const label = `next--${slug}`;
    const page = (await visit(label)).body;
    const script = /_docent\/search-index-[0-9a-z-]+\.js/.exec(page)?.[0];
    expect((await visit(label, `/${script}`)).statusCode).toBe(200);
    expect((await visit(label, '/guides/install.md')).body).toContain('apt-get');
    expect((await visit(label, '/sitemap.xml')).body).toContain(`http://${label}.localhost:3000/`);
    expect((await visit(slug, '/sitemap.xml')).body).not.toContain('next--');
    expect(page).not.toContain('_docent/events');
    expect(
      (await visit(label, '/_docent/assistant/settings', { 'sec-fetch-site': 'same-origin' }))
        .statusCode,
    ).toBe(404);
    const assistant = await addKey(test, operator, { kind: 'assistant', site: slug });
    const search = await app.inject({
      method: 'POST',
      url: `/v1/search/${label}`,
      headers: assistant.headers,
      payload: { query: 'install' },
    });
    expect(search.statusCode).toBe(404);
  });

  it('is not served on the origin of the platform', async () => {
    const { slug } = await newSite();
    await publish(slug, 'next');
    const answer = await app.inject({
      url: `/sites/next--${slug}/guides/install`,
      headers: { host: 'localhost:3000' },
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([
      308,
      `http://next--${slug}.localhost:3000/guides/install`,
    ]);
  });

  it('is independent of the live site, and a promoted deployment survives the deletion of its preview', async () => {
    const { slug } = await newSite();
    const live = await publish(slug);
    const shown = await publish(slug, 'next');
    expect((await call('GET', `${slug}/deployments/${live.statusId}`)).json().isLive).toBe(true);
    const ids = async (filter: string) =>
      (await call('GET', `${slug}/deployments?preview=${filter}`))
        .json()
        .items.map(({ id }: { id: string }) => id);
    expect([await ids('true'), await ids('false'), await ids('next')]).toEqual([
      [shown.statusId],
      [live.statusId],
      [shown.statusId],
    ]);
    await call('POST', `${slug}/deployments/${shown.statusId}/promote`);
    expect((await call('DELETE', `${slug}/previews/next`)).statusCode).toBe(204);
    expect((await visit(`next--${slug}`)).statusCode).toBe(404);
    expect((await call('GET', `${slug}/deployments/${shown.statusId}`)).json()).toMatchObject({
      isLive: true,
      preview: null,
      promotedFrom: 'next',
    });
  });

  it('is never what a rollback makes live, unless it was promoted before', async () => {
    const { slug } = await newSite();
    const [first, shown, second] = [
      await publish(slug),
      await publish(slug, 'next'),
      await publish(slug),
    ];
    const state = async () => {
      const { live } = (await call('GET', slug)).json();
      const { items } = (await call('GET', `${slug}/deployments`)).json();
      const rollback = items
        .filter((row: { canRollBack: boolean }) => row.canRollBack)
        .map(({ id }: { id: string }) => id);
      return { live: live.id, previous: live.previousId, rollback };
    };
    expect(await state()).toEqual({
      live: second.statusId,
      previous: first.statusId,
      rollback: [first.statusId],
    });
    test.deps.clock.advance(10);
    await call('POST', `${slug}/deployments/${shown.statusId}/promote`);
    const [one, preview, two] = [first.statusId, shown.statusId, second.statusId];
    expect(await state()).toEqual({ live: preview, previous: two, rollback: [two, one] });
    const third = await publish(slug);
    expect(await state()).toEqual({
      live: third.statusId,
      previous: preview,
      rollback: [two, preview, one],
    });
    await call('POST', `${slug}/deployments/${one}/promote`);
    expect(await state()).toEqual({ live: one, previous: null, rollback: [] });
  });

  it('can be rebuilt from its last source through the endpoint of the hosted service', async () => {
    const { slug } = await newSite();
    const start = (payload: object, as = headers) =>
      callDeclared(app, {
        method: 'POST',
        url: `/v1/project/preview/${slug}`,
        headers: as,
        payload,
      });
    expect((await start({ branch: 'next' })).json().code).toBe('source_missing');
    await publish(slug, 'next');
    const again = await start({ branch: 'next' });
    expect([again.statusCode, again.json().previewUrl]).toEqual([
      202,
      `http://next--${slug}.localhost:3000`,
    ]);
    expect((await start({ branch: '' })).statusCode).toBe(400);
    expect((await start({ branch: '日本' })).json().errors[0].path).toBe('/branch');
    expect((await start({ branch: 'next' }, stranger)).statusCode).toBe(404);
  });

  it('has a separate address if another branch results in the same name', async () => {
    const { slug } = await newSite();
    const [one, other] = [
      (await call('POST', `${slug}/previews`, { branch: 'feature/a' })).json(),
      (await call('POST', `${slug}/previews`, { branch: 'feature-a' })).json(),
    ];
    expect(one.name).toBe('feature-a');
    expect(other.name).toMatch(/^feature-a-[0-9a-f]{6}$/);
    expect((await call('POST', `${slug}/previews`, { branch: 'feature-a' })).json().name).toBe(
      other.name,
    );
  });

  it('disappears when it expires, and each deployment extends its lifetime', async () => {
    const { slug } = await newSite();
    await call('POST', `${slug}/previews`, { branch: 'next', lifetimeDays: 2 });
    const day = 86_400;
    await publish(slug, 'next');
    test.deps.clock.advance(1.5 * day);
    await publish(slug, 'next');
    test.deps.clock.advance(1.5 * day);
    expect((await visit(`next--${slug}`)).statusCode).toBe(200);
    test.deps.clock.advance(day);
    expect((await visit(`next--${slug}`)).statusCode).toBe(404);
    expect((await call('GET', `${slug}/previews`)).json().items).toEqual([]);
    await expirePreviews(test.deps);
    expect((await call('GET', `${slug}/deployments`)).json().items).toEqual([]);
  });

  it('of another organization returns 404 for every operation', async () => {
    const { slug } = await newSite();
    await call('POST', `${slug}/previews`, { branch: 'next' });
    const answers = [
      await call('GET', `${slug}/previews`, undefined, stranger),
      await call('POST', `${slug}/previews`, { branch: 'next' }, stranger),
      await call('DELETE', `${slug}/previews/next`, undefined, stranger),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404]);
    expect((await call('DELETE', `${slug}/previews/other`)).json().code).toBe('preview_not_found');
  });
});

describe('a password-protected preview', () => {
  async function locked(): Promise<string> {
    const { slug } = await newSite();
    await call('POST', `${slug}/previews`, { branch: 'next', password: 'correct horse' });
    await publish(slug, 'next');
    return `next--${slug}`;
  }

  it('reveals nothing before it is unlocked: no pages, files, Markdown, search or MCP', async () => {
    const label = await locked();
    for (const path of [
      '/guides/install',
      '/',
      '/llms.txt',
      '/guides/install.md',
      '/sitemap.xml',
      '/_docent/x.js',
      '/nowhere',
    ]) {
      const answer = await visit(label, path);
      expect([path, answer.statusCode, answer.body.includes('apt-get')]).toEqual([
        path,
        403,
        false,
      ]);
      expect(answer.body).toContain('<form method="post" action="/_docent/unlock">');
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
    }
    const program = await visit(label, '/guides/install.md', { accept: 'text/markdown' });
    expect([program.statusCode, program.json().code]).toEqual([403, 'preview_locked']);
    const mcp = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { host: `${label}.localhost:3000`, accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    expect(mcp.statusCode).toBe(403);
  });

  it('that is for members only is closed to everyone else, and opens for them for a minute, without a password', async () => {
    const label = await locked();
    const [name = '', slug = ''] = label.split('--');
    const change = (body: object) => call('PATCH', `${slug}/previews/${name}`, body);
    expect((await change({ membersOnly: true, password: 'correct horse' })).statusCode).toBe(400);
    expect((await change({ membersOnly: true })).json()).toMatchObject({
      membersOnly: true,
      hasPassword: false,
    });
    const closed = await visit(label, '/guides/install?a=1');
    expect(closed.statusCode).toBe(403);
    expect(closed.body).toMatch(
      /href="[^"]+\/dashboard\/[a-z0-9-]+\/s[0-9a-f]{8}\/previews\/next\/open\?path=%2Fguides%2Finstall%3Fa%3D1"/,
    );
    expect((await unlock(label, 'correct horse')).statusCode).toBe(403);
    const opened = async (path = '/guides/install') =>
      new URL(
        (await call('GET', `${slug}/previews/${name}/open?path=${encodeURIComponent(path)}`)).json()
          .url,
      );
    const enter = ({ pathname, search }: URL, on = label) => visit(on, pathname + search);
    const address = await opened();
    expect(address.host).toBe(`${label}.localhost:3000`);
    const entered = await enter(address);
    expect([entered.statusCode, entered.headers.location]).toEqual([303, '/guides/install']);
    const cookie = String(entered.headers['set-cookie']).split(';')[0] as string;
    expect((await visit(label, '/guides/install', { cookie })).body).toContain('apt-get');
    // The token of the address is no cookie, and is of this preview.
    const token = `docent-preview=${address.searchParams.get('token')}`;
    expect((await visit(label, '/guides/install', { cookie: token })).statusCode).toBe(403);
    expect((await enter(address, await locked())).statusCode).toBe(403);
    expect(
      (await call('GET', `${slug}/previews/${name}/open?path=//evil.example`)).statusCode,
    ).toBe(400);
    expect(
      (await call('GET', `${slug}/previews/${name}/open`, undefined, stranger)).statusCode,
    ).toBe(404);
    expect((await enter(new URL(`${address.origin}/_docent/open?token=1.2&to=/`))).statusCode).toBe(
      403,
    );
    test.deps.clock.advance(61_000);
    expect((await enter(address)).statusCode).toBe(403);
    await change({ membersOnly: false });
    expect((await visit(label)).statusCode).toBe(200);
  });

  it('lists who created it and what it shows, and is changed without losing what is not named', async () => {
    const { slug } = await newSite();
    await publish(slug, 'flux');
    await call('PATCH', `${slug}/previews/flux`, { password: 'correct horse' });
    const changed = (await call('PATCH', `${slug}/previews/flux`, { lifetimeDays: 3 })).json();
    expect(changed).toMatchObject({ hasPassword: true, membersOnly: false, lifetimeDays: 3 });
    expect((await call('GET', `${slug}/previews`)).json().items).toEqual([changed]);
    const actor = { kind: 'key', name: 'test' };
    expect(changed).toMatchObject({
      createdBy: actor,
      lastDeployment: { status: 'success', commit: null, actor, source: 'api' },
    });
    expect((await call('PATCH', `${slug}/previews/none`, { lifetimeDays: 3 })).statusCode).toBe(
      404,
    );
  });

  it('is unlocked in one browser, on one host, until the password changes', async () => {
    const label = await locked();
    const right = await unlock(label, 'correct horse', '/guides/install?a=1');
    expect([right.statusCode, right.headers.location]).toEqual([303, '/guides/install?a=1']);
    const cookie = String(right.headers['set-cookie']);
    expect(cookie).toMatch(/^docent-preview=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const unlocked = { cookie: cookie.split(';')[0] as string };
    expect((await visit(label, '/guides/install', unlocked)).body).toContain('apt-get');
    const other = await locked();
    expect((await visit(other, '/guides/install', unlocked)).statusCode).toBe(403);
    await call('POST', `${label.split('--')[1]}/previews`, {
      branch: 'next',
      password: 'another one',
    });
    expect((await visit(label, '/guides/install', unlocked)).statusCode).toBe(403);
    await call('POST', `${label.split('--')[1]}/previews`, { branch: 'next', password: null });
    expect((await visit(label)).statusCode).toBe(200);
  });

  it('rejects a wrong password, limits wrong ones to 20 per address and hour, and redirects only within its host', async () => {
    const label = await locked();
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example'])
      expect((await unlock(label, 'correct horse', to)).headers.location).toBe('/');
    const written = await unlock(label, 'correct horse', '/a\r\nset-cookie: a=b');
    expect(written.headers.location).toBe('/a%0D%0Aset-cookie:%20a=b');
    const wrong = await unlock(label, 'wrong');
    expect([wrong.statusCode, wrong.headers['set-cookie']]).toEqual([403, undefined]);
    expect(wrong.body).toContain('The password is wrong.');
    const guesses: number[] = [];
    for (let guess = 2; guess <= 20; guess += 1)
      guesses.push((await unlock(label, 'x'.repeat(300))).statusCode);
    expect(guesses).toEqual(Array(19).fill(403));
    const past = await unlock(label, 'correct horse');
    expect([past.statusCode, Number(past.headers['retry-after']) > 0]).toEqual([429, true]);
  });
});
