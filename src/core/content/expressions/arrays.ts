import { NodesValue } from '../expand/content-node.ts';
import { ExpressionError } from './error.ts';
import { type Caller, checkArrayLength, isTruthy, joinTexts, ObjectValue, toText, type Value } from './value.ts';

type ArrayMethod = (items: Value[], args: readonly Value[], caller: Caller) => Value;

const whole = (value: Value): number | undefined => (value === undefined ? undefined : Number(value));

function made(items: Value[], caller: Caller): Value[] {
  checkArrayLength(items.length);
  caller.spend(items.length);
  return items;
}

/** Calls the author's function for one item, like every array method. */
function visit(caller: Caller, callee: Value, items: Value[], index: number): Value {
  caller.spend(1);
  return caller.call(callee, [items[index], index, items]);
}

const indexes = (items: Value[]): number[] => items.map((_, index) => index);

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
  const rest = items.map((item, index) => [item, index] as const);
  if (args.length < 2 && rest.length === 0)
    throw new ExpressionError('failed', 'reduce of an empty array needs an initial value');
  let result = args.length > 1 ? args[1] : rest.shift()?.[0];
  for (const [item, index] of rest) {
    caller.spend(1);
    result = caller.call(args[0], [result, item, index, items]);
  }
  return result;
}

function compare(caller: Caller, callee: Value): (a: Value, b: Value) => number {
  return (a, b) => {
    caller.spend(1);
    if (callee !== undefined) return Number(caller.call(callee, [a, b])) || 0;
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
    throw new ExpressionError('needs-browser', 'Only primitive values can be pushed to arrays on the server');
  items.push(...args);
  made(items, caller);
  return items.length;
}

/** The array methods that pages may call. */
export const arrayMethods: ReadonlyMap<string, ArrayMethod> = new Map<string, ArrayMethod>([
  ['at', (items, [index]) => items.at(whole(index) ?? 0)],
  ['concat', (items, args, caller) => made(items.concat(...(args as Value[])), caller)],
  [
    'entries',
    (items, _, caller) =>
      made(
        items.map((item, index): Value => [index, item]),
        caller,
      ),
  ],
  ['every', (items, [f], caller) => indexes(items).every((index) => isTruthy(visit(caller, f, items, index)))],
  ['filter', (items, [f], caller) => items.filter((_, index) => isTruthy(visit(caller, f, items, index)))],
  ['find', (items, [f], caller) => items.find((_, index) => isTruthy(visit(caller, f, items, index)))],
  ['fill', (items, [value, start, end]) => items.fill(isPlain(value) ? value : undefined, whole(start), whole(end))],
  ['findLast', (items, [f], caller) => items.findLast((_, index) => isTruthy(visit(caller, f, items, index)))],
  ['findLastIndex', (items, [f], caller) => items.findLastIndex((_, index) => isTruthy(visit(caller, f, items, index)))],
  ['findIndex', (items, [f], caller) => items.findIndex((_, index) => isTruthy(visit(caller, f, items, index)))],
  ['flat', (items, [depth], caller) => flatten(items, Math.min(whole(depth) ?? 1, 20), caller)],
  [
    'flatMap',
    (items, [f], caller) =>
      flatten(
        indexes(items).map((index) => visit(caller, f, items, index)),
        1,
        caller,
      ),
  ],
  ['forEach', (items, [f], caller) => void indexes(items).forEach((index) => void visit(caller, f, items, index))],
  ['includes', (items, [item]) => items.includes(item)],
  ['indexOf', (items, [item]) => items.indexOf(item)],
  ['join', (items, [separator], caller) => joinTexts(items, separator === undefined ? ',' : toText(separator, caller), caller)],
  ['keys', (items, _, caller) => made(indexes(items), caller)],
  ['lastIndexOf', (items, [item]) => items.lastIndexOf(item)],
  ['map', (items, [f], caller) => indexes(items).map((index) => visit(caller, f, items, index))],
  ['push', push],
  ['reduce', reduce],
  ['reverse', (items) => items.reverse()],
  ['slice', (items, [start, end], caller) => made(items.slice(whole(start), whole(end)), caller)],
  ['some', (items, [f], caller) => indexes(items).some((index) => isTruthy(visit(caller, f, items, index)))],
  ['sort', (items, [f], caller) => items.sort(compare(caller, f))],
  ['toReversed', (items, _, caller) => made([...items].reverse(), caller)],
  ['toSorted', (items, [f], caller) => made([...items], caller).sort(compare(caller, f))],
  ['toString', (items, _, caller) => toText(items, caller)],
]);
