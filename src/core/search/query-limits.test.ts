import { expect, test } from 'vitest';
import { buildSearchIndex } from './index/build-search-index.ts';
import { loadSearchIndex } from './index/load-search-index.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS, startTime, wordsToLookUp } from './query-limits.ts';

const self = (word: string) => word;

test('a long query is limited to a number of words, and function words are dropped first', () => {
  const words = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'the' : `word${i}`));
  const kept = wordsToLookUp(words, self);
  expect(kept).toHaveLength(MAX_WORDS);
  expect(kept).not.toContain('the');
  expect(wordsToLookUp(['the', 'word'], self)).toEqual(['the', 'word']);
  expect(
    wordsToLookUp(
      Array.from({ length: 100 }, () => 'the'),
      self,
    ),
  ).toHaveLength(MAX_WORDS);
});

test('the time budget of a search ends', () => {
  let now = 1000;
  const isOver = startTime(() => now);
  expect(isOver()).toBe(false);
  now += 60_000;
  expect(isOver()).toBe(true);
});

test('text after the length limit of a query is not searched', () => {
  const page = { path: 'a', href: '/a', pageTitle: 'Needle', description: '', keywords: [], anchor: '', headings: [] };
  const index = loadSearchIndex(buildSearchIndex([{ ...page, markdown: 'needle', text: 'needle', code: '', boost: 1 }]));
  expect(index.search(`${'x'.repeat(20)} needle`, { limit: 1 })).toHaveLength(1);
  expect(index.search(`${' '.repeat(MAX_QUERY_LENGTH)} needle`, { limit: 1 })).toHaveLength(0);
});
