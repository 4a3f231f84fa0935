import { encodeUtf8 } from '@docent/format/bytes.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSite, queriesFor } from '../../../../test/support/generated-site.ts';
import { copyOf } from '../index/stored-document.ts';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { IndexData } from '../load/index-data.ts';
import { loadSearchIndex } from '../load/load-search-index.ts';
import type { SearchDocument, SearchHit, SearchIndex, SearchOptions } from '../search-index.ts';
import { cutIndex } from './cut-index.ts';
import { loadBundleIndex } from './load-bundle-index.ts';
import type { Shard, ShardHead } from './shard-format.ts';
import { openShardedIndex } from './sharded-index.ts';

const documents = generateSite(400);
const queries = queriesFor(documents, 300);
let data: IndexData;
let whole: SearchIndex;
let cut: { head: ShardHead; shards: Shard[] };

beforeAll(() => {
  // A search is stopped at a time limit, and on a busy machine either index may reach it.
  vi.useFakeTimers({ toFake: ['Date'] });
  const bytes = buildSearchIndex(documents);
  data = new IndexData(bytes);
  whole = loadSearchIndex(bytes);
  cut = cutWhole();
});

afterAll(() => void vi.useRealTimers());

/** The index as it is transferred. */
function cutWhole(
  ...given: Parameters<typeof cutIndex> extends [unknown, ...infer Rest] ? Rest : never
): typeof cut {
  const { head, shards } = cutIndex(data, ...given);
  return JSON.parse(JSON.stringify({ head, shards: [...shards] }));
}

function open({ head, shards } = cut, requested: number[] = []) {
  return openShardedIndex(head, async (number) => {
    requested.push(number);
    return shards[number] as Shard;
  });
}

/** Everything that a reader of a hit can see, in the order of the hits. */
function shown(hits: readonly SearchHit[]): string {
  return hits
    .map(({ document, score }) => JSON.stringify({ ...copyOf(document), score }))
    .join('\n');
}

async function expectSame(
  options: Omit<SearchOptions, 'limit'>,
  limit = 16,
  searched = queries.slice(0, 100),
): Promise<void> {
  const index = open();
  let found = 0;
  for (const query of searched) {
    const hits = whole.search(query, { ...options, limit });
    expect(shown(await index.search(query, { ...options, limit })), query).toBe(shown(hits));
    found += hits.length;
  }
  expect(found).toBeGreaterThan(searched.length);
}

describe('a sharded index', () => {
  it('returns the same hits as the whole index for hundreds of queries of all kinds', async () => {
    expect(queries.length).toBeGreaterThan(250);
    await expectSame({}, 16, queries);
  });

  it('returns the same hits as the whole index for phrases of the lexicon', async () => {
    const [first, ...others] = documents.slice(0, 9) as [SearchDocument, ...SearchDocument[]];
    const bytes = buildSearchIndex([
      { ...first, text: `${first.text} Long replies are truncated.` },
      ...others,
    ]);
    const { head, shards } = cutIndex(new IndexData(bytes));
    const index = open({ head, shards: [...shards] });
    const hits = loadSearchIndex(bytes).search('cut off', { limit: 40 });
    expect(hits.map(({ document }) => document.path)).toContain(first.path);
    expect(shown(await index.search('cut off', { limit: 40 }))).toBe(shown(hits));
  });

  it('returns the same hits as the whole index for phrases around what they are about', async () => {
    const [first, ...others] = documents.slice(0, 9) as [SearchDocument, ...SearchDocument[]];
    const bytes = buildSearchIndex([{ ...first, text: 'How to restore a snapshot.' }, ...others]);
    const { head, shards } = cutIndex(new IndexData(bytes));
    const index = open({ head, shards: [...shards] });
    for (const query of ['bring every zebra back', 'cut every zebra off']) {
      const hits = loadSearchIndex(bytes).search(query, { limit: 40 });
      expect(shown(await index.search(query, { limit: 40 })), query).toBe(shown(hits));
    }
  });

  it('returns the same hits as the whole index with a filter for version and language', () =>
    expectSame({ filter: { version: 'v2', language: 'en' } }));

  it('returns the same hits as the whole index with a tag, whole words, and a longer list', () =>
    expectSame({ filter: { tag: 'beta' }, completeLastWord: false }, 40));

  it('returns the same hits as the whole index on a page with its folder, version, and language', () =>
    expectSame({ currentPath: (documents[40] as SearchDocument).path }));

  it('returns the same hits as the whole index for a reader in a group', () =>
    expectSame({ filter: { groups: ['staff'] } }));

  it('returns the same hits as the whole index for its first query', async () => {
    for (const query of queries.slice(0, 25)) {
      expect(shown(await open().search(query, { limit: 16 })), query).toBe(
        shown(whole.search(query, { limit: 16 })),
      );
    }
  });

  it('returns the sections of index pages of folders and of the site by their addresses', async () => {
    const root = documents.find(({ groups }) => groups === undefined)?.path;
    const indexPages = documents.map((page) =>
      page.path === root
        ? { ...page, path: 'index', href: '/' }
        : { ...page, path: `${page.path}/index` },
    );
    const bytes = buildSearchIndex(indexPages);
    const { head, shards } = cutIndex(new IndexData(bytes));
    const fromWhole = loadSearchIndex(bytes);
    const openPages = [...Map.groupBy(indexPages, ({ href }) => href)].filter(
      ([, [first]]) => first?.groups === undefined,
    );
    expect(openPages.length).toBeGreaterThan(100);
    for (const [href, sections] of openPages.slice(0, 20)) {
      const expected = fromWhole.sectionsOf(href).map(copyOf);
      expect(expected, href).toHaveLength(sections.length);
      const index = open({ head, shards: [...shards] });
      expect(await index.compute(async (each) => each.sectionsOf(href).map(copyOf)), href).toEqual(
        expected,
      );
    }
  });

  it('fetches each shard once, even for concurrent searches', async () => {
    const requested: number[] = [];
    const index = open(cut, requested);
    await Promise.all(
      [...queries.slice(0, 20), ...queries.slice(0, 20)].map((query) =>
        index.search(query, { limit: 16 }),
      ),
    );
    expect(requested.length).toBeGreaterThan(20);
    expect(new Set(requested).size).toBe(requested.length);
  });

  it('fetches only the shards that a query needs', async () => {
    const requested: number[] = [];
    await open(cut, requested).search(queries[0] as string, { limit: 16 });
    expect(requested.length).toBeLessThan(cut.shards.length / 3);
  });

  it('retries a failed fetch on the next search', async () => {
    let fails = true;
    const index = openShardedIndex(cut.head, async (number) => {
      if (fails) throw new Error('no network');
      return cut.shards[number] as Shard;
    });
    const query = queries[0] as string;
    await expect(index.search(query, { limit: 3 })).rejects.toThrow('no network');
    fails = false;
    expect(shown(await index.search(query, { limit: 3 }))).toBe(
      shown(whole.search(query, { limit: 3 })),
    );
  });

  it('fetches nothing for an abandoned query', async () => {
    const requested: number[] = [];
    expect(
      await open(cut, requested).search(queries[0] as string, { limit: 3 }, () => false),
    ).toEqual([]);
    expect(requested).toEqual([]);
  });

  it('is the same for the same index and serializable as JSON', () => {
    const { head, shards } = cutIndex(data);
    expect({ head, shards: [...shards].map((shard) => JSON.parse(JSON.stringify(shard))) }).toEqual(
      cut,
    );
  });

  it('for some pages returns the same hits as an index without the other pages', async () => {
    const kept = documents.filter(({ path }) => !path.includes('guides'));
    const some = open(cutWhole(({ path }) => !path.includes('guides')));
    const alone = loadSearchIndex(buildSearchIndex(kept));
    for (const query of queries.slice(0, 100)) {
      expect(shown(await some.search(query, { limit: 16 })), query).toBe(
        shown(alone.search(query, { limit: 16 })),
      );
    }
  });

  it('for no pages finds nothing', async () => {
    expect(await open(cutWhole(() => false)).search('install', { limit: 3 })).toEqual([]);
  });

  it('opens from the files of a bundle, with one script per shard or one script for all', async () => {
    const name = '_docent/search-index-0a1b2c3d';
    const headScript = (payload: unknown) => `__docentSearchIndex(${JSON.stringify(payload)});\n`;
    const apart = new Map([[`${name}.js`, headScript({ head: cut.head })]]);
    for (const [at, shard] of cut.shards.entries()) {
      apart.set(`${name}-${at}.js`, `__docentSearchShard(${at},${JSON.stringify(shard)});\n`);
    }
    const one = new Map([
      ['index.html', '<p>"no index"</p>'],
      [`${name}.js`, headScript(cut)],
    ]);
    for (const files of [apart, one]) {
      const index = await loadBundleIndex(files.keys(), async (path) =>
        encodeUtf8(files.get(path) ?? ''),
      );
      expect([...index.versions, ...index.languages]).toEqual([
        ...whole.versions,
        ...whole.languages,
      ]);
      for (const query of queries.slice(0, 50)) {
        expect(shown(index.search(query, { limit: 16 }))).toBe(
          shown(whole.search(query, { limit: 16 })),
        );
      }
    }
  });

  it('reports a missing index and a missing or truncated file', async () => {
    const read = async () =>
      encodeUtf8(`__docentSearchIndex(${JSON.stringify({ head: cut.head })});\n`);
    await expect(loadBundleIndex(['index.html'], read)).rejects.toThrow('holds no search index');
    await expect(loadBundleIndex(['_docent/search-index-0a1b2c3d.js'], read)).rejects.toThrow(
      'damaged',
    );
    const cutShort = async () => (await read()).subarray(0, 500);
    await expect(loadBundleIndex(['_docent/search-index-0a1b2c3d.js'], cutShort)).rejects.toThrow(
      'damaged',
    );
  });
});
