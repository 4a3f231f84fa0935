import { wholeOf } from '@docent/search/index/index-format.ts';
import { buildSearchIndex, type IndexSegment } from '@docent/search/load/build-search-index.ts';
import { TermReader } from '@docent/search/load/page-terms.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { expect, it } from 'vitest';
import { type KeptSegments, SearchFeed } from './search-feed.ts';

function page(number: number): SearchDocument[] {
  const path = `guides/page-${number}`;
  const shared = {
    path,
    href: `/${path}`,
    pageTitle: `Page ${number}`,
    description: '',
    keywords: [],
    boost: 1,
    code: '',
  };
  return ['first', 'second'].map((anchor) => {
    const text = `The ${anchor} section of page ${number} explains configuration-of-part-${number}. See [another](/guides/page-${number + 1}).`;
    return { ...shared, anchor, headings: [anchor], markdown: text, text };
  });
}

function segmentStore() {
  const segments = new Map<string, IndexSegment>();
  let hits = 0;
  return {
    get hits() {
      return hits;
    },
    findSegment(key: string) {
      const segment = segments.get(key);
      if (segment) hits++;
      return segment;
    },
    keepSegment: (key: string, segment: IndexSegment) => void segments.set(key, segment),
  };
}

/** The index of pages of which two begin a group, and two have names of their own. */
function indexOf(numbers: readonly number[], kept?: KeptSegments, changed?: number): Buffer {
  const feed = new SearchFeed(kept);
  const reader = new TermReader();
  const documents: SearchDocument[] = [];
  for (const [place, number] of numbers.entries()) {
    const labels = {
      trail: [`Group ${number % 50}`, 'Common part'],
      keywords: number % 9 === 0 ? ['Special names'] : [],
      ...(number === changed && { description: 'Of a page that has changed.' }),
    };
    const [first, ...others] = page(number).map((section) => ({ ...section, ...labels }));
    const sections = [first as SearchDocument, ...others];
    documents.push(...sections);
    const terms = reader.read((first as SearchDocument).path, sections);
    const termsKey = `terms of ${number}`;
    feed.add(place, { page: first as SearchDocument, terms, termsKey });
  }
  const index = wholeOf(feed.finish());
  feed.close();
  expect(Buffer.from(buildSearchIndex(documents)).equals(index)).toBe(true);
  return Buffer.from(index);
}

it('the search index is the same, byte for byte, with segments that are kept, after a page has changed, come or gone', () => {
  const store = segmentStore();
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  indexOf(numbers, store);
  expect(store.hits).toBe(0);
  indexOf(numbers, store);
  const all = store.hits;
  expect(all).toBeGreaterThan(3);
  indexOf(numbers, store, 150);
  expect(store.hits).toBe(2 * all - 1);
  indexOf(numbers.toSpliced(150, 1), store);
  indexOf(numbers.toSpliced(100, 0, 1000), store);
  expect(store.hits).toBeGreaterThan(2 * all);
});

it('the search index of pages that are compiled in any order is the same, byte for byte, with pages that it leaves out', () => {
  const pages = Array.from({ length: 40 }, (_, number) => (number % 7 === 3 ? [] : page(number)));
  const expected = buildSearchIndex(pages.flat());
  const reader = new TermReader();
  for (const order of [
    (number: number) => number,
    (number: number) => 39 - number,
    (number: number) => (number * 7) % 40,
  ]) {
    const feed = new SearchFeed();
    for (const number of pages.keys()) {
      const [first, ...others] = pages[order(number)] as SearchDocument[];
      const terms = first && reader.read(first.path, [first, ...others]);
      feed.add(order(number), first && terms && { page: first, terms });
    }
    expect(Buffer.from(expected).equals(wholeOf(feed.finish()))).toBe(true);
    feed.close();
  }
});

it('a reader that forgets words between pages, because a site has many long ones, reads each page as a new reader does', () => {
  const shared = new TermReader();
  for (let number = 0; number < 8; number++) {
    const [first, ...others] = page(number) as [SearchDocument, ...SearchDocument[]];
    const text = Array.from({ length: 40 }, (_, i) => `${number}-${i}`.repeat(2000)).join(' ');
    const sections = [{ ...first, text: `${text} again ${text}` }, ...others];
    const read = (reader: TermReader) => structuredClone({ ...reader.read(first.path, sections) });
    expect(read(shared)).toEqual(read(new TermReader()));
  }
});
