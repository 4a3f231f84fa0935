import { expect, test } from 'vitest';
import type { SiteBuild } from '../build/site-build.ts';
import { comparePages } from './page-changes.ts';

const build = (pages: Record<string, string>) =>
  ({
    pages: Object.entries(pages).map(([href, sha256]) => ({
      href,
      title: href,
      content: { sha256 },
    })),
  }) as unknown as SiteBuild;

test('added, changed, and removed pages are determined against the live build', () => {
  const live = { deploymentId: 'before', build: build({ '/': 'a', '/old': 'b', '/same': 'c' }) };
  expect(comparePages(live, build({ '/': 'A', '/same': 'c', '/new': 'd' }))).toEqual({
    comparedWith: 'before',
    added: { count: 1, pages: ['/new'] },
    changed: { count: 1, pages: ['/'] },
    removed: { count: 1, pages: ['/old'] },
  });
});

test('a page is not changed by its date alone, which only uploads from a Git repository state', () => {
  const dated = build({ '/': 'a' });
  for (const page of dated.pages) page.lastUpdated = '2026-11-24';
  expect(
    comparePages({ deploymentId: 'before', build: dated }, build({ '/': 'a' })).changed.count,
  ).toBe(0);
});

test('the first build adds every page and lists a limited number of them', () => {
  const pages = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`/${index}x`, 'a']));
  const { comparedWith, added } = comparePages(undefined, build(pages));
  expect([comparedWith, added.count, added.pages.length]).toEqual([null, 700, 500]);
});
