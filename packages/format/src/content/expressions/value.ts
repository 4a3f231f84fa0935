import type { BlockStatement, Expression, Pattern } from 'acorn';
import { type ContentNode, NodesValue, type PropValue } from '../nodes/content-node.ts';

type ExpressionFault = 'syntax' | 'unknown-name' | 'missing' | 'needs-browser' | 'limit' | 'failed';

/**
 * Why an expression has no value. `needs-browser` also means JavaScript that the interpreter does
 * not support.
 */
export class ExpressionError extends Error {
  readonly kind: ExpressionFault;
  /** Where a syntax error is in the source: both 1-based. */
  readonly at: { line: number; column: number } | undefined;
  constructor(kind: ExpressionFault, message: string, at?: ExpressionError['at']) {
    super(message);
    this.name = 'ExpressionError';
    this.kind = kind;
    this.at = at;
  }
}

/**
 * The values of an author's expressions. Objects are `ObjectValue`s, never plain JavaScript
 * objects, so no name in a page (`constructor`, `__proto__`) can reach the host.
 */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | NodesValue
  | ObjectValue
  | Closure
  | Native
  | HostComponent
  | Unusable
  | RegexValue
  | Personal
  | Value[];

export class ObjectValue {
  readonly fields: Map<string, Value>;
  /** A built-in namespace (`Math`): pages cannot write to it. */
  readonly frozen: boolean;
  constructor(fields: Iterable<readonly [string, Value]> = [], frozen = false) {
    this.fields = new Map(fields);
    this.frozen = frozen;
  }
}

/**
 * A value that depends on who reads the page: fixed for nobody in particular, and computed for a
 * reader when the page is served. Code that decides by a value uses `Caller.fixed`, or it would take
 * every such value for true.
 */
export class Personal {
  /** JavaScript, with `user` and with JSX of the page in its places. */
  readonly code: readonly (string | NodesValue)[];
  /** For nobody in particular. */
  readonly value: Value;
  constructor(code: Personal['code'], value: Value) {
    this.code = code;
    this.value = value;
  }
}

/** A function of the author. */
export class Closure {
  readonly params: Pattern[];
  readonly body: Expression | BlockStatement;
  readonly scope: Scope;
  constructor(params: Pattern[], body: Expression | BlockStatement, scope: Scope) {
    this.params = params;
    this.body = body;
    this.scope = scope;
  }
}

/** Charges a page for work. */
export interface Spender {
  /** Throws if the page has used up its budget. */
  spend(steps: number): void;
}

/**
 * The context of a built-in function: calling an author's function, and charging for the work it
 * causes.
 */
export interface Caller extends Spender {
  /** Returns the value for nobody in particular, and reports that it is the same for everybody. */
  fixed(value: Value): Value;
  call(callee: Value, args: readonly Value[]): Value;
}

/** A built-in function that authors may call. */
export class Native {
  readonly name: string;
  readonly run: (args: readonly Value[], caller: Caller) => Value;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(name: string, run: Native['run'], fields: Iterable<readonly [string, Value]> = []) {
    this.name = name;
    this.run = run;
    this.fields = new Map(fields);
  }
}

/** Source position of a component call or of a link. */
export interface Place {
  line?: number;
  column?: number;
  file?: string;
}

/** A component that the compiler renders itself: the default export of an MDX snippet. */
export class HostComponent {
  readonly render: (props: ObjectValue, children: ContentNode[], place: Place) => ContentNode[];
  constructor(render: HostComponent['render']) {
    this.render = render;
  }
}

/**
 * A name that exists but is unusable: its file is missing, or only a browser could run it. Already
 * reported.
 */
export class Unusable {
  readonly name: string;
  readonly kind: 'missing' | 'needs-browser';
  constructor(name: string, kind: Unusable['kind']) {
    this.name = name;
    this.kind = kind;
  }
}

/** A top-level constant, computed on first read. */
export class Lazy {
  #isRunning = false;
  #made: { value: Value } | undefined;
  readonly #compute: () => Value;
  constructor(compute: () => Value) {
    this.#compute = compute;
  }
  read(): Value {
    if (this.#made) return this.#made.value;
    if (this.#isRunning) throw new ExpressionError('failed', 'A constant refers to itself');
    this.#isRunning = true;
    try {
      this.#made = { value: this.#compute() };
      return this.#made.value;
    } finally {
      this.#isRunning = false;
    }
  }
}

/** Names and their values, one map for each function call or file. */
export class Scope {
  readonly bindings: Map<string, Value | Lazy>;
  readonly parent: Scope | undefined;
  /** Of a running function: its variables are assignable. Those of files are constant. */
  readonly isLocal: boolean;
  constructor(parent?: Scope, bindings?: Map<string, Value | Lazy>) {
    this.parent = parent;
    this.bindings = bindings ?? new Map();
    this.isLocal = bindings === undefined;
  }

  /** The scope that holds the name, or undefined. */
  find(name: string): Scope | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent)
      if (scope.bindings.has(name)) return scope;
    return undefined;
  }

  /** Returns the value of a name in exactly the scope that `find` returned. */
  own(name: string): Value {
    const bound = this.bindings.get(name);
    return bound instanceof Lazy ? bound.read() : bound;
  }
}

/** Returns whether the value is callable. */
export function isCallable(value: Value): value is Closure | Native {
  return value instanceof Closure || value instanceof Native;
}

/**
 * Returns the value as a component's prop: drops functions, converts objects to plain data without
 * a prototype.
 * @param budget charges for the copy, because a list may contain another one many times
 */
export function toProp(value: Value, budget: Spender): PropValue {
  if (value === null || typeof value !== 'object' || value instanceof NodesValue)
    return value as PropValue;
  if (Array.isArray(value)) {
    budget.spend(value.length + 1);
    return value.map((item) => toProp(item, budget));
  }
  if (value instanceof Personal) return toProp(value.value, budget);
  if (!(value instanceof ObjectValue)) return undefined;
  budget.spend(value.fields.size + 1);
  const plain: Record<string, PropValue> = Object.create(null);
  for (const [key, field] of value.fields)
    if (key !== '__proto__') plain[key] = toProp(field, budget);
  return plain;
}

/**
 * Returns whether a value is a function or has one inside, which only code can pass on; `budget` as
 * for `toProp`.
 */
export function holdsCode(value: Value, budget: Spender): boolean {
  if (value instanceof Closure || value instanceof Native) return true;
  const items = Array.isArray(value)
    ? value
    : value instanceof ObjectValue
      ? [...value.fields.values()]
      : [];
  budget.spend(items.length);
  return items.some((item) => holdsCode(item, budget));
}

/** Converts plain host data (variables, JSON) to a value. */
export function fromData(data: unknown): Value {
  if (
    typeof data === 'string' ||
    typeof data === 'number' ||
    typeof data === 'boolean' ||
    data === null
  )
    return data;
  if (data instanceof NodesValue) return data;
  if (Array.isArray(data)) return data.map(fromData);
  if (typeof data === 'object')
    return new ObjectValue(
      Object.entries(data).map(([key, item]) => [key, fromData(item)] as const),
    );
  return undefined;
}

/** Converts a value to a number as JavaScript does; `NaN` if it is not one. */
export function toNumber(value: Value): number {
  if (value instanceof Personal) return toNumber(value.value);
  return value !== null && typeof value === 'object' ? Number.NaN : Number(value);
}

/**
 * Converts a value to a string as JavaScript does, for templates and concatenation. Throws if it
 * would be too long.
 */
export function toText(value: Value, caller: Spender): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Personal) return toText(value.value, caller);
  return Array.isArray(value) ? joinTexts(value, ',', caller) : '[object Object]';
}

/** `Array.prototype.join` with a length limit. */
export function joinTexts(values: readonly Value[], separator: string, caller: Spender): string {
  let joined = '';
  for (let index = 0; index < values.length; index++) {
    const part = toText(values[index] ?? '', caller);
    joined = boundedText(index > 0 ? joined + separator + part : part, caller);
  }
  return joined;
}

/** The interpreter limits for one page. Real pages stay below a hundredth of them. */
export const expressionLimits = {
  steps: 400_000,
  /** Nested evaluations; each uses some native stack. */
  depth: 400,
  /** Characters and nodes that expressions and snippets add to the page. */
  outputSize: 8_000_000,
  /** Characters of one string. */
  stringLength: 1_000_000,
  /** Items of one array. */
  arrayLength: 20_000,
};

/** Returns the text unless it exceeds the length limit; long ones cost more steps. */
export function boundedText(text: string, caller: Spender): string {
  checkTextLength(text.length);
  caller.spend(1 + (text.length >> 8));
  return text;
}

/** Returns the array unless it exceeds the length limit; its items cost steps. */
export function boundedArray<Item>(items: Item[], caller: Spender): Item[] {
  checkArrayLength(items.length);
  caller.spend(items.length);
  return items;
}

/** Throws if a text would exceed the limit. */
export function checkTextLength(length: number): void {
  if (!(length <= expressionLimits.stringLength))
    throw new ExpressionError('limit', 'An expression produces a string that is too long');
}

/** Throws if an array would exceed the limit. */
export function checkArrayLength(length: number): void {
  if (!(length <= expressionLimits.arrayLength))
    throw new ExpressionError('limit', 'An expression produces an array that is too long');
}

const MAX_COST = 10_000_000;

/** A regular expression of the page with bounded running time. */
export class RegexValue {
  readonly #expression: RegExp;
  readonly #costFor: (length: number) => number;
  constructor(pattern: string, flags: string) {
    this.#costFor = costOf(pattern);
    try {
      this.#expression = new RegExp(pattern, flags.replace(/[^gimsu]/g, ''));
    } catch {
      throw new ExpressionError('syntax', 'A regular expression is invalid');
    }
  }

  /** Start of the next search; 0 except for `g` expressions after `exec`. */
  get lastIndex(): number {
    return this.#expression.lastIndex;
  }

  get isGlobal(): boolean {
    return this.#expression.global;
  }

  /** The expression, ready to run on the whole text. Throws if that could take too long. */
  on(text: string, caller: Spender): RegExp {
    this.#pay(text, caller);
    this.#expression.lastIndex = 0;
    return this.#expression;
  }

  /** Returns the next match after the last one, like `RegExp.prototype.exec`. */
  exec(text: string, caller: Spender): RegExpExecArray | null {
    this.#pay(text, caller);
    return this.#expression.exec(text);
  }

  #pay(text: string, caller: Spender): void {
    const cost = this.#costFor(text.length);
    // An island runs it, with a limit of time instead of this estimate.
    if (cost > MAX_COST)
      throw new ExpressionError(
        'needs-browser',
        'A regular expression could take too long on such a long text',
      );
    caller.spend(1 + Math.ceil(cost / 500));
  }
}

/**
 * Returns the cost of matching a text by its length: at most the length to the power of the
 * repetitions, each of which can match any part of the text, plus one, times two for every choice,
 * which doubles the attempts. This holds if no group is repeated and there is no lookaround;
 * patterns with those are rejected.
 */
function costOf(source: string): (length: number) => number {
  const pattern = source.replace(/\\[\s\S]/g, 'e').replace(/\[[^\]]*(?:\]|$)/g, 'c');
  if (pattern.length > 200 || /\)[*+?{]|\(\?[=!<]/.test(pattern) || /\\[1-9k]/.test(source)) {
    throw new ExpressionError(
      'needs-browser',
      'This regular expression is too complicated for the server',
    );
  }
  const repetitions = pattern.match(/[*+]|\{\d*,\d*\}/g)?.length ?? 0;
  const choices = pattern.match(/[?|]/g)?.length ?? 0;
  return (length) => length ** (repetitions + 1) * 2 ** choices;
}
