import { components } from '../components/registry.ts';
import {
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  NodesValue,
  PERSONAL,
} from '../nodes/content-node.ts';
import { isBlockTag, isVoid } from '../nodes/html-policy.ts';

const INLINE_TAGS = new Set(
  'a abbr b code del em font i ins kbd mark q s samp small span strike strong sub sup u var'.split(
    ' ',
  ),
);
const MEDIA_TAGS = new Set(['iframe', 'video', 'audio']);
const SILENT_TAGS = new Set('script style svg iframe noscript template embed'.split(' '));

/**
 * Returns the Markdown form of a call in plain elements; for an undefined component, its contents.
 */
export function markdownForm(node: ComponentNode): readonly ContentNode[] {
  return components.get(node.name)?.markdown(node) ?? node.children;
}

/**
 * Returns the prose of nodes for search: words separated by white space, including output of
 * components, without code blocks.
 */
export function nodeProse(nodes: readonly ContentNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'math') text += node.value;
    else if (node.type === 'element') text += elementProse(node);
    else if (node.type === 'component') {
      const content = nodeProse(markdownForm(node));
      text += isBlockNode(node) ? ` ${content} ` : content;
    }
  }
  return text;
}

function elementProse({ tag, attributes, children }: ElementNode): string {
  const label = tag === 'img' ? attributes.alt : MEDIA_TAGS.has(tag) ? attributes.title : undefined;
  const labelText = typeof label === 'string' ? ` ${label} ` : '';
  if (SILENT_TAGS.has(tag)) return labelText;
  const content = nodeProse(children);
  return (INLINE_TAGS.has(tag) ? content : ` ${content} `) + labelText;
}

/** Returns the code blocks in nodes, in order. */
export function nodeCode(nodes: readonly ContentNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'code') return [node.value];
    if (node.type === 'element') return nodeCode(node.children);
    return node.type === 'component' ? nodeCode(markdownForm(node)) : [];
  });
}

/** Collapses white space to single spaces. */
export function squeeze(text: string): string {
  // Single spaces, nearly all, stay.
  return text.replace(/ \s+|[^\S ]\s*/g, ' ').trim();
}

/** Returns whether the node is a block, which ends the surrounding paragraph. */
export function isBlockNode(node: ContentNode): boolean {
  if (node.type === 'element')
    return isBlockTag(node.tag) || (!isVoid(node.tag) && node.children.some(isBlockNode));
  if (node.type === 'component' && node.name === PERSONAL) {
    const parts = Object.values(node.props).filter((part) => part instanceof NodesValue);
    return [...node.children, ...parts.flatMap(({ nodes }) => nodes)].some(isBlockNode);
  }
  if (node.type === 'component') return !isInlineComponent(node.name);
  return node.type === 'code' || (node.type === 'fault' && !node.inline);
}

/** Returns whether a component is inline. All others are blocks. */
function isInlineComponent(name: string): boolean {
  return components.get(name)?.inline === true;
}
