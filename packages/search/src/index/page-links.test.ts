import { expect, test } from 'vitest';
import type { SearchDocument } from '../search-index.ts';
import { linkTargets, PageLinkBuilder, unpackLinks } from './page-links.ts';

function page(path: string, markdown: string): SearchDocument[] {
  const shared = {
    pageTitle: path,
    description: '',
    keywords: [],
    anchor: '',
    headings: [],
    text: '',
    code: '',
    boost: 1,
  };
  return [{ ...shared, path, href: path === 'index' ? '/' : `/${path}`, markdown }];
}

const links = (...pages: SearchDocument[][]) => {
  const builder = new PageLinkBuilder();
  for (const page of pages) {
    const [first] = page as [SearchDocument];
    builder.addPage(first, linkTargets(first.path, page));
  }
  return unpackLinks(builder.toBytes(), pages.length);
};

test('every spelling of a link to a page is counted, and each page once', () => {
  const target = page('guides/pay', '');
  const spellings = [
    '/guides/pay',
    './pay',
    'pay.mdx#fees',
    '../guides/pay/',
    '/guides/pay "Fees"',
    '/guides/pay?x=1',
  ];
  for (const href of spellings)
    expect(links(page('guides/start', `See [this](${href}).`), target), href).toEqual([[1], []]);
  expect(
    links(page('a', '<Card href="/guides/pay">Pay</Card> and [again](/guides/pay)'), target),
  ).toEqual([[1], []]);
});

test('links to other sites, to the page itself, and to missing pages are not counted', () => {
  const markdown =
    '[a](https://example.com/guides/pay) [b](//example.com) [c](#here) [d](/a) [e](/nowhere) [f](mailto:x@example.com)';
  expect(links(page('a', markdown), page('guides/pay', ''))).toEqual([[], []]);
});

test('an index without links is read as a site without links', () => {
  expect(unpackLinks(new Uint8Array(), 2)).toEqual([[], []]);
});

test('hostile Markdown is read in linear time', () => {
  const markdown = `${'](('.repeat(50_000)}${' href="'.repeat(50_000)}`;
  expect(links(page('a', markdown))).toEqual([[]]);
});
