import { expect, test } from 'vitest';
import type { SiteBuild } from '../build/site-build.ts';
import { listChanges } from './listed-changes.ts';

const build = (pages: Record<string, string>, title = (href: string) => `Title of ${href}`) =>
  ({
    pages: Object.entries(pages).map(([href, sha256]) => ({
      href,
      title: title(href),
      content: { sha256 },
    })),
  }) as unknown as SiteBuild;
const live = (pages: Record<string, string>) => ({ deploymentId: 'live', build: build(pages) });

test('changes are listed by kind with the titles of pages, without the kinds that do not occur', () => {
  const page = (href: string) => ({ href, title: `Title of ${href}` });
  expect(
    listChanges(
      live({ '/': 'a', '/old': 'b', '/same': 'c' }),
      build({ '/': 'A', '/same': 'c', '/new': 'd' }),
    ),
  ).toEqual([
    { kind: 'added', count: 1, pages: [page('/new')] },
    { kind: 'changed', count: 1, pages: [page('/')] },
    { kind: 'removed', count: 1, pages: [page('/old')] },
  ]);
  expect(listChanges(live({ '/': 'a', '/old': 'b' }), build({ '/': 'a' }))).toEqual([
    { kind: 'removed', count: 1, pages: [page('/old')] },
  ]);
  expect(listChanges(live({ '/': 'a' }), build({ '/': 'a' }))).toEqual([]);
});

test('a list ends after 100 pages in all kinds together, and after 16 KiB, while the counts stay exact', () => {
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${prefix}${index}`, 'a']));
  const [added, removed] = listChanges(live(many('old', 80)), build(many('new', 70)));
  expect([added?.count, added?.pages.length, removed?.count, removed?.pages.length]).toEqual([
    70, 70, 80, 30,
  ]);
  const [long] = listChanges(
    live({}),
    build(many('new', 20), () => 'ü'.repeat(1000)),
  );
  expect([long?.count, long?.pages.length]).toEqual([20, 8]);
});
