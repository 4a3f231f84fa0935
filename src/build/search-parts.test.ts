import { expect, test } from 'vitest';
import { buildSearchIndex } from '../core/search/build-search-index.ts';
import { loadBundleIndex } from '../core/search/load-bundle-index.ts';
import { madeSite } from '../core/search/parts/made-site.fixture.ts';
import { searchFiles } from './search-parts.ts';

const large = madeSite(300);
const largeIndex = buildSearchIndex(large);

test('a small site has one script, a large one a head and parts that are named after it', () => {
  const small = searchFiles(buildSearchIndex(madeSite(10)));
  expect(small.files.map(({ path }) => path)).toEqual([`_docent/${small.head}`]);
  const { head, files } = searchFiles(largeIndex);
  expect(files.length).toBeGreaterThan(50);
  expect(files[0]?.path).toBe(`_docent/${head}`);
  for (const [at, { path }] of files.slice(1).entries()) expect(path).toBe(`_docent/${head.replace('.js', `-${at}.js`)}`);
});

test('the same index gives the same files, another one other names', () => {
  expect(searchFiles(largeIndex)).toEqual(searchFiles(largeIndex));
  expect(searchFiles(buildSearchIndex(large.slice(1))).head).not.toBe(searchFiles(largeIndex).head);
});

test('pages that a bundle leaves out are found neither in its search nor in its files', async () => {
  const [left, kept] = [large[0], large.at(-1)];
  const { files } = searchFiles(largeIndex, ({ path }) => path !== left?.path);
  const bytesAt = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const index = await loadBundleIndex(bytesAt.keys(), async (path) => bytesAt.get(path) ?? new Uint8Array());
  const paths = (query = '') => index.search(query, { limit: 20 }).map(({ document }) => document.path);
  expect(paths(kept?.pageTitle)).toContain(kept?.path);
  expect(paths(left?.pageTitle)).not.toContain(left?.path);
});
