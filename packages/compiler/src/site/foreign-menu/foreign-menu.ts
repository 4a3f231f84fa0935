import type { SourceTree } from '../../source/source-tree.ts';
import { PAGE_FILE } from '../page-paths.ts';
import { docusaurusMenu } from './docusaurus-menu.ts';
import { type Redirect, redirectsFrom } from './former-addresses.ts';
import { gitbookMenu } from './gitbook-menu.ts';
import type { ForeignMenu, MenuItem } from './menu-item.ts';
import { mkdocsMenu } from './mkdocs-menu.ts';
import { vitepressMenu } from './vitepress-menu.ts';

/** An entry of `pages` in docs.json. */
export type MenuEntry = string | MenuGroup;

export interface MenuGroup {
  group: string;
  pages: MenuEntry[];
}

/** What a site of another platform has for docs.json. */
export interface ForeignSite extends Partial<ConvertedMenu> {
  /** From the addresses that its pages had. */
  redirects: Redirect[];
}

/** The menu of another platform as `navigation` of docs.json. */
export interface ConvertedMenu {
  /** Where the menu is: "mkdocs.yml". */
  file: string;
  name?: string | undefined;
  navigation: { groups: MenuGroup[] } | { tabs: { tab: string; groups: MenuGroup[] }[] };
  pageCount: number;
}

const READERS = [mkdocsMenu, vitepressMenu, docusaurusMenu, gitbookMenu];

/**
 * Reads the menu and the addresses that a folder has for MkDocs, VitePress, Docusaurus or GitBook.
 * Nothing of the folder is run. Pages that the menu names and the folder does not have are left out.
 */
export function foreignSite(source: SourceTree): ForeignSite {
  for (const read of READERS) {
    const menu = read(source);
    if (menu === undefined || menu.addresses.length === 0) continue;
    const lists = menu.roots.flatMap(listsIn);
    return { ...convert(menu), redirects: redirectsFrom([...menu.addresses, ...lists], source) };
  }
  return { redirects: [] };
}

/** The addresses of groups, which lead to the first page. */
function listsIn(item: MenuItem): [address: string, file: string][] {
  const page = firstPage(item);
  const inside = (item.items ?? []).flatMap(listsIn);
  return item.address === undefined || page === undefined
    ? inside
    : [[item.address, page], ...inside];
}

function firstPage({ page, items = [] }: MenuItem): string | undefined {
  return page ?? items.map(firstPage).find((first) => first !== undefined);
}

function convert({ file, name, roots, areTabs }: ForeignMenu): ConvertedMenu | undefined {
  const pages = new Set<string>();
  const kept = roots.filter(({ items, page }) => items !== undefined || page !== undefined);
  const tabs = kept.flatMap(({ label, items = [], page }) => {
    const groups = groupsOf(page === undefined ? items : [{ page }, ...items], label, pages);
    return groups.length === 0 ? [] : [{ tab: label ?? 'Documentation', groups }];
  });
  if (areTabs && tabs.length > 1)
    return { file, name, navigation: { tabs }, pageCount: pages.size };
  pages.clear();
  const groups = groupsOf(areTabs ? (kept[0]?.items ?? []) : kept, undefined, pages);
  return groups.length === 0
    ? undefined
    : { file, name, navigation: { groups }, pageCount: pages.size };
}

/** Groups of a menu's top level; adjacent pages without a group get one. */
function groupsOf(
  items: readonly MenuItem[],
  label: string | undefined,
  pages: Set<string>,
): MenuGroup[] {
  const groups: MenuGroup[] = [];
  let loose: MenuGroup | undefined;
  for (const entry of entriesOf(items, pages)) {
    if (typeof entry === 'object') {
      loose = undefined;
      groups.push(entry);
    } else {
      if (loose === undefined) {
        loose = { group: label ?? (groups.length === 0 ? 'Get started' : 'More'), pages: [] };
        groups.push(loose);
      }
      loose.pages.push(entry);
    }
  }
  return groups;
}

/** A page is in a menu once, as docs.json requires. */
function entriesOf(items: readonly MenuItem[], pages: Set<string>): MenuEntry[] {
  return items.flatMap(({ label, page, items: children }): MenuEntry[] => {
    const first: MenuEntry[] = [];
    const path = page?.replace(PAGE_FILE, '');
    if (path !== undefined && !pages.has(path)) {
      pages.add(path);
      first.push(path);
    }
    if (children === undefined) return first;
    const inside = [...first, ...entriesOf(children, pages)];
    return inside.length === 0 ? [] : [{ group: label ?? 'More', pages: inside }];
  });
}
