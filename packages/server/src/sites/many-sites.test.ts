import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { insertDeployment } from '../publishing/deployment-queries.ts';

const COUNT = 200;

let test: TestApp;
let headers: Record<string, string>;

const pad = (number: number) => String(number).padStart(3, '0');

/**
 * Site 000 is the last by name; each later site was deployed earlier; the last hundred were never
 * deployed.
 */
beforeAll(async () => {
  test = await openTestApp();
  const operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  const { queries } = test.deps.database;
  const { organizationId } = operator;
  const now = test.deps.clock.now();
  const sites = Array.from({ length: COUNT }, (_, index) => ({
    id: `site-${pad(index)}`,
    organization_id: organizationId,
    slug: `docs-${pad(index)}`,
    name:
      index < 2
        ? 'Sample'
        : index < 5
          ? `Guide to Córdoba ${pad(index)}`
          : `Product ${pad(COUNT - index)}`,
    live_deployment_id: null,
    created_at: now,
    updated_at: now,
  }));
  await queries.insertInto('sites').values(sites).execute();
  for (let index = 0; index < COUNT / 2; index++) {
    const createdAt = new Date(now.getTime() - (index + 1) * 60_000);
    const deployment = {
      id: `deployment-${pad(index)}`,
      siteId: `site-${pad(index)}`,
      sourceKey: 'uploads/a.tar.gz',
      createdAt,
    };
    await insertDeployment(queries, deployment);
  }
  const end = { status: 'failure' as const, ended_at: now };
  const built = {
    status: 'success' as const,
    ended_at: now,
    manifest_key: 'builds/a.json',
    build_id: 'a',
  };
  await queries.updateTable('deployments').set(end).where('id', '=', 'deployment-007').execute();
  await queries.updateTable('deployments').set(built).where('id', '>', 'deployment-009').execute();
  for (const id of ['deployment-010', 'deployment-011']) {
    const live = { live_deployment_id: id };
    await queries
      .updateTable('sites')
      .set(live)
      .where('id', '=', id.replace('deployment', 'site'))
      .execute();
  }
});
afterAll(() => test.close());

interface Part {
  items: { slug: string; name: string; state: string }[];
  nextCursor: string | null;
}

const list = async (query: string) =>
  (
    await callDeclared(test.app, { method: 'GET', url: `/v1/projects?${query}`, headers })
  ).json() as Part;

/** Reads all parts of a list. */
async function all(query: string): Promise<Part['items']> {
  const items: Part['items'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const part = await list(`${query}&limit=60${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...part.items);
    cursor = part.nextCursor;
  }
  return items;
}

describe('the list of two hundred sites', () => {
  it.each(['identifier', 'name', 'deployed', 'state'])(
    'contains each site once, page by page, sorted by %s',
    async (sort) => {
      const slugs = (await all(`sort=${sort}`)).map(({ slug }) => slug);
      expect(new Set(slugs).size).toBe(COUNT);
      expect(slugs).toHaveLength(COUNT);
    },
  );

  it('is sorted by identifier, name, last deployment and state', async () => {
    const first = async (sort: string) =>
      (await list(`sort=${sort}&limit=3`)).items.map(({ slug }) => slug);
    expect(await first('identifier')).toEqual(['docs-000', 'docs-001', 'docs-002']);
    expect(await first('name')).toEqual(['docs-002', 'docs-003', 'docs-004']);
    expect((await all('sort=name')).at(3)?.slug).toBe('docs-199');
    expect(await first('deployed')).toEqual(['docs-000', 'docs-001', 'docs-002']);
    expect((await all('sort=deployed')).at(COUNT / 2 - 1)?.slug).toBe('docs-099');
    expect(await first('state')).toEqual(['docs-007', 'docs-000', 'docs-001']);
    const states = (await all('sort=state')).map(({ state }) => state);
    expect(states.slice(0, 13)).toEqual([
      'failing',
      ...Array(9).fill('publishing'),
      'live',
      'live',
      'empty',
    ]);
  });

  it('is searched by words in names and identifiers, and filtered by state', async () => {
    expect((await list('q=sample')).items.map(({ slug }) => slug)).toEqual([
      'docs-000',
      'docs-001',
    ]);
    expect((await list('q=product%20sample')).items).toEqual([]);
    expect((await list('q=190%20PROD')).items.map(({ slug }) => slug)).toEqual([
      'docs-010',
      'docs-190',
    ]);
    expect((await list('q=%25')).items).toEqual([]);
    expect((await list('state=failing')).items.map(({ slug }) => slug)).toEqual(['docs-007']);
    expect((await list('state=live')).items).toHaveLength(2);
  });

  it('is searched for words that are nearly written so if there are none, page by page', async () => {
    const find = async (q: string) =>
      (await list(`q=${encodeURIComponent(q)}`)).items.map(({ slug }) => slug);
    const guides = ['docs-002', 'docs-003', 'docs-004'];
    for (const typed of ['cordoba', 'Cordova', 'córdvoa', 'cordov', 'guied cordova'])
      expect(await find(typed), typed).toEqual(guides);
    expect(await find('cordova 003')).toEqual(['docs-003']);
    // Numbers, short words and what is like nothing are not corrected, and a word that exists stays
    // as it is.
    for (const typed of [
      'cordova 999',
      'docs-999',
      'xy',
      'zanzibar',
      'cordova zanzibar',
      'sample product',
      '%',
    ])
      expect(await find(typed), typed).toEqual([]);
    expect((await all('q=prodcut')).map(({ slug }) => slug)).toEqual(
      (await all('q=product')).map(({ slug }) => slug),
    );
  });

  it('refuses a cursor of another server, and an unknown order', async () => {
    for (const query of [
      'cursor=x',
      `cursor=${Buffer.from('["a"]').toString('base64url')}`,
      'sort=size',
    ]) {
      const response = await callDeclared(test.app, {
        method: 'GET',
        url: `/v1/projects?${query}`,
        headers,
      });
      expect(response.statusCode, query).toBe(400);
    }
  });

  it('is compressed for clients that accept it, also in a proxy’s cache', async () => {
    const get = (accept?: string, url = '/v1/projects') =>
      test.app.inject({
        url,
        headers: { ...headers, ...(accept && { 'accept-encoding': accept }) },
      });
    const plain = await get();
    expect(plain.headers['content-encoding']).toBeUndefined();
    const br = await get('gzip, deflate, br');
    expect([br.headers['content-encoding'], br.headers.vary]).toEqual([
      'br',
      expect.stringContaining('accept-encoding'),
    ]);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    const gzip = await get('gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect((await get('br', '/v1/projects?q=nothing')).headers['content-encoding']).toBeUndefined();
  });

  it('does not compress what may contain a new secret next to words of the caller', async () => {
    const payload = {
      kind: 'admin',
      name: 'x'.repeat(100),
      scopes: ['read'],
      ipAllowlist: Array(40).fill('2001:db8:1:2:3:4:5:6'),
    };
    const url = '/v1/keys';
    const created = await test.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'accept-encoding': 'br' },
      payload,
    });
    expect(created.statusCode).toBe(201);
    expect(created.body.length).toBeGreaterThan(1024);
    expect(created.headers['content-encoding']).toBeUndefined();
  });
});
