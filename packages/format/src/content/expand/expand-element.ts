import { memberOf } from '../expressions/members.ts';
import {
  Closure,
  HostComponent,
  Native,
  ObjectValue,
  Personal,
  type Scope,
  type Spender,
  toProp,
  Unusable,
  type Value,
} from '../expressions/value.ts';
import {
  type ComponentNode,
  type ContentNode,
  type ElementNode,
  type FaultNode,
  NodesValue,
  nodeText,
  type PropValue,
  personalNode,
  READER_ADDRESS,
} from '../nodes/content-node.ts';
import { attributeName, attributeValue, htmlNodes, madeElement } from '../nodes/html-nodes.ts';
import { element, isBlank, nodes } from '../nodes/plain-nodes.ts';
import { isBlockNode } from '../render/node-prose.ts';
import type { TagCall } from './expand-state.ts';

/** The placeholder text for content that needs a browser. */
export function placeholder(name: string, inline: boolean): ElementNode {
  const label = name === '' ? 'Interactive content' : `Interactive component: ${name}`;
  return element(
    inline ? 'span' : 'div',
    { class: 'd-placeholder', 'data-component': name },
    label,
  );
}

export function faultNode(message: string, inline: boolean): FaultNode {
  return { type: 'fault', message, inline };
}

/** The props of a call without its functions and without what React keeps for itself. */
export function plainProps(
  props: ReadonlyMap<string, Value>,
  budget: Spender,
): Record<string, PropValue> {
  const plain: Record<string, PropValue> = Object.create(null);
  for (const [key, value] of props) {
    if (key === 'key' || key === 'ref' || key === '__proto__') continue;
    plain[key] = value instanceof Personal ? personalProp(value, budget) : toProp(value, budget);
  }
  return plain;
}

const LINKS = new Set(['href', 'to', 'url']);

/**
 * Returns the call of a built-in component. If its link depends on the reader, readers get it with
 * theirs as long as that is an address, and else what nobody in particular gets.
 */
export function componentNode(
  { name, props, children, place }: TagCall,
  budget: Spender,
): ComponentNode {
  const callWith = (more: readonly [string, Value][]): ComponentNode => {
    const plain = plainProps(new Map([...props, ...more]), budget);
    return { type: 'component', name, props: plain, children, ...place };
  };
  for (const [key, value] of props) {
    if (!LINKS.has(key) || !(value instanceof Personal)) continue;
    if (value.value !== undefined && typeof value.value !== 'string') continue;
    const { props: code, ...node } = personalNode(value.code, [callWith([[key, value.value]])]);
    const link = new NodesValue([callWith([[key, READER_ADDRESS]])]);
    return { ...node, ...place, props: { ...code, link } };
  }
  return callWith([]);
}

/** A text becomes JSX that shows it; of anything else, everybody gets what nobody in particular gets. */
function personalProp({ code, value }: Personal, budget: Spender): PropValue {
  if (value instanceof NodesValue) return new NodesValue([personalNode(code, value.nodes)]);
  if (value !== undefined && typeof value !== 'string') return toProp(value, budget);
  return new NodesValue([personalNode(code, value ? nodes(value) : [])]);
}

/**
 * Creates an element from JSX.
 * @param dropped called with the name of every attribute that cannot work in a published page
 */
export function htmlElement(
  name: string,
  props: ReadonlyMap<string, Value>,
  children: ContentNode[],
  line: number | undefined,
  dropped: (attribute: string) => void,
): ElementNode {
  const attributes: ElementNode['attributes'] = {};
  const personal: NonNullable<ElementNode['personal']> = {};
  let content = children;
  for (const [key, value] of props) {
    if (key === 'key' || key === 'ref' || key === 'children') continue;
    if (key === 'dangerouslySetInnerHTML') content = innerHtml(name, value) ?? children;
    else if (value instanceof Closure || value instanceof Native) dropped(key);
    else {
      const attribute = attributeName(key);
      if (value instanceof Personal && PERSONAL_ATTRIBUTES.has(attribute))
        personal[attribute] = personalNode(value.code, []);
      const text = attributeValue(attribute, toProp(value, FREE));
      if (text !== undefined) attributes[attribute] = text;
    }
  }
  const tag = name.toLowerCase();
  if (tag !== 'textarea' && tag !== 'select') {
    const result = madeElement(tag, attributes, content, line);
    return Object.keys(personal).length > 0 ? { ...result, personal } : result;
  }
  const { value, ...others } = attributes;
  if (value !== undefined)
    content =
      tag === 'select' ? chosen(content, String(value)) : [{ type: 'text', value: String(value) }];
  return madeElement(tag, others, content, line);
}

/** Texts and the address of a link. Others could load something, or change what an element is. */
const PERSONAL_ATTRIBUTES = new Set(['href', 'title', 'aria-label', 'placeholder', 'value']);

/** The options of a list with the one that has this value selected. */
function chosen(options: ContentNode[], value: string): ContentNode[] {
  return options.map((node) => {
    if (node.type !== 'element') return node;
    if (node.tag !== 'option') return { ...node, children: chosen(node.children, value) };
    const isChosen = String(node.attributes.value ?? nodeText(node.children)) === value;
    return isChosen ? { ...node, attributes: { ...node.attributes, selected: true } } : node;
  });
}

/** Attributes of elements are texts and `style` objects, too small to count. */
const FREE: Spender = { spend() {} };

function innerHtml(tag: string, value: Value): ContentNode[] | undefined {
  const markup = value instanceof ObjectValue ? value.fields.get('__html') : undefined;
  if (typeof markup !== 'string') return undefined;
  return tag === 'style' ? [{ type: 'text', value: markup }] : htmlNodes(markup);
}

/**
 * Resolves a name in a scope to something callable, or undefined if the page does not define it.
 */
export function findComponent(
  name: string,
  scope: Scope,
): Closure | HostComponent | Unusable | undefined {
  const [first, ...members] = name.split('.') as [string, ...string[]];
  const holder = scope.find(first);
  if (!holder) return undefined;
  let value = holder.own(first);
  for (const member of members) {
    if (value instanceof Unusable) return value;
    value = memberOf(value, member);
  }
  if (value instanceof Closure || value instanceof HostComponent || value instanceof Unusable)
    return value;
  // A value that is not a component: an export may share its name with a built-in component.
  return undefined;
}

const TITLES = ['title', 'label', 'heading', 'header', 'name', 'summary'];
const TEXTS = ['description', 'text', 'content', 'message', 'caption', 'tip', 'subtitle'];
const ADDRESSES = ['href', 'url', 'to', 'link'];
const SOURCES = ['src', 'image', 'img'];
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif)(?:[?#]|$)/i;
const VIDEO = /\.(?:mp4|webm|mov|ogv)(?:[?#]|$)/i;

/**
 * Renders the contents of an undefined component. An undefined component without contents is shown
 * as its own tag in code.
 */
export function unknownNodes({ name, props, children, inline }: TagCall): ContentNode[] {
  const title = nodesOf(props, TITLES);
  const text = nodesOf(props, TEXTS);
  const href = textOf(props, ADDRESSES);
  const media = mediaOf(props);
  const visibleChildren = isBlank(children) ? [] : children;
  const isLine = visibleChildren.every((child) => !isBlockNode(child));
  const block = (content: ContentNode[]): ContentNode[] =>
    content.length === 0 ? [] : inline ? nodes(content, ' ') : [element('p', {}, content)];
  if (href !== undefined && isLine) {
    const label =
      visibleChildren.length > 0
        ? visibleChildren
        : title.length > 0
          ? title
          : text.length > 0
            ? text
            : nodes(href);
    const rest = label === title ? text : [];
    return [...media, ...block([element('a', { href }, label)]), ...block(rest)];
  }
  const link = href === undefined ? [] : [element('a', { href }, title.length > 0 ? title : href)];
  const head = title.length > 0 ? [element('strong', {}, link.length > 0 ? link : title)] : link;
  const body = isLine ? block(visibleChildren) : visibleChildren;
  const all = [...media, ...block(head), ...block(text), ...body];
  return all.length > 0 ? all : block([element('code', {}, `<${name} />`)]);
}

function nodesOf(props: ReadonlyMap<string, Value>, names: readonly string[]): ContentNode[] {
  for (const name of names) {
    const value = props.get(name);
    if (typeof value === 'string' && value.trim() !== '') return nodes(value);
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
  if (IMAGE.test(src))
    return [element('img', { src, alt: textOf(props, ['alt', ...TITLES]) ?? '' })];
  return VIDEO.test(src) ? [element('video', { src, controls: true })] : [];
}

/** The kinds of alerts are also names of callouts. */
const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/**
 * Returns the callout of a block quote whose first line is `[!NOTE]`, as GitHub and most editors
 * show it; undefined for any other.
 * @see
 *   https://docs.github.com/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
 */
export function alertOf({
  children: [first, ...rest],
  line,
}: ElementNode): ComponentNode | undefined {
  if (first?.type !== 'element' || first.tag !== 'p') return undefined;
  const [start, next, ...others] = first.children;
  const marker = start?.type === 'text' ? MARKER.exec(start.value) : null;
  if (start?.type !== 'text' || !marker) return undefined;
  const [whole, kind = ''] = marker;
  const text = start.value.slice(whole.length);
  const isBreak = next?.type === 'element' && next.tag === 'br';
  // The marker must be alone on its line.
  if (next && !isBreak && !whole.endsWith('\n')) return undefined;
  const content = nodes(text, next && !(isBreak && text === '') ? next : undefined, others);
  return {
    type: 'component',
    name: kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase(),
    props: {},
    children: content.length === 0 ? rest : [{ ...first, children: content }, ...rest],
    line,
  };
}
