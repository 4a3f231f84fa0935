import { NodesValue } from '../nodes/content-node.ts';
import { code, personal } from './personal.ts';
import {
  boundedArray,
  boundedText,
  type Caller,
  checkArrayLength,
  checkTextLength,
  ExpressionError,
  isCallable,
  joinTexts,
  Native,
  ObjectValue,
  Personal,
  RegexValue,
  toNumber,
  toText,
  type Value,
} from './value.ts';

type Method<Self> = (self: Self, args: readonly Value[], caller: Caller) => Value;
type Methods<Self> = ReadonlyMap<string, Method<Self>>;

function methodOf<Self>(self: Self, key: string, methods: Methods<Self>): Native | undefined {
  const method = methods.get(key);
  return method && new Native(key, (args, caller) => method(self, args, caller));
}

/** The methods of the same names that are called in the same way. */
function alike<Self, Name extends string>(
  names: readonly Name[],
  call: (self: Self, name: Name, args: readonly Value[]) => Value,
): [Name, Method<Self>][] {
  return names.map((name) => [name, (self, args) => call(self, name, args)]);
}

function itemOf(list: string | Value[], key: string): Value {
  if (key === 'length') return list.length;
  // Matches of a regular expression have an index.
  if (key === 'index' && Object.hasOwn(Object(list), key))
    return (list as unknown as RegExpExecArray).index;
  return /^\d+$/.test(key) ? list[Number(key)] : undefined;
}

/**
 * Returns the member of a value: data of the author, or a supported method. Nothing else is
 * reachable, whatever the key. Throws for `null` and `undefined`, as JavaScript does.
 */
export function memberOf(value: Value, key: string): Value {
  if (value === null || value === undefined)
    throw new ExpressionError('failed', `"${key}" is read from ${value}`);
  if (value instanceof Personal) {
    const { value: holder } = value;
    const member = holder === null || holder === undefined ? undefined : memberOf(holder, key);
    return personal(member, () => code`${value}?.[${key}]`, NOTHING);
  }
  if (typeof value === 'string') return methodOf(value, key, stringMethods) ?? itemOf(value, key);
  if (typeof value === 'number') return methodOf(value, key, numberMethods);
  if (typeof value === 'boolean')
    return key === 'toString' ? new Native(key, () => String(value)) : undefined;
  if (Array.isArray(value)) return methodOf(value, key, arrayMethods) ?? itemOf(value, key);
  if (value instanceof RegexValue)
    return key === 'lastIndex' ? value.lastIndex : methodOf(value, key, regexMethods);
  if (value instanceof Native && !value.fields.has(key)) {
    throw new ExpressionError(
      'needs-browser',
      `"${value.name}.${key}" is not available on the server`,
    );
  }
  if (value instanceof ObjectValue || value instanceof Native) return value.fields.get(key);
  if (value instanceof NodesValue && (key === 'props' || key === 'type'))
    throw new ExpressionError('needs-browser', `"${key}" of JSX is known only when it is rendered`);
  return undefined;
}

/** The field of a reader is always written as code. */
const NOTHING = () => {};

const whole = (value: Value): number | undefined =>
  value === undefined ? undefined : Number(value);

/** The same for methods that decide by the result. */
function decide(caller: Caller, callee: Value, items: Value[], index: number): boolean {
  return Boolean(caller.fixed(visit(caller, callee, items, index)));
}

/** Calls the author's function for one item, like every array method. */
function visit(caller: Caller, callee: Value, items: Value[], index: number): Value {
  caller.spend(1);
  return caller.call(callee, [items[index], index, items]);
}

function flatten(items: readonly Value[], depth: number, caller: Caller): Value[] {
  const flat: Value[] = [];
  for (const item of items) {
    caller.spend(1);
    if (Array.isArray(item) && depth > 0) flat.push(...flatten(item, depth - 1, caller));
    else flat.push(item);
    checkArrayLength(flat.length);
  }
  return flat;
}

function reduce(items: Value[], args: readonly Value[], caller: Caller): Value {
  const [callee, ...initial] = args;
  if (initial.length === 0 && items.length === 0)
    throw new ExpressionError('failed', 'reduce of an empty array needs an initial value');
  const step = (result: Value, item: Value, index: number): Value => {
    caller.spend(1);
    return caller.call(callee, [result, item, index, items]);
  };
  return initial.length > 0 ? items.reduce(step, initial[0]) : items.reduce(step);
}

function compare(caller: Caller, callee: Value): (a: Value, b: Value) => number {
  return (a, b) => {
    caller.spend(1);
    if (callee !== undefined) return Number(caller.fixed(caller.call(callee, [a, b]))) || 0;
    const [left, right] = [toText(a, caller), toText(b, caller)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

/** Values that cannot end up containing the list itself: a cyclic list would never end. */
function isPlain(value: Value): boolean {
  if (value === null || typeof value !== 'object' || value instanceof NodesValue) return true;
  return value instanceof ObjectValue && [...value.fields.values()].every(isPlain);
}

function push(items: Value[], args: readonly Value[], caller: Caller): number {
  if (!args.every(isPlain))
    throw new ExpressionError(
      'needs-browser',
      'Only primitive values can be pushed to arrays on the server',
    );
  items.push(...args);
  return boundedArray(items, caller).length;
}

const arrayMethods: Methods<Value[]> = new Map<string, Method<Value[]>>([
  ['at', (items, [index]) => items.at(whole(index) ?? 0)],
  ['concat', (items, args, caller) => boundedArray(items.concat(...(args as Value[])), caller)],
  ['entries', (items, _, caller) => boundedArray([...items.entries()], caller)],
  ['every', (items, [f], caller) => items.every((_, index) => decide(caller, f, items, index))],
  ['filter', (items, [f], caller) => items.filter((_, index) => decide(caller, f, items, index))],
  ['find', (items, [f], caller) => items.find((_, index) => decide(caller, f, items, index))],
  [
    'fill',
    (items, [value, start, end]) =>
      items.fill(isPlain(value) ? value : undefined, whole(start), whole(end)),
  ],
  [
    'findLast',
    (items, [f], caller) => items.findLast((_, index) => decide(caller, f, items, index)),
  ],
  [
    'findLastIndex',
    (items, [f], caller) => items.findLastIndex((_, index) => decide(caller, f, items, index)),
  ],
  [
    'findIndex',
    (items, [f], caller) => items.findIndex((_, index) => decide(caller, f, items, index)),
  ],
  ['flat', (items, [depth], caller) => flatten(items, Math.min(whole(depth) ?? 1, 20), caller)],
  [
    'flatMap',
    (items, [f], caller) =>
      flatten(
        items.map((_, index) => visit(caller, f, items, index)),
        1,
        caller,
      ),
  ],
  [
    'forEach',
    (items, [f], caller) => void items.forEach((_, index) => void visit(caller, f, items, index)),
  ],
  ...alike(['includes', 'indexOf', 'lastIndexOf'], (items: Value[], name, [item]) =>
    items[name](item),
  ),
  [
    'join',
    (items, [separator], caller) =>
      joinTexts(items, separator === undefined ? ',' : toText(separator, caller), caller),
  ],
  ['keys', (items, _, caller) => boundedArray([...items.keys()], caller)],
  ['map', (items, [f], caller) => items.map((_, index) => visit(caller, f, items, index))],
  ['push', push],
  ['reduce', reduce],
  ['reverse', (items) => items.reverse()],
  [
    'slice',
    (items, [start, end], caller) => boundedArray(items.slice(whole(start), whole(end)), caller),
  ],
  ['some', (items, [f], caller) => items.some((_, index) => decide(caller, f, items, index))],
  ['sort', (items, [f], caller) => items.sort(compare(caller, f))],
  ['toReversed', (items, _, caller) => boundedArray([...items].reverse(), caller)],
  ['toSorted', (items, [f], caller) => boundedArray([...items], caller).sort(compare(caller, f))],
  ['toString', (items, _, caller) => toText(items, caller)],
]);

/** Search arguments: anything but a text matches nothing. */
const text = (value: Value): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const count = (value: Value): number => Math.max(0, Math.trunc(Number(value)) || 0);

function replaceWith(
  source: string,
  pattern: string | RegExp,
  by: Value,
  all: boolean,
  caller: Caller,
): string {
  let length = source.length;
  const make = (...parts: unknown[]): string => {
    const groups = parts.slice(0, -2).map((part) => (typeof part === 'string' ? part : undefined));
    const replacement = isCallable(by)
      ? toText(caller.call(by, groups), caller)
      : insertGroups(text(by), groups);
    length += replacement.length;
    checkTextLength(length);
    caller.spend(1 + (replacement.length >> 8));
    return replacement;
  };
  return all ? source.replaceAll(pattern, make) : source.replace(pattern, make);
}

/** Expands `$&` and `$1` in a replacement. */
function insertGroups(replacement: string, groups: readonly (string | undefined)[]): string {
  if (!replacement.includes('$')) return replacement;
  return replacement.replace(/\$(?:\$|&|(\d))/g, (mark, digit?: string) => {
    if (mark === '$$') return '$';
    return groups[digit === undefined ? 0 : Number(digit)] ?? '';
  });
}

function replace(
  source: string,
  [pattern, by]: readonly Value[],
  caller: Caller,
  all: boolean,
): string {
  if (!(pattern instanceof RegexValue)) return replaceWith(source, text(pattern), by, all, caller);
  return replaceWith(source, pattern.on(source, caller), by, pattern.isGlobal, caller);
}

function split(source: string, [separator, limit]: readonly Value[], caller: Caller): Value {
  if (separator === undefined) return [source];
  const pattern = separator instanceof RegexValue ? separator.on(source, caller) : text(separator);
  return boundedArray(source.split(pattern, whole(limit)), caller);
}

function pad(source: string, [length, filler]: readonly Value[], atStart: boolean): string {
  const size = Math.min(count(length), 10_000);
  const fill = filler === undefined ? ' ' : text(filler);
  return atStart ? source.padStart(size, fill) : source.padEnd(size, fill);
}

function repeat(source: string, times: Value, caller: Caller): string {
  checkTextLength(source.length * count(times));
  return boundedText(source.repeat(count(times)), caller);
}

function match(source: string, pattern: Value, caller: Caller): Value {
  if (!(pattern instanceof RegexValue))
    return source.includes(text(pattern)) ? [text(pattern)] : null;
  const matches = source.match(pattern.on(source, caller));
  return matches ? [...matches] : null;
}

function localeCompare(source: string, [other, ...rest]: readonly Value[], caller: Caller): number {
  caller.spend(1 + (source.length >> 6));
  return inLocale(rest, (locale, options) => source.localeCompare(text(other), locale, options));
}

const stringMethods: Methods<string> = new Map<string, Method<string>>([
  ...alike(['at', 'charAt', 'charCodeAt', 'codePointAt'], (source: string, name, [index]) =>
    source[name](whole(index) ?? 0),
  ),
  ['concat', (source, args, caller) => joinTexts([source, ...args.map(text)], '', caller)],
  ...alike(['endsWith', 'includes', 'startsWith'], (source: string, name, [part]) =>
    source[name](text(part)),
  ),
  ...alike(['indexOf', 'lastIndexOf'], (source: string, name, [part, from]) =>
    source[name](text(part), whole(from)),
  ),
  ['localeCompare', localeCompare],
  ['match', (source, [pattern], caller) => match(source, pattern, caller)],
  [
    'normalize',
    (source, [form]) => source.normalize(/^NFK?[CD]$/.test(text(form)) ? text(form) : 'NFC'),
  ],
  ['padEnd', (source, args) => pad(source, args, false)],
  ['padStart', (source, args) => pad(source, args, true)],
  ['repeat', (source, [times], caller) => repeat(source, times, caller)],
  ['replace', (source, args, caller) => replace(source, args, caller, false)],
  ['replaceAll', (source, args, caller) => replace(source, args, caller, true)],
  ['slice', (source, [start, end]) => source.slice(whole(start), whole(end))],
  ['split', split],
  ['substring', (source, [start, end]) => source.substring(whole(start) ?? 0, whole(end))],
  ['toLocaleLowerCase', (source) => source.toLowerCase()],
  ['toLocaleUpperCase', (source) => source.toUpperCase()],
  ['toString', (source) => source],
  ...alike(['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'], (source: string, name) =>
    source[name](),
  ),
]);

const numberMethods: Methods<number> = new Map<string, Method<number>>([
  ['toFixed', (value, [digits]) => value.toFixed(Math.min(100, count(toNumber(digits))))],
  [
    'toLocaleString',
    (value, args) => inLocale(args, (locale, options) => value.toLocaleString(locale, options)),
  ],
  [
    'toString',
    (value, [radix]) =>
      value.toString(radix === undefined ? 10 : Math.min(36, Math.max(2, toNumber(radix) || 10))),
  ],
]);

const regexMethods: Methods<RegexValue> = new Map<string, Method<RegexValue>>([
  ['exec', (value, [text], caller) => value.exec(toText(text, caller), caller)],
  ['test', (value, [text], caller) => value.exec(toText(text, caller), caller) !== null],
]);

/**
 * Calls a method of the language that takes a locale and options, as authors pass them. Without a
 * locale, it is American English, on every machine.
 */
function inLocale<T>(
  [locale, options]: readonly Value[],
  run: (locale: string, options: object) => T,
): T {
  const isPlain = (option: Value) =>
    typeof option === 'string' || typeof option === 'number' || typeof option === 'boolean';
  const plainOptions =
    options instanceof ObjectValue ? [...options.fields].filter(([, one]) => isPlain(one)) : [];
  try {
    return run(typeof locale === 'string' ? locale : 'en-US', Object.fromEntries(plainOptions));
  } catch (error) {
    throw new ExpressionError(
      'failed',
      error instanceof Error ? error.message : 'the locale is unknown',
    );
  }
}
