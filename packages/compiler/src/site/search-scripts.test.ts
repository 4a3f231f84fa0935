import { decodeUtf8 } from '@docent/format/bytes.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { loadBundleIndex } from '@docent/search/shards/load-bundle-index.ts';
import { expect, test } from 'vitest';
import { generateSite } from '../../../../test/support/generated-site.ts';
import { searchFiles } from './search-files.ts';
import {
  firstPageOf,
  SEARCH_SCRIPTS_FORMAT,
  type SearchCut,
  type SearchFile,
  searchHead,
  searchLanguages,
  searchName,
} from './search-scripts.ts';

const large = generateSite(300);
const largeIndex = buildSearchIndex(large);
const cut: SearchCut = { name: 'search-index-0a1b2c3d', languages: [] };

const searchFilesOf = (indexBytes: Uint8Array, searchCut: SearchCut) => [
  ...searchFiles(indexBytes, searchCut),
];

function open(files: readonly SearchFile[]) {
  const bytesAt = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return loadBundleIndex(bytesAt.keys(), async (path) => bytesAt.get(path) ?? new Uint8Array());
}

test('a small site has one search script, and a large one a head and shards, or one script if requested', () => {
  const small = searchFilesOf(buildSearchIndex(generateSite(10)), cut);
  expect(small.map(({ path }) => path)).toEqual([`_docent/${searchHead(cut)}`]);
  const files = searchFilesOf(largeIndex, cut);
  expect(files.length).toBeGreaterThan(50);
  expect(searchFilesOf(largeIndex, { ...cut, isSingle: true }).map(({ path }) => path)).toEqual([
    `_docent/${searchHead(cut)}`,
  ]);
  for (const [at, { path }] of files.slice(1).entries())
    expect(path).toBe(`_docent/${cut.name}-${at}.js`);
  const firstPages = files.map(firstPageOf).filter((path) => path !== undefined);
  expect(firstPages[0]).toBe(large[0]?.path);
  const pages = [...new Set(large.map(({ path }) => path))];
  expect([...new Set(firstPages)]).toEqual(pages.filter((path) => firstPages.includes(path)));
});

test('the files of an index are deterministic, and another index or page set has another name', () => {
  expect(searchFilesOf(largeIndex, cut)).toEqual(searchFilesOf(largeIndex, cut));
  const names = [
    searchName('a'),
    searchName('b'),
    searchName('a', new Set(['/x'])),
    searchName('a', new Set(['/y'])),
  ];
  expect(new Set(names).size).toBe(4);
  expect(searchName('a', new Set(['/x', '/y']))).toBe(searchName('a', new Set(['/y', '/x'])));
});

test('the scripts of a site without versions and languages have what a browser needs to find a page, and a format of their own', () => {
  const plain = generateSite(10).map(({ version, language, ...page }) => page);
  const [script] = searchFilesOf(buildSearchIndex(plain), cut);
  const { head } = JSON.parse(
    decodeUtf8((script as SearchFile).bytes).slice('__docentSearchIndex('.length, -');\n'.length),
  );
  const facts = [
    'breadthOfPage',
    'kindOfPage',
    'kinds',
    'pathMarks',
    'sectionsOfPage',
    'titleLengths',
    'worthOfPage',
  ];
  const others = ['lengthOfSection', 'sectionsOfShard', 'termStarts', 'wordStarts'];
  // Whoever changes what the scripts of an index contain changes both: otherwise stored scripts of
  // the former release would be served.
  expect({ format: SEARCH_SCRIPTS_FORMAT, head: Object.keys(head).sort() }).toEqual({
    format: 7,
    head: [...facts, ...others].sort(),
  });
});

test('a page that a bundle omits is not found in its search', async () => {
  const [left, kept] = [large[0], large.at(-1)];
  const included = new Set(large.map(({ href }) => href).filter((href) => href !== left?.href));
  const index = await open(searchFilesOf(largeIndex, { ...cut, included }));
  const paths = (query = '') =>
    index.search(query, { limit: 20 }).map(({ document }) => document.path);
  expect(paths(kept?.pageTitle)).toContain(kept?.path);
  expect(paths(left?.pageTitle)).not.toContain(left?.path);
});

test('a multilingual site has one index per language, and together they find what the full index finds', async () => {
  const languages = searchLanguages(large);
  expect(languages).toEqual(['fr', 'en']);
  const files = searchFilesOf(largeIndex, { ...cut, languages });
  const ofFrench = files.filter(({ path }) => path.startsWith(`_docent/${cut.name}-fr`));
  const french = await open(ofFrench);
  expect(french.languages).toEqual(['fr']);
  const isOpen = ({ language, groups }: (typeof large)[number]) =>
    language === 'fr' && groups === undefined;
  expect(large.filter(({ path }) => french.sectionsOf(path).length > 0)).toEqual(
    large.filter(isOpen),
  );
  const joined = await open(files);
  const full = loadSearchIndex(largeIndex);
  for (const { pageTitle, language = '' } of large.slice(0, 200)) {
    const options = { limit: 10, filter: { language } };
    const [first] = joined.search(pageTitle, options);
    expect(first?.document.path).toBe(full.search(pageTitle, options)[0]?.document.path);
    expect(first?.document.language).toBe(language);
  }
  const everywhere = joined
    .search('deploy webhook', { limit: 30 })
    .map(({ document }) => document.language);
  expect(new Set(everywhere)).toEqual(new Set(['fr', 'en']));
});

test('a page loads the index of its language, or else that of the first language', () => {
  const several = { name: 'n', languages: ['en', 'pt-BR', 'es-419'] };
  expect(searchHead(several, 'pt-BR')).toBe('n-pt_br.js');
  expect(searchHead(several, 'es-419')).toBe('n-es_419.js');
  expect(searchHead(several)).toBe('n-en.js');
  expect(searchHead(several, 'xx')).toBe('n-en.js');
  expect(
    searchHead({ name: 'n', languages: searchLanguages([{ language: 'fr' }, {}]) }, 'fr'),
  ).toBe('n.js');
});
