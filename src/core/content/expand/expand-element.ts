import { memberOf } from '../expressions/members.ts';
import {
  Closure,
  HostComponent,
  Native,
  ObjectValue,
  type Place,
  type Scope,
  toProp,
  Unusable,
  type Value,
} from '../expressions/value.ts';
import { htmlNodes } from '../html-nodes.ts';
import { attributeName, attributeValue } from '../markdown/node-attributes.ts';
import { nodeText } from '../markdown/node-text.ts';
import type { ComponentNode, ContentNode, ElementNode, FaultNode, PropValue } from './content-node.ts';
import { madeElement } from './embedded-file.ts';

/** The placeholder text for content that needs a browser. */
export function placeholder(name: string, inline: boolean): ElementNode {
  const label = name === '' ? 'Interactive content' : `Interactive component: ${name}`;
  return {
    type: 'element',
    tag: inline ? 'span' : 'div',
    attributes: { class: 'd-placeholder', 'data-component': name },
    children: [{ type: 'text', value: label }],
  };
}

export function faultNode(message: string, inline: boolean): FaultNode {
  return { type: 'fault', message, inline };
}

/** A call of a built-in component. Functions among its props are dropped. */
export function componentNode(
  name: string,
  props: ReadonlyMap<string, Value>,
  children: ContentNode[],
  place: Place,
  spend: (steps: number) => void,
): ComponentNode {
  return { type: 'component', name, props: plainProps(props, spend), children, ...place };
}

/** The props of a call without its functions and without what React keeps for itself. */
export function plainProps(props: ReadonlyMap<string, Value>, spend: (steps: number) => void): Record<string, PropValue> {
  const plain: Record<string, PropValue> = Object.create(null);
  for (const [key, value] of props) {
    if (key !== 'key' && key !== 'ref' && key !== '__proto__') plain[key] = toProp(value, spend);
  }
  return plain;
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
  let content = children;
  for (const [key, value] of props) {
    if (key === 'key' || key === 'ref' || key === 'children') continue;
    if (key === 'dangerouslySetInnerHTML') content = innerHtml(name, value) ?? children;
    else if (value instanceof Closure || value instanceof Native) dropped(key);
    else {
      const attribute = attributeName(key);
      const text = attributeValue(attribute, toProp(value, ignore));
      if (text !== undefined) attributes[attribute] = text;
    }
  }
  const tag = name.toLowerCase();
  if (tag !== 'textarea' && tag !== 'select') return madeElement(tag, attributes, content, line);
  const { value, ...others } = attributes;
  if (value !== undefined) content = tag === 'select' ? chosen(content, String(value)) : [{ type: 'text', value: String(value) }];
  return madeElement(tag, others, content, line);
}

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
const ignore = (): void => {};

function innerHtml(tag: string, value: Value): ContentNode[] | undefined {
  const markup = value instanceof ObjectValue ? value.fields.get('__html') : undefined;
  if (typeof markup !== 'string') return undefined;
  return tag === 'style' ? [{ type: 'text', value: markup }] : htmlNodes(markup);
}

/** Resolves a name in a scope to something callable, or undefined if the page does not define it. */
export function findComponent(name: string, scope: Scope): Closure | HostComponent | Unusable | undefined {
  const [first, ...members] = name.split('.') as [string, ...string[]];
  const holder = scope.find(first);
  if (!holder) return undefined;
  let value = holder.own(first);
  for (const member of members) {
    if (value instanceof Unusable) return value;
    value = memberOf(value, member);
  }
  if (value instanceof Closure || value instanceof HostComponent || value instanceof Unusable) return value;
  // A value that is not a component: an export may share its name with a built-in component.
  return undefined;
}
