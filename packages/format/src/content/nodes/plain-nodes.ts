import {
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  isComponent,
} from './content-node.ts';
import { isBlockTag } from './html-policy.ts';

type Piece = ContentNode | string | undefined | readonly ContentNode[];

/** Creates nodes: strings become text nodes, `undefined` is dropped. */
export function nodes(...pieces: readonly Piece[]): ContentNode[] {
  return pieces.flatMap((piece): readonly ContentNode[] => {
    if (piece === undefined || piece === '') return [];
    if (typeof piece === 'string') return [{ type: 'text', value: piece }];
    return 'type' in piece ? [piece] : piece;
  });
}

/** Creates an element. */
export function element(
  tag: string,
  attributes: ElementNode['attributes'],
  ...children: readonly Piece[]
): ElementNode {
  return { type: 'element', tag, attributes, children: nodes(...children) };
}

/** A title as a bold line; nothing if there is none. */
export function titleLine(...title: readonly Piece[]): ContentNode[] {
  return nodes(...title).length === 0 ? [] : [element('p', {}, element('strong', {}, ...title))];
}

/** A paragraph; nothing if it would be empty. */
export function line(...content: readonly Piece[]): ContentNode[] {
  return nodes(...content).length === 0 ? [] : [element('p', {}, ...content)];
}

/**
 * Puts `start` before the first line of `body`, separated by `between`; on a line of its own before
 * a block.
 */
export function leading(
  start: readonly ContentNode[],
  between: string,
  body: readonly ContentNode[],
): ContentNode[] {
  const from = body.findIndex((node) => node.type !== 'text' || node.value.trim() !== '');
  const [first, ...rest] = from < 0 ? [] : withoutLeadingSpace(body.slice(from));
  if (start.length === 0 || first === undefined) return nodes(start, first, rest);
  if (first.type === 'element' && first.tag === 'p')
    return [{ ...first, children: nodes(start, between, first.children) }, ...rest];
  return isInLine(first, rest)
    ? nodes(start, between, first, rest)
    : [...line(start), first, ...rest];
}

function withoutLeadingSpace(nodes: readonly ContentNode[]): readonly ContentNode[] {
  const [first, ...rest] = nodes;
  if (first?.type === 'text') return [{ ...first, value: first.value.trimStart() }, ...rest];
  if (first?.type !== 'element' || (isBlockTag(first.tag) && first.tag !== 'p')) return nodes;
  return [{ ...first, children: [...withoutLeadingSpace(first.children)] }, ...rest];
}

/** Returns whether a node starts a line of text. A component does if text follows it. */
function isInLine(node: ContentNode, rest: readonly ContentNode[]): boolean {
  if (node.type === 'component')
    return rest.some((other) => other.type === 'text' && other.value.trim() !== '');
  return node.type === 'text' || (node.type === 'element' && !isBlockTag(node.tag));
}

/**
 * Returns the calls of the named components among `nodes`, in order, also if Markdown or the author
 * wrapped them in a paragraph or a `<div>`. Does not search inside other components.
 */
export function childComponents(
  nodes: readonly ContentNode[],
  ...names: string[]
): ComponentNode[] {
  const components: ComponentNode[] = [];
  for (const node of nodes) {
    if (isComponent(node, ...names)) components.push(node);
    else if (node.type === 'element') components.push(...childComponents(node.children, ...names));
  }
  return components;
}

/**
 * Returns the nodes that are neither calls of the named components, nor wrappers of only such
 * calls, nor blank text.
 */
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
