import type { Value } from '../expressions/value.ts';
import { isBlockNode } from '../markdown/node-blocks.ts';
import type { ContentNode, ElementNode } from './content-node.ts';
import { NodesValue } from './content-node.ts';
import type { TagCall } from './expand-state.ts';

const TITLES = ['title', 'label', 'heading', 'header', 'name', 'summary'];
const TEXTS = ['description', 'text', 'content', 'message', 'caption', 'tip', 'subtitle'];
const ADDRESSES = ['href', 'url', 'to', 'link'];
const SOURCES = ['src', 'image', 'img'];
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#]|$)/i;
const VIDEO = /\.(?:mp4|webm|mov|ogv)(?:[?#]|$)/i;

/** Renders the contents of an undefined component. An undefined component without contents is shown as its own tag in code. */
export function unknownNodes({ name, props, children, inline }: TagCall): ContentNode[] {
  const title = nodesOf(props, TITLES);
  const text = nodesOf(props, TEXTS);
  const href = textOf(props, ADDRESSES);
  const media = mediaOf(props);
  const shown = children.filter((child) => child.type !== 'text' || child.value.trim() !== '').length > 0 ? children : [];
  const isLine = shown.every((child) => !isBlockNode(child));
  const block = (nodes: ContentNode[]): ContentNode[] =>
    nodes.length === 0 ? [] : inline ? [...nodes, { type: 'text', value: ' ' }] : [element('p', nodes)];
  if (href !== undefined && isLine) {
    const label = shown.length > 0 ? shown : title.length > 0 ? title : text.length > 0 ? text : [plain(href)];
    const rest = label === title ? text : [];
    return [...media, ...block([element('a', label, { href })]), ...block(rest)];
  }
  const link = href === undefined ? [] : [element('a', title.length > 0 ? title : [plain(href)], { href })];
  const head = title.length > 0 ? [element('strong', link.length > 0 ? link : title)] : link;
  const body = isLine ? block(shown) : shown;
  const all = [...media, ...block(head), ...block(text), ...body];
  return all.length > 0 ? all : block([element('code', [plain(`<${name} />`)])]);
}

const plain = (value: string): ContentNode => ({ type: 'text', value });

function element(tag: string, children: ContentNode[], attributes: ElementNode['attributes'] = {}): ElementNode {
  return { type: 'element', tag, attributes, children };
}

function nodesOf(props: ReadonlyMap<string, Value>, names: readonly string[]): ContentNode[] {
  for (const name of names) {
    const value = props.get(name);
    if (typeof value === 'string' && value.trim() !== '') return [plain(value)];
    if (value instanceof NodesValue && value.nodes.length > 0) return value.nodes;
  }
  return [];
}

function textOf(props: ReadonlyMap<string, Value>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = props.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return undefined;
}

function mediaOf(props: ReadonlyMap<string, Value>): ContentNode[] {
  const src = textOf(props, SOURCES);
  if (src === undefined) return [];
  if (IMAGE.test(src)) return [element('img', [], { src, alt: textOf(props, ['alt', ...TITLES]) ?? '' })];
  return VIDEO.test(src) ? [element('video', [], { src, controls: true })] : [];
}
