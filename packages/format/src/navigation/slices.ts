import { onceForEach } from '../once.ts';
import type {
  Division,
  Group,
  MenuPage,
  Navigation,
  NavigationNode,
  PageLink,
} from './navigation.ts';

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

function collect(
  nodes: readonly NavigationNode[],
  trail: readonly Division[],
  id: string,
  slices: Slice[],
): void {
  const leaves = nodes.filter(isLeaf);
  if (leaves.length > 0)
    slices.push({ id, trail, hidden: trail.some((ancestor) => ancestor.hidden), nodes: leaves });
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

/**
 * Returns the page paths below the nodes in menu order, a group's own page first; may contain
 * duplicates.
 */
export function* pagesBelow(
  nodes: readonly NavigationNode[],
  enter: (node: Division | Group) => boolean,
): Generator<string> {
  for (const node of nodes) {
    if (node.kind === 'page') yield node.path;
    else if (enter(node)) {
      if (node.kind === 'group' && node.root !== undefined) yield node.root;
      yield* pagesBelow(node.children, enter);
    }
  }
}

/**
 * Returns the common folder of a division's pages, with a trailing slash; empty if there is none.
 */
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

/**
 * Finds the page of a version, language or dropdown that corresponds to a page of another.
 * @param isIn whether the page is shown in that division
 */
export function createCounterparts(isIn: (path: string, division: Division) => boolean) {
  /**
   * Returns the common folder of a division's pages, with a trailing slash; empty if there is none.
   */
  const prefix = onceForEach(folderOf);

  /**
   * `zh/a/b` → `a/b`, `v2/a` → `v3/a`, `docs/v2/a` → `docs/v3/a`, `a` → `zh/a`; most likely first.
   */
  function* candidates(path: string, from: Division, to: Division): Generator<string> {
    const fromPrefix = prefix(from);
    if (path.startsWith(fromPrefix)) yield prefix(to) + path.slice(fromPrefix.length);
    const segments = path.split('/');
    const position = segments.findIndex((segment) => isNameOf(segment, from));
    for (const name of new Set([to.id, to.label, to.id.toLowerCase()])) {
      if (position >= 0) yield segments.with(position, name).join('/');
      else yield `${name}/${path}`;
    }
    if (position >= 0) yield segments.toSpliced(position, 1).join('/');
  }

  /**
   * Returns the page of `to` at the same place in the folders as `path` of `from`, or undefined.
   */
  function find(path: string, from: Division, to: Division): string | undefined {
    for (const candidate of candidates(path, from, to))
      if (candidate !== path && isIn(candidate, to)) return candidate;
    return undefined;
  }

  return { find, prefix };
}

function isNameOf(segment: string, division: Division): boolean {
  return (
    segment === division.id || segment === division.label || segment === division.id.toLowerCase()
  );
}

/**
 * Finds the link targets of divisions.
 * @param isIn whether the page is shown in that division, not in another one that names it too
 */
export function createDivisionTargets(
  pages: ReadonlyMap<string, MenuPage>,
  isIn: (path: string, division: Division) => boolean,
) {
  /**
   * Returns the division's own link, otherwise that of its first visible page; undefined if it has
   * neither.
   */
  const href = onceForEach((division: Division) => division.href ?? firstHref(division));

  /**
   * Returns the first page in the part of `division` that best matches the reader's position: the
   * API tab of another version for the API tab of this one.
   * @param trail the reader's divisions, from the sibling of `division` inwards
   */
  function nearestHref(division: Division, trail: readonly Division[]): string | undefined {
    let nearest = division;
    for (const [depth, own] of trail.entries()) {
      const nextDivision = trail[depth + 1];
      if (!nextDivision) break;
      const position = divisionsOf(own.children).indexOf(nextDivision);
      const children = divisionsOf(nearest.children);
      const match =
        children.find(
          (child) => child.kind === nextDivision.kind && child.id === nextDivision.id,
        ) ?? (children[position]?.kind === nextDivision.kind ? children[position] : undefined);
      if (!match || match.hidden || match.href !== undefined || href(match) === undefined) break;
      nearest = match;
    }
    return href(nearest);
  }

  function firstHref(division: Division): string | undefined {
    let shared: string | undefined;
    for (const path of visiblePages(division)) {
      const page = pages.get(path);
      if (!page || page.hidden) continue;
      if (page.externalUrl === undefined && isIn(path, division)) return page.href;
      shared ??= page.externalUrl ?? page.href;
    }
    return shared;
  }

  /** Divisions of the default version and language come first. */
  function* visiblePages(division: Division): Generator<string> {
    const children = divisionsOf(division.children);
    const chosen = children.filter(
      (child) => child.default && (child.kind === 'language' || child.kind === 'version'),
    );
    yield* pagesBelow(chosen, (node) => !node.hidden);
    yield* pagesBelow(division.children, (node) => !node.hidden);
  }

  return { href, nearestHref };
}
