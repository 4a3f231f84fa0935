import { concatenate, encodeUtf8 } from '@docent/format/bytes.ts';
import { joinParts, packNumbers, readNumbers, splitParts } from '../index/index-format.ts';
import { packLinks } from '../index/page-links.ts';
import type { StoredPage } from '../index/stored-document.ts';
import { TermTable } from '../index/term-table.ts';
import { IndexData } from '../load/index-data.ts';
import { IndexSubset } from './cut-index.ts';

/**
 * Returns the index of some of the pages of an index, as if the others did not exist: frequencies,
 * lengths and links are those of the included pages, and no word, title or number of another page
 * is left. Ranking is that of an index built of these pages alone, but for the name of a group
 * whose first page is not included: it leads to none.
 * @param bytes the index of all pages
 * @param isIncluded called with the `path` of each page
 * @throws Error if the bytes are not an index of this version
 */
export function subsetIndex(bytes: Uint8Array, isIncluded: (path: string) => boolean): Uint8Array {
  const data = new IndexData(bytes);
  const subset = new IndexSubset(data, ({ path }) => isIncluded(path));
  if (subset.pages.length === data.pages.length) return bytes;
  const numbers = readNumbers(splitParts(bytes).sections);
  const postings = subset.terms.map((term) => subset.postings(term));
  const rank = new Map(subset.terms.map((term, index) => [term, index]));
  const present = wordsIn(subset);
  const { words, terms } = data.vocabulary;
  const kept = words.flatMap((word, index) => {
    const term = rank.get(terms[index] as number);
    return term !== undefined && present.has(word) ? [{ word, term }] : [];
  });
  return joinParts({
    pages: [encodeUtf8(JSON.stringify(subset.pages.map((page) => data.storedPages[page])))],
    words: [encodeUtf8(kept.map(({ word }) => word).join('\n'))],
    wordTerms: [packNumbers(kept.map(({ term }) => term))],
    terms: [encodeUtf8(subset.terms.map((term) => data.terms[term] as string).join('\n'))],
    postingLengths: [packNumbers(postings.map(({ length }) => length))],
    postings,
    sections: [
      packNumbers(
        subset.sections.flatMap((section) => [...numbers.subarray(section * 3, section * 3 + 3)]),
      ),
    ],
    records: [concatenate(subset.sections.map((section) => encodeUtf8(data.sectionText(section))))],
    links: [packLinks(subset.links())],
  });
}

/**
 * Returns the words of the included pages: of two words with one stem, another page may have only
 * the second.
 */
function wordsIn({ data, pages, sections }: IndexSubset): ReadonlySet<string> {
  const table = new TermTable();
  const read = (text: string) => table.read(text, false, () => undefined);
  for (const page of pages) {
    const [path, , title, description, keywords, , { operation = '', trail = [] }] = data
      .storedPages[page] as StoredPage;
    for (const text of [path, title, description, operation, ...keywords, ...trail]) read(text);
  }
  for (const section of sections) read(data.sectionText(section));
  return new Set(table.words.keys());
}
