import type { Division, Navigation, NavigationNode } from './navigation.ts';

/** What the place of a page in the navigation says about it. */
export interface PageFacts {
  /** Label of the version that it belongs to. */
  version?: string;
  /** Code of the language that it belongs to. */
  language?: string;
  /** Badge of the nearest group or division that has one; not that of a version. */
  tag?: string;
  /** Where it stands, for readers: the labels of all divisions and groups around it, outermost first, but for versions and languages. */
  trail: string[];
  /** Weight in search: that of the nearest group or division that has one. */
  boost?: number;
  /** Stands in a hidden part only, and that part does not say `searchable: true`. */
  hidden: boolean;
  /** What the nearest group or division says; `false` takes the page out of search alone. */
  searchable?: boolean;
  inNavigation: true;
}

/**
 * The facts of every page that the navigation names. Of several places of a page the first visible one counts.
 */
export function pageFacts(navigation: Navigation): Map<string, PageFacts> {
  const facts = new Map<string, PageFacts>();
  const start: PageFacts = { hidden: false, inNavigation: true, trail: [] };
  for (const node of [...navigation.roots, ...navigation.global]) collect(node, start, facts);
  return facts;
}

function collect(node: NavigationNode, inherited: PageFacts, facts: Map<string, PageFacts>): void {
  if (node.kind === 'page') {
    add(node.path, inherited, facts);
    return;
  }
  const own: PageFacts = { ...inherited };
  const isShown = node.kind !== 'version' && node.kind !== 'language' && node.label !== '';
  if (isShown && node.label !== inherited.trail.at(-1)) own.trail = [...inherited.trail, node.label];
  if (node.hidden) own.hidden = true;
  if (node.searchable !== undefined) {
    own.searchable = node.searchable;
    if (node.searchable) own.hidden = false;
  }
  if (node.boost !== undefined) own.boost = node.boost;
  if (node.tag !== undefined && node.kind !== 'version') own.tag = node.tag;
  if (node.kind !== 'group') setDivision(own, node);
  else if (node.root !== undefined) add(node.root, own, facts);
  for (const child of node.children) collect(child, own, facts);
}

function setDivision(facts: PageFacts, division: Division): void {
  if (division.kind === 'version') facts.version = division.label;
  if (division.kind === 'language') facts.language = division.id;
}

function add(path: string, place: PageFacts, facts: Map<string, PageFacts>): void {
  const known = facts.get(path);
  if (known === undefined || (known.hidden && !place.hidden)) facts.set(path, place);
}
