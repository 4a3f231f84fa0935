import type { ContentNode } from '../expand/content-node.ts';

/** Returns the plain text of nodes, for labels, ids and the table of contents. */
export function nodeText(nodes: readonly ContentNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code' || node.type === 'math') text += node.value;
    else if (node.type === 'element') text += node.tag === 'br' ? ' ' : nodeText(node.children);
    else if (node.type === 'component') text += nodeText(node.children);
  }
  return text;
}
