import './world.ts';
import './locale.ts';
import './urls.ts';
import './bytes.ts';
import './pretend-browser.ts';
import * as elements from './elements.ts';
import * as hooks from './hooks.ts';
import { type Inside, renderCall } from './render-tree.ts';

// The React stand-in for the first HTML, and the one function that the build calls.

const builtIns = new Proxy(
  {},
  {
    get(_, name) {
      return typeof name === 'string' ? builtIn(name) : undefined;
    },
  },
);

function builtIn(name: string): unknown {
  return new Proxy({ kind: 'built-in', name } as elements.SpecialType, {
    get(target, key) {
      if (typeof key === 'string' && /^[A-Z]/.test(key)) return builtIn(`${name}.${key}`);
      return target[key as keyof elements.SpecialType];
    },
  });
}

/** Properties that React and promises check on any value. */
const ASKED_OF_ALL = new Set(['__esModule', 'prototype', 'then', 'toJSON', 'defaultProps', 'contextType', 'displayName']);

/** Represents a missing module: using anything from it, other than what is kept, throws the reason. */
function missing(reason: string, kept: Readonly<Record<PropertyKey, unknown>> = {}): unknown {
  const fail = (): never => {
    throw new Error(reason);
  };
  // The bundler copies own properties and keeps inherited ones, so everything is inherited.
  const inherited = new Proxy(Object.create(null) as object, {
    get: (_, key) => {
      if (typeof key === 'symbol' || ASKED_OF_ALL.has(key)) return undefined;
      return Object.hasOwn(kept, key) ? kept[key] : missing(reason);
    },
  });
  return Object.setPrototypeOf(fail, inherited);
}

const { useEffect } = hooks;
const React = {
  ...elements,
  ...hooks,
  useLayoutEffect: useEffect,
  useInsertionEffect: useEffect,
  useImperativeHandle: useEffect,
  useDebugValue: useEffect,
  Profiler: elements.Fragment,
  PureComponent: elements.Component,
  createRef: () => ({ current: null }),
  startTransition: (run: () => void) => run(),
  flushSync: (run: () => unknown) => run(),
  user: Object.freeze({}),
  builtIns,
  missing,
};

type Registered = Record<string, unknown>;
let registered: Registered = {};

/** A value of the props that JSON cannot express; see `island-list.ts`. */
interface Mark {
  $docent: unknown;
  t?: string;
  p?: elements.Props;
  c?: elements.Child[];
}

function read(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, '$docent')) return value;
  const { $docent: mark, t, p, c = [] } = value as Mark;
  if (typeof mark === 'number') return elements.createElement({ kind: 'slot', number: mark }, p, ...c);
  if (mark === 'element') return elements.createElement(t, p, ...c);
  if (mark === 'NaN') return Number.NaN;
  return mark === 'undefined' ? undefined : mark === '-Infinity' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

const { parse, stringify } = JSON;
Object.defineProperty(globalThis, 'docentIslands', {
  value: {
    push([, make]: [string, (react: typeof React) => Registered]) {
      registered = make(React);
    },
  },
});

/** A call in the content of another: its number on the page, its component, its props, and the calls in its slots. */
interface InnerCall {
  number: number;
  name: string;
  props: string;
  inside: InnerCall[][];
}

/** Returns as JSON what the named component renders with these props, and what the calls in the slots that it shows render. */
Object.defineProperty(globalThis, 'docentRender', {
  value: (name: string, props: string, inside: string) => {
    const inner = new Map<number, { tree?: unknown; reason?: string }>();
    const render = (called: string, given: string, slots: InnerCall[][]): unknown =>
      renderCall(elements.createElement(registered[called], parse(given, read) as elements.Props), insideOf(slots));
    const insideOf =
      (slots: InnerCall[][]): Inside =>
      (slot) => {
        for (const call of slots[slot] ?? []) {
          if (inner.has(call.number)) continue;
          inner.set(call.number, {});
          try {
            inner.set(call.number, { tree: render(call.name, call.props, call.inside) });
          } catch (error) {
            inner.set(call.number, { reason: String((error as Error | undefined)?.message ?? error) });
          }
        }
      };
    return stringify({ tree: render(name, props, parse(inside) as InnerCall[][]), inner: [...inner] });
  },
});
