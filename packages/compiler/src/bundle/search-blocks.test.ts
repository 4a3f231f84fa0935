import { encodeUtf8 } from '@docent/format/bytes.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { loadBundleIndex } from '@docent/search/shards/load-bundle-index.ts';
import { expect, test } from 'vitest';
import { generateSite } from '../../../../test/support/generated-site.ts';
import { searchFiles } from '../site/search-files.ts';
import { type SearchFile, searchLanguages, searchName } from '../site/search-scripts.ts';
import { inBlocks } from './search-blocks.ts';

const site = generateSite(300);
const index = buildSearchIndex(site);

async function scriptsOf(
  bytes: Uint8Array,
  languages: string[] = [],
): Promise<Map<string, Uint8Array>> {
  const cut = { name: searchName(bytes.length.toString()), languages };
  async function* scripts(): AsyncGenerator<SearchFile> {
    yield* searchFiles(bytes, cut);
  }
  const files: [string, Uint8Array][] = [];
  for await (const { path, bytes: content } of inBlocks(scripts(), cut))
    files.push([path, content]);
  const byPath = new Map(files);
  expect(byPath.size).toBe(files.length);
  return byPath;
}

test('of a bundle in which the text of a page has changed, most scripts of the search stay as they were', async () => {
  const [first, ...others] = site as [(typeof site)[number], ...typeof site];
  const markdown = `${first.markdown}\n\n${others[0]?.markdown}`;
  const [before, after] = await Promise.all([
    scriptsOf(index),
    scriptsOf(buildSearchIndex([{ ...first, markdown }, ...others])),
  ]);
  const same = [...after].filter(([path, bytes]) => {
    const former = before.get(path);
    return former !== undefined && Buffer.from(former).equals(bytes);
  });
  expect(same.length).toBeLessThan(after.size);
  expect(same.length).toBeGreaterThan(after.size / 2);
});

test('scripts of a bundle with the same name have the same content, in each language', async () => {
  const languages = searchLanguages(site);
  const files = await scriptsOf(index, languages);
  const read = async (path: string) => files.get(path) ?? encodeUtf8('');
  const joined = await loadBundleIndex(files.keys(), read);
  const whole = loadSearchIndex(index);
  for (const { pageTitle, language = '' } of site.slice(0, 100)) {
    const options = { limit: 10, filter: { language } };
    const [hit] = whole.search(pageTitle, options);
    expect(joined.search(pageTitle, options)[0]?.document.path).toBe(hit?.document.path);
  }
  const starts = [...files.keys()].filter((path) => path.includes('search-start'));
  expect(starts).toHaveLength(languages.length);
  files.delete(starts[0] as string);
  await expect(loadBundleIndex(files.keys(), read)).rejects.toThrow('damaged');
});

test('the head of an index stays first and whole if its hash consists of digits', async () => {
  const cut = { name: 'search-index-12345678', languages: [] };
  async function* scripts(): AsyncGenerator<SearchFile> {
    yield* searchFiles(index, cut);
  }
  const [head] = searchFiles(index, cut);
  for await (const script of inBlocks(scripts(), cut)) {
    expect(script).toEqual(head);
    break;
  }
});
