import {
  boundedText,
  type Caller,
  ExpressionError,
  isCallable,
  ObjectValue,
  toNumber,
  toText,
  type Value,
} from './value.ts';

function add(left: Value, right: Value, caller: Caller): Value {
  const isText = (value: Value): boolean =>
    typeof value === 'string' || (typeof value === 'object' && value !== null);
  if (!isText(left) && !isText(right)) return toNumber(left) + toNumber(right);
  return boundedText(toText(left, caller) + toText(right, caller), caller);
}

function isLess(left: Value, right: Value): boolean {
  return typeof left === 'string' && typeof right === 'string'
    ? left < right
    : toNumber(left) < toNumber(right);
}

function isLooselyEqual(left: Value, right: Value): boolean {
  if (left === null || left === undefined) return right === null || right === undefined;
  if (typeof left === 'object' || typeof right === 'object' || typeof left === typeof right)
    return left === right;
  return toNumber(left) === toNumber(right);
}

function isIn(key: Value, holder: Value, caller: Caller): boolean {
  if (Array.isArray(holder))
    return Number.isInteger(toNumber(key)) && toNumber(key) < holder.length;
  return holder instanceof ObjectValue && holder.fields.has(toText(key, caller));
}

const binaryOperators = new Map<string, (left: Value, right: Value, caller: Caller) => Value>([
  ['+', add],
  ['-', (left, right) => toNumber(left) - toNumber(right)],
  ['*', (left, right) => toNumber(left) * toNumber(right)],
  ['/', (left, right) => toNumber(left) / toNumber(right)],
  ['%', (left, right) => toNumber(left) % toNumber(right)],
  ['**', (left, right) => toNumber(left) ** toNumber(right)],
  ['===', (left, right) => left === right],
  ['!==', (left, right) => left !== right],
  ['==', isLooselyEqual],
  ['!=', (left, right) => !isLooselyEqual(left, right)],
  ['<', isLess],
  ['>', (left, right) => isLess(right, left)],
  [
    '<=',
    (left, right) => isLess(left, right) || left === right || toNumber(left) === toNumber(right),
  ],
  [
    '>=',
    (left, right) => isLess(right, left) || left === right || toNumber(left) === toNumber(right),
  ],
  ['&', (left, right) => toNumber(left) & toNumber(right)],
  ['|', (left, right) => toNumber(left) | toNumber(right)],
  ['^', (left, right) => toNumber(left) ^ toNumber(right)],
  ['<<', (left, right) => toNumber(left) << toNumber(right)],
  ['>>', (left, right) => toNumber(left) >> toNumber(right)],
  ['>>>', (left, right) => toNumber(left) >>> toNumber(right)],
  ['in', isIn],
]);

/** Returns the value of `left operator right`. Throws for unsupported operators. */
export function applyBinary(operator: string, left: Value, right: Value, caller: Caller): Value {
  const run = binaryOperators.get(operator);
  if (!run)
    throw new ExpressionError(
      'needs-browser',
      `The operator ${operator} is not available on the server`,
    );
  return run(left, right, caller);
}

/** Returns the result of `typeof`. */
export function typeOf(value: Value): string {
  if (isCallable(value)) return 'function';
  return value === null ? 'object' : typeof value;
}

/** Returns the value of a prefix operator. */
export function applyUnary(operator: string, value: Value): Value {
  if (operator === '!') return !value;
  if (operator === '-') return -toNumber(value);
  if (operator === '+') return toNumber(value);
  if (operator === '~') return ~toNumber(value);
  if (operator === 'void') return undefined;
  throw new ExpressionError(
    'needs-browser',
    `The operator ${operator} is not available on the server`,
  );
}
