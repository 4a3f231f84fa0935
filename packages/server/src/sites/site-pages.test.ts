import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  addKey,
  addOrganization,
  addSite,
  openTestApp,
  type TestApp,
} from '../../../../test/support/test-app.ts';

const PATHS = ['index', 'v1/install', 'v1/start', 'v2/install', 'v2/start'];

let test: TestApp;
let headers: Record<string, string>;

beforeAll(async () => {
  test = await openTestApp();
  const operator = await addOrganization(test);
  headers = (await addKey(test, operator, { kind: 'admin' })).headers;
  await addSite(test, operator, 'docs', PATHS);
  await addSite(test, operator, 'empty');
});
afterAll(() => test.close());

interface Part {
  items: { path: string; version: string | null }[];
  nextCursor: string | null;
  versions: string[];
}

const get = (query = '', site = 'docs') =>
  callDeclared(test.app, { method: 'GET', url: `/v1/projects/${site}/pages?${query}`, headers });
const list = async (query = '', site = 'docs') => (await get(query, site)).json<Part>();
const paths = async (query: string) => (await list(query)).items.map(({ path }) => path);

describe('the pages of a site', () => {
  it('are those of the live build, each with its version, and with all versions whatever the filters', async () => {
    expect(await list()).toMatchObject({
      items: [
        { path: '/', version: null },
        { path: '/v1/install', version: 'v1' },
        { path: '/v1/start', version: 'v1' },
        { path: '/v2/install', version: 'v2' },
        { path: '/v2/start', version: 'v2' },
      ],
      versions: ['v1', 'v2'],
      languages: [],
    });
    expect((await list('version=v2')).versions).toEqual(['v1', 'v2']);
  });

  it('are filtered by words in any order, by version and by language; pages of none belong to all', async () => {
    expect(await paths('q=install+V2')).toEqual(['/v2/install']);
    expect(await paths('version=v1')).toEqual(['/', '/v1/install', '/v1/start']);
    expect(await paths('version=v9&language=de')).toEqual(['/']);
  });

  it('come in parts, each page once, and a cursor of another list is refused', async () => {
    const first = await list('limit=3');
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ path }) => path)).toEqual(await paths(''));
    expect(second.nextCursor).toBeNull();
    const foreign = await get(`version=v2&cursor=${first.nextCursor}`);
    expect([foreign.statusCode, foreign.json().errors[0].path]).toEqual([400, '/cursor']);
  });

  it('are none before the first publish', async () => {
    expect(await list('', 'empty')).toMatchObject({
      items: [],
      versions: [],
      languages: [],
      nextCursor: null,
    });
  });
});
