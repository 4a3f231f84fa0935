/** Marks our own elements, as React marks its own. */
const KIND = Symbol.for('react.element');

export type Props = Record<string, unknown>;
export type Child = unknown;

/** An element created by JSX. */
export interface VirtualElement {
  $$typeof: typeof KIND;
  type: unknown;
  props: Props;
  key: string | null;
  ref: unknown;
}

export function isValidElement(value: unknown): value is VirtualElement {
  return value !== null && typeof value === 'object' && (value as VirtualElement).$$typeof === KIND;
}

/** `React.createElement`. */
export function createElement(type: unknown, given?: Props | null, ...children: Child[]): VirtualElement {
  const props: Props = {};
  let key: string | null = null;
  let ref: unknown = null;
  for (const name in given ?? {}) {
    if (name === 'key') key = String((given as Props).key);
    else if (name === 'ref') ref = (given as Props).ref;
    else if (name !== '__proto__') props[name] = (given as Props)[name];
  }
  if (children.length > 0) props.children = children.length === 1 ? children[0] : children;
  const defaults = (type as { defaultProps?: Props } | null)?.defaultProps;
  if (defaults) for (const name in defaults) if (props[name] === undefined) props[name] = defaults[name];
  return { $$typeof: KIND, type, props, key, ref };
}

export function cloneElement(element: VirtualElement, given?: Props, ...children: Child[]): VirtualElement {
  const props = { ...element.props, key: element.key ?? undefined, ref: element.ref, ...given };
  if (props.key === undefined) delete props.key;
  return createElement(element.type, props, ...children);
}

export const Fragment = Symbol.for('react.fragment');

/** Renders only its children. */
export const StrictMode = Symbol.for('react.strict_mode');

/** A type that is neither a function nor an element name. */
export interface SpecialType {
  kind: 'provider' | 'consumer' | 'memo' | 'forward' | 'lazy' | 'suspense' | 'portal' | 'slot' | 'built-in';
  context?: Context;
  render?: (props: Props, ref?: unknown) => Child;
  inner?: unknown;
  name?: string;
  number?: unknown;
  defaultProps?: Props;
}

export interface Context {
  kind: 'provider';
  context: Context;
  Provider: unknown;
  Consumer: SpecialType;
  current: unknown[];
  fallback: unknown;
  displayName?: string;
}

export function createContext(fallback?: unknown): Context {
  const context = { kind: 'provider', current: [], fallback } as unknown as Context;
  context.context = context;
  context.Provider = context;
  context.Consumer = { kind: 'consumer', context };
  return context;
}

export function readContext(context: Context): unknown {
  return context.current.length > 0 ? context.current[context.current.length - 1] : context.fallback;
}

export const memo = (inner: unknown): SpecialType => ({ kind: 'memo', inner });
export const forwardRef = (render: SpecialType['render']): SpecialType => ({ kind: 'forward', ...(render ? { render } : {}) });
export const lazy = (): SpecialType => ({ kind: 'lazy' });
export const Suspense: SpecialType = { kind: 'suspense' };
export const createPortal = (): null => null;

/** `React.Component`. */
export class Component {
  props: Props;
  state: Props = {};
  context: unknown;
  constructor(props: Props, context?: unknown) {
    this.props = props;
    this.context = context;
  }
  setState(change: Props | ((state: Props, props: Props) => Props)): void {
    this.state = { ...this.state, ...(typeof change === 'function' ? change(this.state, this.props) : change) };
  }
  forceUpdate(): void {}
  render(): Child {
    return null;
  }
}

function flatten(children: Child, into: Child[] = []): Child[] {
  if (Array.isArray(children)) for (const child of children) flatten(child, into);
  else into.push(children === undefined || typeof children === 'boolean' ? null : children);
  return into;
}

/** `React.Children`. */
export const Children = {
  map: (children: Child, make: (child: Child, index: number) => Child): Child[] =>
    children == null ? [] : flatten(children).map((child, index) => make(child, index)),
  forEach(children: Child, visit: (child: Child, index: number) => void): void {
    if (children != null) for (const [index, child] of flatten(children).entries()) visit(child, index);
  },
  count: (children: Child): number => (children == null ? 0 : flatten(children).length),
  toArray: (children: Child): Child[] => (children == null ? [] : flatten(children).filter((child) => child !== null)),
  only(children: Child): VirtualElement {
    if (!isValidElement(children)) throw new Error('React.Children.only received something other than one element');
    return children;
  },
};
