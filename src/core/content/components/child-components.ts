import { type ComponentNode, type ContentNode, isComponent } from '../expand/content-node.ts';

/**
 * Returns the calls of the named components among `nodes`, in order, also if Markdown or the author wrapped them in a paragraph
 * or a `<div>`. Does not search inside other components.
 */
export function childComponents(nodes: readonly ContentNode[], ...names: string[]): ComponentNode[] {
  const found: ComponentNode[] = [];
  for (const node of nodes) {
    if (isComponent(node, ...names)) found.push(node);
    else if (node.type === 'element') found.push(...childComponents(node.children, ...names));
  }
  return found;
}

/** Returns the nodes that are neither calls of the named components, nor wrappers of only such calls, nor blank text. */
export function looseNodes(nodes: readonly ContentNode[], ...names: string[]): ContentNode[] {
  return nodes.filter((node) => {
    if (node.type === 'text') return node.value.trim() !== '';
    if (isComponent(node, ...names)) return false;
    return node.type !== 'element' || childComponents(node.children, ...names).length === 0;
  });
}

/** Returns whether `nodes` render nothing visible. */
export function isBlank(nodes: readonly ContentNode[]): boolean {
  return nodes.every((node) => node.type === 'text' && node.value.trim() === '');
}
