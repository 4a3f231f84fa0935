import { firstHref } from './cut-sidebar.ts';
import type {
  DirectoryItem,
  Group,
  MenuLink,
  MenuPage,
  PageLink,
  PageMenu,
  SidebarItem,
} from './navigation.ts';
import type { Slice } from './slices.ts';

/** The sidebar of a slice, and the positions of pages in it. */
export interface Sidebar {
  items: readonly SidebarItem[];
  /** Pages in previous/next order, without duplicates. */
  order: readonly MenuPage[];
  /** Position of each page; the first one if there are several. */
  spots: ReadonlyMap<string, SidebarSpot>;
}

export interface SidebarSpot {
  breadcrumbs: MenuLink[];
  /** Index in `order`; undefined for a page that the sidebar does not show. */
  position?: number;
  /** Whether it, or a group around it, is hidden. */
  hidden: boolean;
  /** The contents of its group, if it is the group's page and lists them. */
  directory?: PageMenu['directory'];
}

/**
 * Builds the sidebar of a slice. Hidden groups and pages are not shown, but have a position.
 * @param trail breadcrumbs of the divisions around the slice
 * @param drilldown whether a group without its own page links to its first one
 */
export function buildSidebar(
  slice: Slice,
  trail: MenuLink[],
  pages: ReadonlyMap<string, MenuPage>,
  drilldown: boolean,
): Sidebar {
  const order: MenuPage[] = [];
  const spots = new Map<string, SidebarSpot>();

  function itemsOf(
    nodes: readonly (Group | PageLink)[],
    breadcrumbs: MenuLink[],
    hidden: boolean,
    depth: number,
  ): SidebarItem[] {
    const items: SidebarItem[] = [];
    for (const node of nodes) {
      const item =
        node.kind === 'page'
          ? linkTo(node.path, breadcrumbs, hidden)
          : groupItem(node, breadcrumbs, hidden, depth);
      if (item) items.push(item);
    }
    return items;
  }

  function groupItem(
    group: Group,
    breadcrumbs: MenuLink[],
    hidden: boolean,
    depth: number,
  ): SidebarItem | undefined {
    const isHidden = hidden || group.hidden;
    const link: MenuLink = { label: group.label, href: '' };
    const inside = group.label === '' ? breadcrumbs : [...breadcrumbs, link];
    const root = group.root === undefined ? undefined : linkTo(group.root, breadcrumbs, isHidden);
    const leaves = group.children.filter(
      (node): node is Group | PageLink => node.kind === 'group' || node.kind === 'page',
    );
    const items = itemsOf(leaves, inside, isHidden, depth + 1);
    link.href = root?.href ?? firstHref(items) ?? '';
    addDirectory(group, items);
    if (isHidden || (items.length === 0 && !root)) return undefined;
    const isLink = root?.kind !== 'page' && drilldown && link.href !== '';
    return {
      kind: 'group',
      label: group.label,
      ...(group.icon ? { icon: group.icon } : {}),
      ...(group.tag ? { tag: group.tag } : {}),
      ...(root?.kind === 'page' ? { href: root.href, path: root.path } : {}),
      ...(isLink ? { href: link.href } : {}),
      // Only nested groups are collapsible.
      expanded: depth === 0 || group.expanded,
      items,
    };
  }

  function addDirectory({ root, directory }: Group, items: readonly SidebarItem[]): void {
    const spot = root === undefined || directory === undefined ? undefined : spots.get(root);
    if (!spot || !directory || spot.directory || items.length === 0) return;
    spot.directory = { style: directory, items: items.map((item) => directoryItem(item)) };
  }

  function directoryItem(item: SidebarItem): DirectoryItem {
    const icon = item.icon ? { icon: item.icon } : {};
    const page = item.path === undefined ? undefined : pages.get(item.path);
    const description = page?.description ? { description: page.description } : {};
    if (item.kind === 'page')
      return { label: item.label, href: item.href, ...icon, ...description };
    const items = item.items.map((child) => directoryItem(child));
    return {
      label: item.label,
      href: item.href ?? firstHref(item.items) ?? '',
      ...icon,
      ...description,
      items,
    };
  }

  function linkTo(
    path: string,
    breadcrumbs: MenuLink[],
    inHidden: boolean,
  ): SidebarItem | undefined {
    const page = pages.get(path);
    if (!page) return undefined;
    const isHidden = inHidden || page.hidden === true;
    const existingSpot = spots.get(path);
    if (!existingSpot || (existingSpot.hidden && !isHidden)) {
      const isStop = !isHidden && page.externalUrl === undefined;
      spots.set(path, {
        breadcrumbs,
        hidden: isHidden,
        ...(isStop ? { position: order.length } : {}),
      });
      if (isStop) order.push(page);
    }
    return isHidden ? undefined : pageItem(page);
  }

  return { items: itemsOf(slice.nodes, trail, false, 0), order, spots };
}

function pageItem(page: MenuPage): SidebarItem {
  return {
    kind: 'page',
    path: page.path,
    label: withoutMethod(pageLabel(page), page.method),
    href: page.externalUrl ?? page.href,
    external: page.externalUrl !== undefined,
    ...(page.icon ? { icon: page.icon } : {}),
    ...(page.tag ? { tag: page.tag } : {}),
    deprecated: page.deprecated === true,
    ...(page.method ? { method: page.method } : {}),
  };
}

/**
 * The menu shows the method beside the label, which for an operation without a summary is `GET
 * /users`.
 */
function withoutMethod(label: string, method: string | undefined): string {
  return method && label.startsWith(`${method} /`) ? label.slice(method.length + 1) : label;
}

/** Returns the label of a page in menus. */
export function pageLabel(page: MenuPage): string {
  return page.sidebarTitle ?? page.title;
}
