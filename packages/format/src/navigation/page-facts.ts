import type { Navigation, NavigationNode } from './navigation.ts';

/** Properties of a page that follow from its place in the navigation. */
export interface PageFacts {
  version?: string;
  language?: string;
  /** All versions of a page that is in several places, its own first; likewise its languages. */
  versions?: string[];
  languages?: string[];
  /** Badge of the nearest group or division that has one; not that of a version. */
  tag?: string;
  /**
   * The labels of all enclosing divisions and groups except versions and languages, outermost
   * first.
   */
  trail: string[];
  /** Search weight of the nearest group or division that has one. */
  boost?: number;
  /** Only in hidden parts that do not set `searchable: true`. */
  hidden: boolean;
  /** The setting of the nearest group or division; `false` only excludes the page from search. */
  searchable?: boolean;
}

/**
 * Returns the properties of every page in the navigation. If a page appears several times, the
 * first visible place counts, and it belongs to the versions and languages of all visible places.
 */
export function pageFacts(navigation: Navigation): Map<string, PageFacts> {
  const facts = new Map<string, PageFacts>();
  const start: PageFacts = { hidden: false, trail: [] };
  for (const node of [...navigation.roots, ...navigation.global]) collect(node, start, facts);
  return facts;
}

function collect(node: NavigationNode, inherited: PageFacts, facts: Map<string, PageFacts>): void {
  if (node.kind === 'page') {
    add(node.path, inherited, facts);
    return;
  }
  const nodeFacts: PageFacts = { ...inherited };
  const isShown = node.kind !== 'version' && node.kind !== 'language' && node.label !== '';
  if (isShown && node.label !== inherited.trail.at(-1))
    nodeFacts.trail = [...inherited.trail, node.label];
  if (node.hidden) nodeFacts.hidden = true;
  if (node.searchable !== undefined) {
    nodeFacts.searchable = node.searchable;
    if (node.searchable) nodeFacts.hidden = false;
  }
  if (node.boost !== undefined) nodeFacts.boost = node.boost;
  if (node.tag !== undefined && node.kind !== 'version') nodeFacts.tag = node.tag;
  if (node.kind === 'version') nodeFacts.version = node.label;
  if (node.kind === 'language') nodeFacts.language = node.id;
  if (node.kind === 'group' && node.root !== undefined) add(node.root, nodeFacts, facts);
  for (const child of node.children) collect(child, nodeFacts, facts);
}

function add(path: string, place: PageFacts, facts: Map<string, PageFacts>): void {
  const existingFacts = facts.get(path);
  if (existingFacts === undefined || (existingFacts.hidden && !place.hidden))
    facts.set(path, place);
  else if (!place.hidden) facts.set(path, { ...existingFacts, ...shared(existingFacts, place) });
}

/** The labels of a page with those of one more place. */
function shared(
  existingFacts: PageFacts,
  place: PageFacts,
): Pick<PageFacts, 'versions' | 'languages'> {
  return {
    ...(existingFacts.version !== undefined && {
      versions: joined(existingFacts.versions ?? [existingFacts.version], place.version),
    }),
    ...(existingFacts.language !== undefined && {
      languages: joined(existingFacts.languages ?? [existingFacts.language], place.language),
    }),
  };
}

function joined(labels: string[], label: string | undefined): string[] {
  return label === undefined || labels.includes(label) ? labels : [...labels, label];
}
