import type { GeneratedPage, Group, NavigationNode } from './navigation.ts';

/**
 * Builds the menu of generated pages: one group for each tag, in order of first appearance; pages without a tag stay between
 * them. Hidden pages are included; a group with only hidden pages is hidden.
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

  /** Returns the group of that name, created at its first use. */
  branch(label: string): Branch {
    const known = this.#branches.get(label);
    if (known) return known;
    const made = new Branch();
    this.#branches.set(label, made);
    this.nodes.push({ kind: 'group', label, expanded: false, hidden: false, children: made.nodes });
    return made;
  }
}
