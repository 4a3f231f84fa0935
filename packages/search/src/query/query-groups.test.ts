import { expect, test, vi } from 'vitest';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { loadSearchIndex } from '../load/load-search-index.ts';
import { MAX_QUERY_LENGTH, MAX_WORDS, wordsToLookUp } from './query-groups.ts';

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

test('a search returns the same on a slow machine as on a fast one', () => {
  const page = {
    href: '/a',
    pageTitle: 'Page',
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    code: '',
    boost: 1,
  };
  const texts = ['rotate keys', 'rotate every key of a group after a leak', 'keys and groups'];
  const documents = texts.map((text, at) => ({
    ...page,
    path: `page-${at}`,
    markdown: text,
    text,
  }));
  const index = loadSearchIndex(buildSearchIndex(documents));
  const search = () =>
    index
      .search('rotate the keyz of a group', { limit: 3 })
      .map(({ document, score }) => [document.path, score]);
  const fast = search();
  let now = Date.now();
  const clocks = [vi.spyOn(Date, 'now'), vi.spyOn(performance, 'now')];
  for (const clock of clocks) clock.mockImplementation(() => (now += 60_000));
  const slow = search();
  for (const clock of clocks) clock.mockRestore();
  expect(slow).toEqual(fast);
  expect(fast[0]?.[0]).toBe('page-1');
});

test('text after the length limit of a query is not searched', () => {
  const page = {
    path: 'a',
    href: '/a',
    pageTitle: 'Needle',
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
  };
  const index = loadSearchIndex(
    buildSearchIndex([{ ...page, markdown: 'needle', text: 'needle', code: '', boost: 1 }]),
  );
  expect(index.search(`${'x'.repeat(20)} needle`, { limit: 1 })).toHaveLength(1);
  expect(index.search(`${' '.repeat(MAX_QUERY_LENGTH)} needle`, { limit: 1 })).toHaveLength(0);
});

test('a phrase is read around what it is about, and keeps its words where it means nothing here', () => {
  const page = { href: '/a', pageTitle: 'A', description: '', keywords: [], anchor: '' };
  const indexOf = (text: string) =>
    loadSearchIndex(
      buildSearchIndex([
        { ...page, path: 'a', headings: [], markdown: text, text, code: '', boost: 1 },
      ]),
    );
  const options = { limit: 1, completeLastWord: false };
  expect(indexOf('Restore a snapshot.').search('bring my ledgers back', options)).toHaveLength(1);
  expect(indexOf('Restore a snapshot.').search('my ledgers', options)).toHaveLength(0);
  // “Bring back” means nothing that stands here, but “bring” does.
  expect(indexOf('Bring a pencil.').search('bring it back', options)).toHaveLength(1);
});
