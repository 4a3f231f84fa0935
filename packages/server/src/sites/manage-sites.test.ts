import { randomUUID } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../../../test/support/collect.ts';
import { type Call, callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { openLiveSites } from '../serving/open-live-sites.ts';
import { createSite } from './create-site.ts';

let test: TestApp;
let operator: Actor;
let headers: Record<string, string>;
let stranger: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp();
  operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  stranger = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
});
afterAll(() => test.close());

const call = (
  method: Call['method'],
  path: string,
  payload?: object,
  more: Record<string, string> = {},
) =>
  callDeclared(test.app, {
    method,
    url: `/v1/projects${path}`,
    headers: { ...headers, ...more },
    ...(payload && { payload }),
  });
const newSlug = () => `site-${randomUUID().slice(0, 8)}`;
const newSite = async (pages: string[] = []) => {
  const slug = newSlug();
  return { slug, ...(await addSite(test, operator, slug, pages)) };
};

describe('a site', () => {
  it('is identified by its slug, project id or default hostname, and returned with state, slug and ETag', async () => {
    const { slug, siteId } = await newSite();
    for (const name of [slug, siteId, `${slug}.localhost`]) {
      const found = await call('GET', `/${name}`);
      expect(found.json()).toMatchObject({
        projectId: siteId,
        slug,
        state: 'empty',
        live: null,
        lastDeployment: null,
      });
      expect(found.headers.etag).toMatch(/^"[0-9a-f]{16}"$/);
    }
  });

  it('shows its live deployment and the state of its last deployment', async () => {
    const { slug, deploymentId } = await newSite(['index']);
    expect((await call('GET', `/${slug}`)).json()).toMatchObject({
      state: 'publishing',
      live: { id: deploymentId },
      lastDeployment: { id: deploymentId, status: 'queued', endReason: null },
    });
  });

  it.each(['GET', 'PATCH', 'DELETE'] as const)(
    'of another organization returns 404 for %s, by slug and by project id',
    async (method) => {
      const { slug, siteId } = await newSite();
      for (const name of [slug, siteId]) {
        const answer = await call(
          method,
          `/${name}?confirm=${slug}`,
          method === 'PATCH' ? { name: 'Mine' } : undefined,
          stranger,
        );
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'site_not_found']);
      }
    },
  );
});

describe('changing a site', () => {
  it('shows the name in docs.json at once when the chosen name is removed', async () => {
    const { slug } = await newSite(['index']);
    const named = (await test.deps.liveSites.find(slug))?.build.config.name;
    expect((await call('PATCH', `/${slug}`, { name: 'Chosen' })).json().name).toBe('Chosen');
    expect((await call('PATCH', `/${slug}`, { name: null })).json().name).toBe(named);
    expect(named).toEqual(expect.any(String));
  });

  it('keeps omitted settings, and is not possible with an assistant key', async () => {
    const { slug } = await newSite();
    const changed = await call('PATCH', `/${slug}`, {
      name: 'Chosen',
      settings: { noindex: true },
    });
    expect(changed.json()).toMatchObject({
      slug,
      name: 'Chosen',
      settings: { noindex: true, publicUrl: null },
    });
    await call('PATCH', `/${slug}`, { settings: { publicUrl: 'https://acme.example/docs/' } });
    const publicUrl = 'https://acme.example/docs';
    expect((await call('GET', `/${slug}`)).json()).toMatchObject({
      settings: { noindex: true, publicUrl },
      url: publicUrl,
    });
    const assistant = await addKey(test, operator, { kind: 'assistant', site: slug });
    expect((await call('PATCH', `/${slug}`, { name: 'No' }, assistant.headers)).json().code).toBe(
      'wrong_key_kind',
    );
  });

  it('is rejected with 412 after another change, and succeeds with the current ETag', async () => {
    const { slug } = await newSite();
    const known = (await call('GET', `/${slug}`)).headers.etag as string;
    await call('PATCH', `/${slug}`, { name: 'Theirs' });
    const late = await call('PATCH', `/${slug}`, { name: 'Mine' }, { 'if-match': known });
    expect([late.statusCode, late.json().code]).toEqual([412, 'precondition_failed']);
    const now = await call('GET', `/${slug}`);
    expect(now.json().name).toBe('Theirs');
    const again = await call(
      'PATCH',
      `/${slug}`,
      { name: 'Mine' },
      { 'if-match': `"old", ${now.headers.etag}` },
    );
    expect(again.json().name).toBe('Mine');
  });

  it.each([
    [{ slug: 'Bad Slug' }],
    [{ slug: 'a--b' }],
    [{ name: '' }],
    [{ settings: { other: 1 } }],
    [{ unknown: 1 }],
  ])('to %j is rejected with 400', async (changes) => {
    const { slug } = await newSite();
    expect((await call('PATCH', `/${slug}`, changes)).statusCode).toBe(400);
  });

  it('to a new slug keeps the old slug as a reserved alias', async () => {
    const { slug, siteId } = await newSite();
    const next = newSlug();
    expect((await call('PATCH', `/${slug}`, { slug: next })).json()).toMatchObject({
      slug: next,
      projectId: siteId,
    });
    expect((await call('GET', `/${slug}`)).json().slug).toBe(next);
    const foreign = await callDeclared(test.app, {
      method: 'POST',
      url: '/v1/projects',
      headers: stranger,
      payload: { slug },
    });
    expect([foreign.statusCode, foreign.json().code]).toEqual([409, 'site_exists']);
    expect((await call('PATCH', `/${next}`, { slug })).json().slug).toBe(slug);
  });

  it('cannot claim the slug of another site, but a new site can claim a former slug of its organization', async () => {
    const [one, other] = [await newSite(), await newSite()];
    expect((await call('PATCH', `/${one.slug}`, { slug: other.slug })).json().code).toBe(
      'site_exists',
    );
    await call('PATCH', `/${one.slug}`, { slug: newSlug() });
    const created = await createSite(test.deps, operator, { slug: one.slug, hostnames: [] });
    expect((await call('GET', `/${one.slug}`)).json().projectId).toBe(created.id);
  });

  it('has exactly one winner if several sites claim the same slug concurrently', async () => {
    const sites = await Promise.all([newSite(), newSite(), newSite()]);
    const slug = newSlug();
    const answers = await Promise.all(
      sites.map((site) => call('PATCH', `/${site.siteId}`, { slug })),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409, 409]);
  });

  it('to a new slug redirects readers from the old address, with path and query', async () => {
    const { slug } = await newSite(['index']);
    const next = newSlug();
    await call('PATCH', `/${slug}`, { slug: next });
    const site = await test.deps.liveSites.find(slug);
    Object.assign(site ?? {}, { slug: next });
    test.deps.liveSites.find = async () => site;
    const answer = await test.app.inject({
      url: '/guides/start?a=%20b',
      headers: { host: `${slug}.localhost:3000` },
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([
      308,
      `http://${next}.localhost:3000/guides/start?a=%20b`,
    ]);
  });
});

describe('deleting a site', () => {
  it('requires its slug as confirmation', async () => {
    const { slug } = await newSite();
    for (const query of ['', '?confirm=', '?confirm=other']) {
      const answer = await call('DELETE', `/${slug}${query}`);
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, '/confirm']);
    }
    expect((await call('GET', `/${slug}`)).statusCode).toBe(200);
  });

  it('removes its rows, keys and files, keeps other sites, and writes an audit row', async () => {
    const [gone, kept] = [await newSite(['index']), await newSite(['index'])];
    for (const site of [gone, kept]) {
      await test.deps.blobs.put(`uploads/${site.deploymentId}.tar.gz`, Buffer.from('source'));
      await test.deps.blobs.put(`cache/pages/${site.siteId}`, Buffer.from('pages'));
      await test.deps.blobs.put(`outside/${site.siteId}/a`, Buffer.from('copy'));
    }
    const key = await addKey(test, operator, { kind: 'assistant', site: gone.slug });
    expect((await call('DELETE', `/${gone.slug}?confirm=${gone.slug}`)).statusCode).toBe(204);
    expect((await call('GET', `/${gone.siteId}`)).statusCode).toBe(404);
    const { queries } = test.deps.database;
    const deployments = await queries
      .selectFrom('deployments')
      .select('id')
      .where('site_id', '=', gone.siteId)
      .execute();
    const keys = await queries
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', key.id)
      .execute();
    expect([deployments, keys]).toEqual([[], []]);
    const files = [
      ...(await collect(test.deps.blobs.list('uploads/'))),
      ...(await collect(test.deps.blobs.list('outside/'))),
    ];
    expect(
      files.some((file) => file.includes(gone.siteId) || file.includes(gone.deploymentId)),
    ).toBe(false);
    expect(files).toEqual(
      expect.arrayContaining([`uploads/${kept.deploymentId}.tar.gz`, `outside/${kept.siteId}/a`]),
    );
    expect((await call('GET', `/${kept.slug}`)).statusCode).toBe(200);
    const log = await callDeclared(test.app, {
      method: 'GET',
      url: '/v1/audit-log?action=deleteProject',
      headers,
    });
    expect(log.json().items).toContainEqual(
      expect.objectContaining({ thing: gone.slug, outcome: 'done' }),
    );
  });

  it('takes effect in every process within a second, even if the site is cached there', async () => {
    const { slug, deploymentId } = await newSite(['index']);
    const { queries } = test.deps.database;
    await test.deps.blobs.put('manifests/m', Buffer.from(JSON.stringify({ pages: [] })));
    await queries
      .updateTable('deployments')
      .set({ status: 'success', manifest_key: 'manifests/m', build_id: 'b' })
      .where('id', '=', deploymentId)
      .execute();
    const other = openLiveSites(test.deps);
    expect(await other.find(slug)).toBeDefined();
    await call('DELETE', `/${slug}?confirm=${slug}`);
    test.deps.clock.advance(1);
    expect(await other.find(slug)).toBeUndefined();
  });
});

describe('the list of sites', () => {
  it('is read page by page, ordered by slug, and a wrong cursor is rejected', async () => {
    const owner = await addOrganization(test);
    const own = (await addKey(test, owner, { kind: 'admin' })).headers;
    const prefix = newSlug();
    for (const name of ['b', 'a', 'c']) await addSite(test, owner, `${prefix}-${name}`);
    const list = (query: string) =>
      callDeclared(test.app, { method: 'GET', url: `/v1/projects${query}`, headers: own });
    const first = (await list('?limit=2')).json();
    expect(first.items.map((site: { slug: string }) => site.slug)).toEqual([
      `${prefix}-a`,
      `${prefix}-b`,
    ]);
    expect(first.projects).toEqual(first.items);
    const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).json();
    expect(second).toMatchObject({
      items: [{ slug: `${prefix}-c` }],
      nextCursor: null,
      hasMore: false,
    });
    expect((await list('?cursor=%00')).statusCode).toBe(400);
  });
});
