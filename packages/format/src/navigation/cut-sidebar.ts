import { oncePerObject } from '../once.ts';
import type { MenuItem, SidebarItem } from './navigation.ts';

/** A list of pages of at most this size is in every page as a whole. */
const MAX_WHOLE_BYTES = 8_000;
/** Markup around the label and the address of an entry. */
const ENTRY_BYTES = 80;
/** How many entries of a long list surround the current page; headings are longer. */
const MAX_PAGES = 40;
const MAX_HEADINGS = 20;

/** A long list of pages, of which each page has only the part around itself. */
export interface SidebarCut {
  /** The whole list: every group is closed, and a link to its own or its first page. */
  whole: readonly MenuItem[];
  /**
   * Returns the part for the page of that path: the groups around it, and of the others only the
   * headings.
   */
  around: (path: string) => readonly MenuItem[];
}

/**
 * Prepares a long list of pages so that the size of a page does not depend on their number.
 * @returns undefined for a list that is short enough to be in every page
 */
export function cutSidebar(items: readonly SidebarItem[]): SidebarCut | undefined {
  if (sizeBytes(items) <= MAX_WHOLE_BYTES) return undefined;
  const whole = items.map(folded);
  const chains = new Map<string, number[]>();
  addChains(whole, [], chains);
  // Pages are rendered in the order of the list, and those of one part share its object.
  let last: { name: string; items: readonly MenuItem[] } | undefined;
  const around = (path: string) => {
    const chain = chains.get(path) ?? [];
    const name = partName(whole, chain);
    if (last?.name !== name) last = { name, items: part(whole, chain) };
    return last.items;
  };
  return { whole, around };
}

function sizeBytes(items: readonly SidebarItem[]): number {
  let sum = 0;
  for (const item of items) {
    sum += ENTRY_BYTES + item.label.length + (item.href?.length ?? 0);
    if (item.kind === 'group') sum += sizeBytes(item.items);
  }
  return sum;
}

/**
 * A group without a page of this site has nothing that its heading could lead to without scripts,
 * so it stays as it is.
 */
function folded(item: SidebarItem): MenuItem {
  if (item.kind === 'page') return item;
  const href = item.href ?? firstHref(item.items);
  const items = item.items.map(folded);
  if (href === undefined) return { ...item, items, expanded: false, folds: true };
  return { ...item, items, href, expanded: false, folds: true };
}

/** Returns the address of the first page of this site below the items. */
export function firstHref(items: readonly SidebarItem[]): string | undefined {
  for (const item of items) {
    const href =
      item.kind === 'page'
        ? item.external
          ? undefined
          : item.href
        : (item.href ?? firstHref(item.items));
    if (href) return href;
  }
  return undefined;
}

/**
 * The positions that lead to each page; its first place counts. The page of a group leads into the
 * group.
 */
function addChains(
  items: readonly MenuItem[],
  outer: readonly number[],
  chains: Map<string, number[]>,
): void {
  for (const [index, item] of items.entries()) {
    const chain = [...outer, index];
    if (item.kind === 'more') continue;
    if (item.path !== undefined && !chains.has(item.path)) chains.set(item.path, chain);
    if (item.kind === 'group') addChains(item.items, chain, chains);
  }
}

/** Pages with the same name have the same part. */
function partName(whole: readonly MenuItem[], chain: readonly number[]): string {
  const starts: number[] = [];
  const groups: number[] = [];
  let items = whole;
  for (const position of [...chain, 0]) {
    starts.push(windowStart(items, starts.length < chain.length ? position : 0));
    const item = items[position];
    if (starts.length > chain.length || item?.kind !== 'group') break;
    groups.push(position);
    items = item.items;
  }
  return `${groups.join('.')} ${starts.join('.')}`;
}

function part(
  items: readonly MenuItem[],
  [position = -1, ...inner]: readonly number[],
): MenuItem[] {
  const from = windowStart(items, Math.max(position, 0));
  const to = from + windowSize(items);
  const entries = items.slice(from, to).map((item, index): MenuItem => {
    if (item.kind !== 'group') return item;
    if (from + index === position)
      return { ...item, expanded: true, items: part(item.items, inner) };
    return item.href === undefined ? item : { ...item, items: [], isCut: true };
  });
  return [...more(items[from - 1]), ...entries, ...more(items[to])];
}

/** Leads to the nearest entry that the part leaves out. */
function more(item: MenuItem | undefined): MenuItem[] {
  return item?.href === undefined ? [] : [{ kind: 'more', label: item.label, href: item.href }];
}

const windowSize = oncePerObject((items: readonly MenuItem[]) =>
  items.some((item) => item.kind === 'group') ? MAX_HEADINGS : MAX_PAGES,
);

/**
 * Moves in steps, so that neighbors share a part, and each page has some entries before and after
 * its own.
 */
function windowStart(items: readonly MenuItem[], position: number): number {
  const size = windowSize(items);
  const step = size / 2;
  const start = Math.floor((position - step / 2) / step) * step;
  return Math.max(0, Math.min(start, items.length - size));
}
