import type { IslandElement, IslandTree } from '@docent/format/content/nodes/island.ts';
import {
  type Component,
  type Context,
  Fragment,
  isValidElement,
  type Props,
  readContext,
  type SpecialType,
  StrictMode,
  withHooks,
} from './react.ts';

const { stringify } = JSON;
const MAX_DEPTH = 150;
const MAX_NODES = 20_000;

let depth = 0;
let count = 0;

/** Renders a call of the page, with limits of its own. */
export function renderCall(value: unknown, slotRenderer: Inside): IslandTree[] {
  const before = { depth, count, inside };
  [depth, count, inside] = [0, 0, slotRenderer];
  try {
    return renderTree(value);
  } finally {
    ({ depth, count, inside } = before);
  }
}

/** Renders the calls in a slot, which see the context around it. */
export type Inside = (slot: number) => void;
let inside: Inside = () => {};

/** Renders a value that a component returned. */
export function renderTree(value: unknown): IslandTree[] {
  if (
    value === null ||
    value === undefined ||
    typeof value === 'boolean' ||
    typeof value === 'function'
  )
    return [];
  if (++count > MAX_NODES) throw new Error('The component renders too many elements');
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (++depth > MAX_DEPTH) throw new Error('The component nests its elements too deeply');
  try {
    if (Array.isArray(value)) return value.flatMap((item) => renderTree(item));
    if (isValidElement(value)) return renderElement(value.type, value.props, value.ref);
    if (isIterable(value)) return renderTree([...value]);
  } finally {
    depth--;
  }
  throw new Error('An object is not a valid React child');
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function';
}

function renderElement(type: unknown, props: Props, ref: unknown): IslandTree[] {
  if (type === Fragment || type === StrictMode) return renderTree(props.children);
  if (typeof type === 'string') return [renderTag(type, props)];
  if (typeof type === 'function') {
    if (type.prototype && typeof type.prototype.render === 'function')
      return renderClass(type as ClassType, props);
    return renderTree(
      withHooks(() => (type as (props: Props, ref?: unknown) => unknown)(props, ref)),
    );
  }
  if (type !== null && typeof type === 'object' && 'kind' in type)
    return renderSpecial(type as SpecialType, props, ref);
  throw new Error(
    'A rendered element is not a component: check its name, its import and its export',
  );
}

interface ClassType {
  new (props: Props, context?: unknown): Component;
  contextType?: Context;
  getDerivedStateFromProps?: (props: Props, state: Props) => Props | null;
}

function renderClass(type: ClassType, props: Props): IslandTree[] {
  const instance = new type(props, type.contextType ? readContext(type.contextType) : undefined);
  instance.props = props;
  if (type.contextType) instance.context = readContext(type.contextType);
  instance.state ??= {};
  const derived = type.getDerivedStateFromProps?.(props, instance.state);
  if (derived) instance.state = { ...instance.state, ...derived };
  return renderTree(instance.render());
}

function renderSpecial(type: SpecialType, props: Props, ref: unknown): IslandTree[] {
  switch (type.kind) {
    case 'provider': {
      const { current } = type.context as Context;
      current.push(props.value);
      try {
        return renderTree(props.children);
      } finally {
        current.pop();
      }
    }
    case 'consumer':
      return renderTree(
        (props.children as (value: unknown) => unknown)(readContext(type.context as Context)),
      );
    case 'memo':
      return renderElement(type.inner, props, ref);
    case 'forward':
      return renderTree(withHooks(() => type.render?.(props, ref)));
    case 'suspense':
      return renderSuspense(props);
    case 'lazy':
      throw type;
    case 'slot':
      inside(type.number as number);
      return [type.number as number];
    case 'built-in':
      return [renderBuiltIn(type.name as string, props)];
    default:
      return [];
  }
}

/** Lazily loaded code is not available for the first HTML. */
function renderSuspense(props: Props): IslandTree[] {
  try {
    return renderTree(props.children);
  } catch (error) {
    const isWaiting =
      (error as SpecialType | undefined)?.kind === 'lazy' ||
      typeof (error as Promise<unknown>)?.then === 'function';
    if (!isWaiting) throw error;
    return renderTree(props.fallback);
  }
}

/** One of our components, which the build renders. Functions cannot be passed to it. */
function renderBuiltIn(name: string, { children, ...given }: Props): IslandElement {
  const props: Props = {};
  for (const key in given) {
    const value = given[key];
    if (isValidElement(value) || Array.isArray(value)) props[key] = valueOrNodes(value);
    else if (typeof value !== 'function') props[key] = value;
  }
  return { t: name, key: keyOf(name, given), props, c: renderTree(children) };
}

/** Key by which the browser finds what the build rendered for the same call. */
function keyOf(name: string, props: Props): string {
  return `${name} ${stringify(props, (_, value: unknown) => (isValidElement(value) ? null : value)) ?? ''}`;
}

function valueOrNodes(value: unknown): unknown {
  if (isValidElement(value)) return { $nodes: renderTree(value) };
  return Array.isArray(value) ? value.map(valueOrNodes) : value;
}

/** Attributes for React, or for the element at run time in a browser. */
const NO_ATTRIBUTES =
  /^(?:children|dangerouslySetInnerHTML|defaultChecked|defaultValue|suppressHydrationWarning|suppressContentEditableWarning)$/;

function renderTag(tag: string, props: Props): IslandElement {
  const attributes: Props = {};
  for (const name in props) {
    const value = props[name];
    if (NO_ATTRIBUTES.test(name) || typeof value === 'function' || typeof value === 'symbol')
      continue;
    attributes[name] = value;
  }
  const html = (props.dangerouslySetInnerHTML as { __html?: unknown } | undefined)?.__html;
  if (html !== undefined && html !== null) return { t: tag, a: attributes, html: String(html) };
  if (tag === 'input') {
    attributes.value ??= props.defaultValue;
    attributes.checked ??= props.defaultChecked;
  }
  if (tag === 'textarea') {
    const text = attributes.value ?? props.defaultValue ?? props.children;
    delete attributes.value;
    return { t: tag, a: attributes, c: renderTree(text) };
  }
  if (tag === 'select') return renderSelect(attributes, props);
  return { t: tag, a: attributes, c: renderTree(props.children) };
}

function renderSelect(attributes: Props, props: Props): IslandElement {
  const chosen = attributes.value ?? props.defaultValue;
  delete attributes.value;
  const children = renderTree(props.children);
  if (chosen !== undefined)
    markChosen(children, new Set((Array.isArray(chosen) ? chosen : [chosen]).map(String)));
  return { t: 'select', a: attributes, c: children };
}

function markChosen(children: IslandTree[], chosen: ReadonlySet<string>): void {
  for (const child of children) {
    if (typeof child !== 'object' || Array.isArray(child)) continue;
    if (child.t === 'optgroup') markChosen(child.c ?? [], chosen);
    if (child.t !== 'option') continue;
    const value =
      child.a?.value ?? (child.c ?? []).filter((part) => typeof part === 'string').join('');
    if (chosen.has(String(value))) child.a = { ...child.a, selected: true };
  }
}
