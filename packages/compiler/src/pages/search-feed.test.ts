import { wholeOf } from '@docent/search/index/index-format.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { TermReader } from '@docent/search/load/page-terms.ts';
import type { SearchDocument } from '@docent/search/search-index.ts';
import { expect, it } from 'vitest';
import { SearchFeed } from './search-feed.ts';

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
