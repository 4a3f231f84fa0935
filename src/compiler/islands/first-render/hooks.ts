import { type Context, readContext } from './elements.ts';

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

/** Renders a component that may use hooks: once, and again as long as it changes its own state while rendering. */
export function withHooks<Result>(render: () => Result): Result {
  const before = running;
  const own: Running = { states: [], at: 0, isStale: false };
  try {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      running = own;
      own.at = 0;
      own.isStale = false;
      const result = render();
      if (!own.isStale) return result;
    }
  } finally {
    running = before;
  }
  throw new Error('Too many re-renders: the component changes its state on every render');
}

function cell(initial: () => unknown): { value: unknown; owner: Running } {
  if (!running) throw new Error('A hook is called outside a component');
  const owner = running;
  const found = owner.states[owner.at];
  const own = found ?? { value: initial() };
  if (!found) owner.states[owner.at] = own;
  owner.at++;
  return Object.assign(own, { owner });
}

const firstValue = (initial: unknown): unknown => (typeof initial === 'function' ? initial() : initial);

export function useState(initial?: unknown): [unknown, (update: Update<unknown>) => void] {
  const [state, dispatch] = useReducer(
    (before: unknown, update: unknown) => (typeof update === 'function' ? update(before) : update),
    undefined,
    () => firstValue(initial),
  );
  return [state, dispatch];
}

export function useReducer(
  reduce: (state: unknown, action: unknown) => unknown,
  initial: unknown,
  make?: (initial: unknown) => unknown,
): [unknown, (action: unknown) => void] {
  const own = cell(() => (make ? make(initial) : initial));
  const dispatch = (action: unknown): void => {
    const after = reduce(own.value, action);
    // Nothing renders again after the first HTML.
    if (Object.is(after, own.value) || running !== own.owner) return;
    own.value = after;
    own.owner.isStale = true;
  };
  return [own.value, dispatch];
}

export const useMemo = (compute: () => unknown): unknown => compute();
export const useCallback = (callback: unknown): unknown => callback;
export const useContext = (context: Context): unknown => readContext(context);
export const useRef = (initial?: unknown): unknown => cell(() => ({ current: initial })).value;
export const useId = (): string => `docent-${nextId++}`;
export const useSyncExternalStore = (_: unknown, read: () => unknown, readFirst?: () => unknown): unknown =>
  (readFirst ?? read)();
export const useTransition = (): [boolean, (run: () => void) => void] => [false, () => {}];
export const useDeferredValue = (value: unknown): unknown => value;

/** Effects run in browsers only. */
export const useEffect = (): void => {};
