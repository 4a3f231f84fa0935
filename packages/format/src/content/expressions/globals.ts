import {
  boundedArray,
  boundedText,
  type Caller,
  checkArrayLength,
  ExpressionError,
  fromData,
  Native,
  ObjectValue,
  Personal,
  Scope,
  toNumber,
  toProp,
  toText,
  type Value,
} from './value.ts';

type Run = (args: readonly Value[], caller: Caller) => Value;

const natives = (functions: Record<string, Run>): [string, Value][] =>
  Object.entries(functions).map(([name, run]) => [name, new Native(name, run)]);

/** The fields of an object or a list in JavaScript's order: whole numbers come first, ascending. */
function fieldsOf(value: Value): [string, Value][] {
  if (value instanceof ObjectValue) return Object.entries(Object.fromEntries(value.fields));
  return Array.isArray(value) ? value.map((item, index) => [String(index), item]) : [];
}

function fromEntries(pairs: Value, caller: Caller): ObjectValue {
  if (!Array.isArray(pairs)) return new ObjectValue();
  caller.spend(pairs.length);
  return new ObjectValue(
    pairs.map((pair) =>
      Array.isArray(pair) ? [toText(pair[0], caller), pair[1]] : ['', undefined],
    ),
  );
}

function arrayFrom([source, make]: readonly Value[], caller: Caller): Value {
  let items: Value[] = [];
  if (typeof source === 'string' || Array.isArray(source)) items = [...source];
  else if (source instanceof ObjectValue) {
    const length = Number(source.fields.get('length') ?? 0);
    checkArrayLength(length);
    items = Array.from({ length });
  }
  boundedArray(items, caller);
  return make === undefined ? items : items.map((item, index) => caller.call(make, [item, index]));
}

function stringify([value, replacer, indent]: readonly Value[], caller: Caller): Value {
  if (replacer !== null && replacer !== undefined)
    throw new ExpressionError(
      'needs-browser',
      'JSON.stringify with a replacer runs only in browsers',
    );
  const plain = toProp(value, caller);
  const space =
    typeof indent === 'number'
      ? Math.min(indent, 10)
      : typeof indent === 'string'
        ? indent.slice(0, 10)
        : undefined;
  return boundedText(JSON.stringify(plain, null, space) ?? '', caller);
}

function parseJson(source: Value, caller: Caller): Value {
  const text = boundedText(toText(source, caller), caller);
  caller.spend(text.length >> 2);
  try {
    return fromData(JSON.parse(text));
  } catch {
    throw new ExpressionError('failed', 'JSON.parse received invalid JSON');
  }
}

const mathFunctions =
  'abs ceil floor round trunc sign sqrt cbrt min max pow log log2 log10 exp hypot sin cos tan atan atan2'.split(
    ' ',
  );

const math = new ObjectValue(
  [
    ['PI', Math.PI],
    ['E', Math.E],
    ...mathFunctions.map((name): [string, Value] => {
      const run = Math[name as 'max'];
      return [name, new Native(name, (args) => run(...args.map(Number)))];
    }),
  ],
  true,
);

function assign([target, ...sources]: readonly Value[], caller: Caller): Value {
  // An object that contains itself would never end.
  if (
    !(target instanceof ObjectValue) ||
    target.frozen ||
    sources.some((source) => contains(source, target, caller))
  )
    throw new ExpressionError('needs-browser', 'This Object.assign runs only in browsers');
  for (const [key, field] of sources.flatMap(fieldsOf)) target.fields.set(key, field);
  return target;
}

function contains(value: Value, target: ObjectValue, caller: Caller): boolean {
  caller.spend(1);
  if (value === target) return true;
  const parts = Array.isArray(value)
    ? value
    : value instanceof ObjectValue
      ? [...value.fields.values()]
      : [];
  return parts.some((part) => contains(part, target, caller));
}

const object = new Native(
  'Object',
  ([value]) => (value instanceof ObjectValue ? value : new ObjectValue()),
  natives({
    keys: ([value]) => fieldsOf(value).map(([key]) => key),
    values: ([value]) => fieldsOf(value).map(([, field]) => field),
    entries: ([value]) => fieldsOf(value).map(([key, field]): Value => [key, field]),
    fromEntries: ([pairs], caller) => fromEntries(pairs, caller),
    assign,
    freeze: ([value]) => value,
  }),
);

function makeArray(args: readonly Value[], caller: Caller): Value {
  const [length] = args;
  if (args.length !== 1 || typeof length !== 'number') return [...args];
  return arrayFrom([new ObjectValue([['length', length]])], caller);
}

const array = new Native(
  'Array',
  makeArray,
  natives({
    isArray: ([value]) => Array.isArray(value),
    from: arrayFrom,
    of: (args) => [...args],
  }),
);

const numberConstants = [
  'EPSILON',
  'MAX_SAFE_INTEGER',
  'MAX_VALUE',
  'MIN_SAFE_INTEGER',
  'MIN_VALUE',
] as const;

const numberParsers = natives({
  parseFloat: ([value], caller) => Number.parseFloat(toText(value, caller)),
  parseInt: ([value, radix], caller) => Number.parseInt(toText(value, caller), toNumber(radix)),
});

const number = new Native('Number', ([value]) => toNumber(value), [
  ...numberConstants.map((name): [string, Value] => [name, Number[name]]),
  ...natives({
    isInteger: ([value]) => Number.isInteger(value),
    isFinite: ([value]) => Number.isFinite(value),
    isNaN: ([value]) => Number.isNaN(value),
  }),
  ...numberParsers,
]);

function encode(write: (text: string) => string): Run {
  return ([value], caller) => {
    try {
      return boundedText(write(toText(value, caller)), caller);
    } catch (error) {
      if (error instanceof URIError)
        throw new ExpressionError('failed', 'A URI cannot be encoded or decoded');
      throw error;
    }
  };
}

/** Creates a scope with everything that pages may use without defining it. */
export function globalScope(): Scope {
  const bindings = new Map<string, Value>([
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['Math', math],
    [
      'JSON',
      new ObjectValue(
        natives({ stringify, parse: ([source], caller) => parseJson(source, caller) }),
        true,
      ),
    ],
    ['Object', object],
    ['Array', array],
    ['Number', number],
    [
      'String',
      new Native('String', (args, caller) => (args.length === 0 ? '' : toText(args[0], caller))),
    ],
    ['Boolean', new Native('Boolean', ([value]) => Boolean(value))],
    ...numberParsers,
    ...natives({
      isNaN: ([value]) => Number.isNaN(toNumber(value)),
      isFinite: ([value]) => Number.isFinite(toNumber(value)),
      encodeURIComponent: encode(encodeURIComponent),
      encodeURI: encode(encodeURI),
      decodeURIComponent: encode(decodeURIComponent),
      decodeURI: encode(decodeURI),
    }),
    ['user', new Personal(['user'], new ObjectValue([], true))],
  ]);
  return new Scope(undefined, bindings);
}
