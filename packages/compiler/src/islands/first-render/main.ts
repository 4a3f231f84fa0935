import { missingModules } from '@docent/format/content/islands/missing-modules.ts';
import './browser.ts';
import './host-functions.ts';
import * as react from './react.ts';
import { type Inside, renderCall } from './render-tree.ts';

// The React stand-in for the first HTML, and the one function that the build calls.

const builtIns = new Proxy(
  {},
  { get: (_, name) => (typeof name === 'string' ? builtIn(name) : undefined) },
);
const madeBuiltIns = new Map<string, unknown>();

/** One of our components. A tag of the page is shown as the page has it; see `island-list.ts`. */
function builtIn(name: string): unknown {
  const Component = ({ docentSlot, ...props }: react.Props): react.VirtualElement =>
    docentSlot === undefined
      ? react.createElement({ kind: 'built-in', name }, props)
      : react.createElement({ kind: 'slot', number: docentSlot });
  const descriptors = { name: { value: name }, displayName: { value: name } };
  const proxy =
    madeBuiltIns.get(name) ??
    new Proxy(Object.defineProperties(Component, descriptors), {
      get: (target, key) =>
        typeof key === 'string' && /^[A-Z]/.test(key)
          ? builtIn(`${name}.${key}`)
          : Reflect.get(target, key),
    });
  madeBuiltIns.set(name, proxy);
  return proxy;
}

const { load, missing } = missingModules();

declare const window: { location: unknown };
const React = {
  ...react,
  useLayoutEffect: react.useEffect,
  useInsertionEffect: react.useEffect,
  useImperativeHandle: react.useEffect,
  useDebugValue: react.useEffect,
  Profiler: react.Fragment,
  PureComponent: react.Component,
  createRef: () => ({ current: null }),
  startTransition: (run: () => void) => run(),
  flushSync: (run: () => unknown) => run(),
  user: Object.freeze({}),
  /** Without a browser, the error of the engine says that there is none. */
  get location(): unknown {
    return window.location;
  },
  builtIns,
  missing,
};

/** Components of the author's code, with their props that are code. */
type CalledTypes = readonly [type: unknown, live: react.Props][];
type Registered = Record<string, { docentTypes?: () => CalledTypes }>;
let registered: Registered = {};

/** A value of the props that JSON cannot express; see `island-list.ts`. */
interface Mark {
  $docent: unknown;
  t?: string | number;
  p?: react.Props;
  c?: react.Child[];
}

function readProps(json: string, types: CalledTypes): react.Props {
  return parse(json, (_, value: unknown) => read(value, types)) as react.Props;
}

function read(value: unknown, types: CalledTypes): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, '$docent')) return value;
  const { $docent: mark, t, p, c = [] } = value as Mark;
  if (typeof mark === 'number') {
    if (typeof t === 'string')
      return react.createElement(builtIn(t), { ...p, docentSlot: mark }, ...c);
    return react.createElement({ kind: 'slot', number: mark }, p, ...c);
  }
  if (mark === 'call') {
    const [type, live] = types[t as number] ?? [react.Fragment, {}];
    return react.createElement(type, { ...p, ...live }, ...c);
  }
  if (mark === 'element') return react.createElement(t, p, ...c);
  if (mark === 'NaN') return Number.NaN;
  return mark === 'undefined'
    ? undefined
    : mark === '-Infinity'
      ? Number.NEGATIVE_INFINITY
      : Number.POSITIVE_INFINITY;
}

const { parse, stringify } = JSON;
Object.defineProperty(globalThis, 'docentIslands', {
  value: {
    push([, make]: [string, (react: typeof React) => Registered]) {
      registered = load(() => make(React));
    },
  },
});

/**
 * A call in the content of another: its number on the page, its component, its props, and the calls
 * in its slots.
 */
interface InnerCall {
  number: number;
  name: string;
  props: string;
  inside: InnerCall[][];
}

/**
 * Returns as JSON what the named component renders with these props, and what the calls in the
 * slots that it shows render.
 */
Object.defineProperty(globalThis, 'docentRender', {
  value: (name: string, props: string, inside: string) => {
    const inner = new Map<number, { tree?: unknown; reason?: string }>();
    const render = (called: string, propsJson: string, slots: InnerCall[][]): unknown => {
      const component = registered[called];
      const element = react.createElement(
        component,
        readProps(propsJson, component?.docentTypes?.() ?? []),
      );
      return renderCall(element, insideOf(slots));
    };
    const insideOf =
      (slots: InnerCall[][]): Inside =>
      (slot) => {
        for (const call of slots[slot] ?? []) {
          if (inner.has(call.number)) continue;
          inner.set(call.number, {});
          try {
            inner.set(call.number, { tree: render(call.name, call.props, call.inside) });
          } catch (error) {
            inner.set(call.number, {
              reason: String((error as Error | undefined)?.message ?? error),
            });
          }
        }
      };
    return stringify({
      tree: render(name, props, parse(inside) as InnerCall[][]),
      inner: [...inner],
    });
  },
});
