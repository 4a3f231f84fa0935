import { describe, expect, it } from 'vitest';
import { cutSidebar } from './cut-sidebar.ts';
import type { MenuItem, SidebarItem } from './navigation.ts';

const page = (path: string): SidebarItem => ({
  kind: 'page',
  path,
  label: `Page ${path}`,
  href: `/${path}`,
  external: false,
  deprecated: false,
});
const group = (label: string, items: SidebarItem[], more: object = {}): SidebarItem => ({
  kind: 'group',
  label,
  expanded: true,
  items,
  ...more,
});
const pages = (folder: string, count: number) =>
  Array.from({ length: count }, (_, i) => page(`${folder}/p${i}`));
const groups = (count: number, size: number) =>
  Array.from({ length: count }, (_, i) => group(`G${i}`, pages(`g${i}`, size)));

/**
 * The list in short form: `G1→/first[…]`, `G2→/first` if only its heading is there, `~label→` for
 * what leads to the rest.
 */
function written(items: readonly MenuItem[]): string {
  return items
    .map((item) => {
      if (item.kind === 'more') return `~${item.label}→${item.href}`;
      if (item.kind === 'page') return item.path;
      return `${item.label}→${item.href}${item.isCut ? '' : `[${written(item.items)}]`}`;
    })
    .join(' ');
}

describe('cutSidebar', () => {
  it('leaves a short list whole in every page', () => {
    expect(cutSidebar(groups(5, 8))).toBeUndefined();
  });

  it('shows the group of the page, and of the others the headings, which lead to their first pages', () => {
    const cut = cutSidebar(groups(12, 10));
    expect(written(cut?.around('g2/p4') ?? [])).toBe(
      `G0→/g0/p0 G1→/g1/p0 G2→/g2/p0[${pages('g2', 10)
        .map((item) => (item as { path: string }).path)
        .join(' ')}] ${Array.from({ length: 9 }, (_, i) => `G${i + 3}→/g${i + 3}/p0`).join(' ')}`,
    );
  });

  it('shows the chain of nested groups around a page, and the contents of a group whose own page is current', () => {
    const nested = group('Outer', [
      page('a'),
      group('Inner', [page('b')], { href: '/inner', path: 'inner' }),
      group('Far', [page('c')]),
    ]);
    const cut = cutSidebar([nested, ...groups(12, 10)]);
    expect(written(cut?.around('b') ?? [])).toMatch(
      /^Outer→\/a\[a Inner→\/inner\[b\] Far→\/c\] G0→\/g0\/p0 G1/,
    );
    expect(written(cut?.around('inner') ?? [])).toMatch(
      /^Outer→\/a\[a Inner→\/inner\[b\] Far→\/c\] G0/,
    );
    expect(written(cut?.around('elsewhere') ?? [])).toMatch(/^Outer→\/a G0→\/g0\/p0 G1/);
  });

  it('shows the part of a long list around the page, with links to the entries before and after it', () => {
    const cut = cutSidebar([group('All', pages('x', 500))]);
    const shown = written(cut?.around('x/p250') ?? []);
    expect(shown).toContain('x/p250');
    expect(shown).toMatch(
      /\[~Page x\/p239→\/x\/p239 x\/p240 .* x\/p279 ~Page x\/p280→\/x\/p280\]$/,
    );
    expect(written(cut?.around('x/p0') ?? [])).toMatch(
      /^All→\/x\/p0\[x\/p0 .* x\/p39 ~Page x\/p40/,
    );
    expect(written(cut?.around('x/p499') ?? [])).toMatch(
      /\[~Page x\/p459\S* x\/p460 .* x\/p499\]$/,
    );
  });

  it('shows every page in its own part, whatever the number of pages', () => {
    for (const items of [
      groups(400, 10),
      groups(20, 50),
      [group('All', pages('x', 300)), ...groups(30, 3)],
    ]) {
      const cut = cutSidebar(items);
      const paths = items
        .flatMap((item) => (item.kind === 'group' ? item.items : []))
        .map((item) => (item as { path: string }).path);
      for (const path of paths) {
        const shown = written(cut?.around(path) ?? []).split(/[ [\]]/);
        expect(shown).toContain(path);
        expect(shown.length).toBeLessThan(90);
      }
    }
  });

  it('keeps a group whole whose pages are all on other sites: its heading would lead nowhere', () => {
    const outside = group('Links', [
      { ...page('out'), kind: 'page', external: true } as SidebarItem,
    ]);
    const cut = cutSidebar([outside, ...groups(12, 10)]);
    expect(written(cut?.around('g3/p0') ?? [])).toMatch(/^Links→undefined\[out\] G0→\/g0\/p0 /);
  });

  it('shares the object of a part among its pages', () => {
    const cut = cutSidebar(groups(12, 10));
    expect(cut?.around('g2/p4')).toBe(cut?.around('g2/p5'));
    expect(cut?.around('g3/p4')).not.toBe(cut?.around('g2/p5'));
  });
});
