import { type ComponentNode, type ContentNode, isComponent } from '../expand/content-node.ts';

/**
 * The calls of the named components among `nodes`, in order, also where Markdown or the author put a paragraph or
 * a `<div>` around them. Does not look into other components.
 */
export function childComponents(nodes: readonly ContentNode[], ...names: string[]): ComponentNode[] {
  const found: ComponentNode[] = [];
  for (const node of nodes) {
    if (isComponent(node, ...names)) found.push(node);
    else if (node.type === 'element') found.push(...childComponents(node.children, ...names));
  }
  return found;
}

/** What of `nodes` is neither a call of the named components, nor only a wrapper around some, nor blank text. */
export function looseNodes(nodes: readonly ContentNode[], ...names: string[]): ContentNode[] {
  return nodes.filter((node) => {
    if (node.type === 'text') return node.value.trim() !== '';
    if (isComponent(node, ...names)) return false;
    return node.type !== 'element' || childComponents(node.children, ...names).length === 0;
  });
}

/** Whether there is nothing to see in `nodes`. */
export function isBlank(nodes: readonly ContentNode[]): boolean {
  return nodes.every((node) => node.type === 'text' && node.value.trim() === '');
}
