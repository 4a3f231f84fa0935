import type { ApiPageRef, Group, NavigationNode } from './navigation.ts';

/**
 * The menu of an API description: one group for each tag, in the order in which tags first appear; operations without a tag
 * stand between them. Hidden operations have pages too; a group that nobody sees holds them.
 */
export function groupByTag(pages: readonly ApiPageRef[]): NavigationNode[] {
  const nodes: NavigationNode[] = [];
  const groups = new Map<string, Group>();
  const hidden: Group = { kind: 'group', label: '', expanded: false, hidden: true, children: [] };
  for (const page of pages) {
    const siblings = page.hidden ? hidden.children : page.group ? groupOf(page.group, groups, nodes).children : nodes;
    siblings.push({ kind: 'page', path: page.path });
  }
  return hidden.children.length > 0 ? [...nodes, hidden] : nodes;
}

function groupOf(label: string, groups: Map<string, Group>, nodes: NavigationNode[]): Group {
  const known = groups.get(label);
  if (known) return known;
  const group: Group = { kind: 'group', label, expanded: false, hidden: false, children: [] };
  groups.set(label, group);
  nodes.push(group);
  return group;
}
