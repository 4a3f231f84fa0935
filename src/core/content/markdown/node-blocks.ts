import { components } from '../components/registry.ts';
import type { ContentNode } from '../expand/content-node.ts';
import { isBlockTag, isVoid } from '../html-policy.ts';

/** Returns whether the node is a block, which ends the surrounding paragraph. */
export function isBlockNode(node: ContentNode): boolean {
  if (node.type === 'element') return isBlockTag(node.tag) || (!isVoid(node.tag) && node.children.some(isBlockNode));
  if (node.type === 'component') return !isInlineComponent(node.name);
  return node.type === 'code' || (node.type === 'fault' && !node.inline);
}

/** Returns whether a component is inline. All others are blocks. */
export function isInlineComponent(name: string): boolean {
  return components.get(name)?.inline === true;
}
