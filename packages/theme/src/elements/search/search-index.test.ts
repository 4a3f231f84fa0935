import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { expect, test } from 'vitest';
import { suggestions } from './search-index.ts';

const section = (path: string, text: string, version?: string): SearchDocument => ({
  path,
  href: `/${path}`,
  pageTitle: path,
  description: '',
  keywords: [],
  anchor: '',
  headings: [],
  markdown: text,
  text,
  code: '',
  boost: 1,
  ...(version ? { version } : {}),
});

const index = loadSearchIndex(
  buildSearchIndex([
    section('billing', 'Subscriptions renew every month.', 'v2'),
    section('webhooks', 'An endpoint receives events.', 'v2'),
    section('legacy', 'The frobnicator was removed.', 'v1'),
  ]),
);
const searcher = {
  search: async (...query: Parameters<typeof index.search>) => index.search(...query),
};
const paths = async (query: string, filter = {}): Promise<string[]> =>
  (await suggestions(searcher, query, filter)).map((hit) => hit.document.path);

test('a misspelled word finds the page of the correct word', async () => {
  expect(await paths('qqzzy subscripshun')).toEqual(['billing']);
});

test('a page that only another version contains is suggested from there', async () => {
  expect(await paths('frobnicator', { version: 'v2' })).toEqual(['legacy']);
});

test('the search suggests nothing if nothing is similar', async () => {
  expect(await paths('qqzzy')).toEqual([]);
});
