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
export function createElement(
  type: unknown,
  config?: Props | null,
  ...children: Child[]
): VirtualElement {
  const props: Props = {};
  let key: string | null = null;
  let ref: unknown = null;
  for (const name in config ?? {}) {
    if (name === 'key') key = String((config as Props).key);
    else if (name === 'ref') ref = (config as Props).ref;
    else if (name !== '__proto__') props[name] = (config as Props)[name];
  }
  if (children.length > 0) props.children = children.length === 1 ? children[0] : children;
  const defaults = (type as { defaultProps?: Props } | null)?.defaultProps;
  if (defaults)
    for (const name in defaults) if (props[name] === undefined) props[name] = defaults[name];
  return { $$typeof: KIND, type, props, key, ref };
}

export function cloneElement(
  element: VirtualElement,
  config?: Props,
  ...children: Child[]
): VirtualElement {
  const props = { ...element.props, key: element.key ?? undefined, ref: element.ref, ...config };
  if (props.key === undefined) delete props.key;
  return createElement(element.type, props, ...children);
}

export const Fragment = Symbol.for('react.fragment');

/** Renders only its children. */
export const StrictMode = Symbol.for('react.strict_mode');

/** A type that is neither a function nor an element name. */
export interface SpecialType {
  kind:
    | 'provider'
    | 'consumer'
    | 'memo'
    | 'forward'
    | 'lazy'
    | 'suspense'
    | 'portal'
    | 'slot'
    | 'built-in';
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
  return context.current.length > 0
    ? context.current[context.current.length - 1]
    : context.fallback;
}

export const memo = (inner: unknown): SpecialType => ({ kind: 'memo', inner });
export const forwardRef = (render: SpecialType['render']): SpecialType => ({
  kind: 'forward',
  render,
});
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
    this.state = {
      ...this.state,
      ...(typeof change === 'function' ? change(this.state, this.props) : change),
    };
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
    if (children != null)
      for (const [index, child] of flatten(children).entries()) visit(child, index);
  },
  count: (children: Child): number => (children == null ? 0 : flatten(children).length),
  toArray: (children: Child): Child[] =>
    children == null ? [] : flatten(children).filter((child) => child !== null),
  only(children: Child): VirtualElement {
    if (!isValidElement(children))
      throw new Error('React.Children.only received something other than one element');
    return children;
  },
};

type Update<Value> = Value | ((before: Value) => Value);

interface Running {
  states: { value: unknown }[];
  at: number;
  /** Whether state changed during the render, so that the component renders again. */
  isStale: boolean;
}

const MAX_PASSES = 25;
let running: Running | undefined;
let nextId = 0;

/**
 * Renders a component that may use hooks: once, and again as long as it changes its own state while
 * rendering.
 */
export function withHooks<Result>(render: () => Result): Result {
  const before = running;
  const renderState: Running = { states: [], at: 0, isStale: false };
  try {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      running = renderState;
      renderState.at = 0;
      renderState.isStale = false;
      const result = render();
      if (!renderState.isStale) return result;
    }
  } finally {
    running = before;
  }
  throw new Error('Too many re-renders: the component changes its state on every render');
}

function cell(initial: () => unknown): { value: unknown; owner: Running } {
  if (!running) throw new Error('A hook is called outside a component');
  const owner = running;
  const existingCell = owner.states[owner.at];
  const stateCell = existingCell ?? { value: initial() };
  if (!existingCell) owner.states[owner.at] = stateCell;
  owner.at++;
  return Object.assign(stateCell, { owner });
}

export function useState(initial?: unknown): [unknown, (update: Update<unknown>) => void] {
  const reduce = (before: unknown, update: unknown) =>
    typeof update === 'function' ? update(before) : update;
  return useReducer(reduce, undefined, () => (typeof initial === 'function' ? initial() : initial));
}

export function useReducer(
  reduce: (state: unknown, action: unknown) => unknown,
  initial: unknown,
  make?: (initial: unknown) => unknown,
): [unknown, (action: unknown) => void] {
  const stateCell = cell(() => (make ? make(initial) : initial));
  const dispatch = (action: unknown): void => {
    const after = reduce(stateCell.value, action);
    // Nothing renders again after the first HTML.
    if (Object.is(after, stateCell.value) || running !== stateCell.owner) return;
    stateCell.value = after;
    stateCell.owner.isStale = true;
  };
  return [stateCell.value, dispatch];
}

export const useMemo = (compute: () => unknown): unknown => compute();
export const useCallback = (callback: unknown): unknown => callback;
export const useContext = (context: Context): unknown => readContext(context);
export const useRef = (initial?: unknown): unknown => cell(() => ({ current: initial })).value;
export const useId = (): string => `docent-${nextId++}`;
export const useSyncExternalStore = (
  _: unknown,
  read: () => unknown,
  readFirst?: () => unknown,
): unknown => (readFirst ?? read)();
export const useTransition = (): [boolean, (run: () => void) => void] => [false, () => {}];
export const useDeferredValue = (value: unknown): unknown => value;

/** Effects run in browsers only. */
export const useEffect = (): void => {};
