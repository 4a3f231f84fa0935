import type { Division, Group, Navigation, NavigationNode, PageLink } from './navigation.ts';

/** A part of the navigation with its own sidebar: the groups and pages of one division. */
export interface Slice {
  /** `sidebar`, or `sidebar-0-2`: the index of each division among its siblings. */
  id: string;
  /** The enclosing divisions, outermost first. */
  trail: readonly Division[];
  /** Whether one of these is hidden. */
  hidden: boolean;
  nodes: readonly (Group | PageLink)[];
}

/** Returns all slices in navigation order, those of global divisions last. */
export function listSlices(navigation: Navigation): Slice[] {
  const slices: Slice[] = [];
  collect(navigation.roots, [], 'sidebar', slices);
  for (const [index, division] of navigation.global.entries()) {
    collect(division.children, [division], `sidebar-global-${index}`, slices);
  }
  return slices;
}

function collect(nodes: readonly NavigationNode[], trail: readonly Division[], id: string, slices: Slice[]): void {
  const leaves = nodes.filter(isLeaf);
  if (leaves.length > 0) slices.push({ id, trail, hidden: trail.some((one) => one.hidden), nodes: leaves });
  for (const [index, division] of divisionsOf(nodes).entries()) {
    collect(division.children, [...trail, division], `${id}-${index}`, slices);
  }
}

/** Returns the divisions among the nodes. */
export function divisionsOf(nodes: readonly NavigationNode[]): Division[] {
  return nodes.filter((node): node is Division => !isLeaf(node));
}

function isLeaf(node: NavigationNode): node is Group | PageLink {
  return node.kind === 'group' || node.kind === 'page';
}

/** Returns the page paths below the nodes in menu order, a group's own page first; may contain duplicates. */
export function* pagesBelow(nodes: readonly NavigationNode[], enter: (node: Division | Group) => boolean): Generator<string> {
  for (const node of nodes) {
    if (node.kind === 'page') yield node.path;
    else if (enter(node)) {
      if (node.kind === 'group' && node.root !== undefined) yield node.root;
      yield* pagesBelow(node.children, enter);
    }
  }
}

/** Returns the common folder of a division's pages, with a trailing slash; empty if there is none. */
export function folderOf(division: Division): string {
  let common: string[] | undefined;
  for (const path of pagesBelow(division.children, () => true)) {
    const folders = path.split('/').slice(0, -1);
    common = common === undefined ? folders : commonStart(common, folders);
    if (common.length === 0) break;
  }
  return common && common.length > 0 ? `${common.join('/')}/` : '';
}

function commonStart(a: readonly string[], b: readonly string[]): string[] {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
