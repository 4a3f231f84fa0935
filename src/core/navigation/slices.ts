import type { Division, Group, Navigation, NavigationNode, PageLink } from './navigation.ts';

/** A part of the navigation that shows one sidebar: the groups and pages that stand in the same division. */
export interface Slice {
  /** `sidebar`, or `sidebar-0-2`: the position of each division among its siblings. */
  id: string;
  /** The divisions around it, outermost first. */
  trail: readonly Division[];
  /** Whether one of these is hidden. */
  hidden: boolean;
  nodes: readonly (Group | PageLink)[];
}

/** All slices in the order of the navigation, those of global divisions last. */
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

/** The divisions among the nodes. */
export function divisionsOf(nodes: readonly NavigationNode[]): Division[] {
  return nodes.filter((node): node is Division => !isLeaf(node));
}

function isLeaf(node: NavigationNode): node is Group | PageLink {
  return node.kind === 'group' || node.kind === 'page';
}

/** Page paths below the nodes in menu order, a group's own page first; a path can come more than once. */
export function* pagesBelow(nodes: readonly NavigationNode[], enter: (node: Division | Group) => boolean): Generator<string> {
  for (const node of nodes) {
    if (node.kind === 'page') yield node.path;
    else if (enter(node)) {
      if (node.kind === 'group' && node.root !== undefined) yield node.root;
      yield* pagesBelow(node.children, enter);
    }
  }
}
