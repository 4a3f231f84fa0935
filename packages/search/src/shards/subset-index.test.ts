import { decodeUtf8 } from '@docent/format/bytes.ts';
import { expect, test } from 'vitest';
import { generateSite } from '../../../../test/support/generated-site.ts';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { loadSearchIndex } from '../load/load-search-index.ts';
import { subsetIndex } from './subset-index.ts';

const documents = generateSite(120).map((document, index) => ({
  ...document,
  markdown: `${document.markdown}\n\nReaders archive item${index}.`,
  text: `${document.text} Readers archive item${index}.`,
}));
const paths = [...new Set(documents.map(({ path }) => path))];
const kept = new Set(paths.filter((_, index) => index % 3 !== 0));
const isKept = (path: string) => kept.has(path);
const secret = {
  ...(documents[0] as (typeof documents)[number]),
  ...{
    path: 'secret',
    href: '/secret',
    pageTitle: 'Secret page',
    anchor: '',
    headings: [],
    code: '',
  },
  ...{ markdown: 'Archiving hiddenword.', text: 'Archiving hiddenword.' },
};
const whole = buildSearchIndex([...documents, secret]);

test('ranks like an index that was built of these pages alone', () => {
  const subset = loadSearchIndex(subsetIndex(whole, isKept));
  const alone = loadSearchIndex(buildSearchIndex(documents.filter(({ path }) => isKept(path))));
  const queries = documents
    .filter((_, index) => index % 9 === 0)
    .map(({ pageTitle, headings }) => headings.at(-1) ?? pageTitle);
  for (const query of [...queries, 'archive', 'item7', 'reader archves']) {
    const of = (index: typeof alone) =>
      index
        .search(query, { limit: 20 })
        .map(({ document, score }) => [document.path, document.anchor, score.toFixed(3)]);
    expect(of(subset), query).toEqual(of(alone));
  }
});

test('has no byte of the other pages, not even another form of a word that the included pages have', () => {
  const text = decodeUtf8(subsetIndex(whole, isKept));
  expect(text).toContain('archive');
  for (const word of ['hiddenword', 'Secret', 'secret', 'rchiving', 'item0.'])
    expect(text, word).not.toContain(word);
});

test('of all pages is the index itself, and of no page finds nothing', () => {
  expect(subsetIndex(whole, () => true)).toBe(whole);
  expect(loadSearchIndex(subsetIndex(whole, () => false)).search('archive', { limit: 5 })).toEqual(
    [],
  );
});
