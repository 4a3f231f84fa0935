import type { ContentNode } from '../expand/content-node.ts';
import { isVoid } from '../html-policy.ts';

/** Components that stand inside a line of text. All others are blocks, which no paragraph may hold. */
export const INLINE_COMPONENTS: ReadonlySet<string> = new Set(['Icon', 'Badge', 'Tooltip', 'Link', 'Image', 'Mention', 'Latex']);

const BLOCK_TAGS = new Set(
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);

/** Whether the node is a block, which ends the paragraph that it stands in. */
export function isBlockNode(node: ContentNode): boolean {
  if (node.type === 'element') return BLOCK_TAGS.has(node.tag) || (!isVoid(node.tag) && node.children.some(isBlockNode));
  if (node.type === 'component') return !INLINE_COMPONENTS.has(node.name);
  return node.type === 'code' || (node.type === 'fault' && !node.inline);
}
