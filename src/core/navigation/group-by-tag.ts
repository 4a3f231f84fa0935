import type { GeneratedPage, Group, NavigationNode } from './navigation.ts';

/**
 * The menu of generated pages: one group for each tag, in the order in which tags first appear; pages without one stand
 * between them. Hidden pages have a place too; a group that nobody sees holds them.
 */
export function groupByTag(pages: readonly GeneratedPage[]): NavigationNode[] {
  const root = new Branch();
  const hidden: Group = { kind: 'group', label: '', expanded: false, hidden: true, children: [] };
  for (const { path, group, subgroup, hidden: isHidden } of pages) {
    const branch = [group, subgroup].reduce((inner, label) => (label ? inner.branch(label) : inner), root);
    (isHidden ? hidden.children : branch.nodes).push({ kind: 'page', path });
  }
  return hidden.children.length > 0 ? [...root.nodes, hidden] : root.nodes;
}

class Branch {
  readonly nodes: NavigationNode[] = [];
  readonly #branches = new Map<string, Branch>();

  /** The group of that name, which stands where it was first asked for. */
  branch(label: string): Branch {
    const known = this.#branches.get(label);
    if (known) return known;
    const made = new Branch();
    this.#branches.set(label, made);
    this.nodes.push({ kind: 'group', label, expanded: false, hidden: false, children: made.nodes });
    return made;
  }
}
