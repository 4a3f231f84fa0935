/**
 * What an author's code finds in the sandbox besides the language. It is the same on every machine:
 * one moment, no randomness, no time zone. Runs before any of the author's code.
 */
const world = globalThis as unknown as Record<string, unknown>;
const nothing = (): void => {};

const MOMENT = world.docentNow as number;
delete world.docentNow;
const TrueDate = Date;

function dateAt(parts: unknown[]): number {
  if (parts.length === 0) return MOMENT;
  if (parts.length === 1) return new TrueDate(parts[0] as string).getTime();
  return TrueDate.UTC(...(parts as [number, number]));
}

function FixedDate(this: unknown, ...parts: unknown[]): unknown {
  if (!new.target) return new TrueDate(MOMENT).toUTCString();
  return Reflect.construct(TrueDate, [dateAt(parts)], new.target);
}

const dates = TrueDate.prototype as unknown as Record<string, unknown>;
FixedDate.prototype = TrueDate.prototype;
Object.assign(FixedDate, { now: () => MOMENT, UTC: TrueDate.UTC, parse: TrueDate.parse });
dates.constructor = FixedDate;
world.Date = FixedDate;

for (const part of [
  'FullYear',
  'Month',
  'Date',
  'Day',
  'Hours',
  'Minutes',
  'Seconds',
  'Milliseconds',
]) {
  dates[`get${part}`] = dates[`getUTC${part}`];
  if (part !== 'Day') dates[`set${part}`] = dates[`setUTC${part}`];
}
Object.assign(dates, { getTimezoneOffset: () => 0, toString: dates.toUTCString });

let seed = 1;
Math.random = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};

world.console = Object.fromEntries(
  'log info warn error debug trace group groupEnd table time timeEnd assert'
    .split(' ')
    .map((name) => [name, nothing]),
);
// Timers can be set, but they never fire.
for (const name of [
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
  'requestIdleCallback',
  'queueMicrotask',
])
  world[name] = () => 0;
for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback'])
  world[name] = nothing;
world.self = globalThis;

// Base64, UTF-8, copies of values, and random ids as browsers have them. The engine of the sandbox
// has none.
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function btoa(value: unknown): string {
  const text = String(value);
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const bytes = [0, 1, 2].map((next) => text.charCodeAt(at + next));
    if (bytes.some((byte) => byte > 0xff))
      throw new RangeError('btoa takes characters up to U+00FF');
    const [a = 0, b = 0, c = 0] = bytes.map((byte) => byte || 0);
    const digits = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63].map(
      (digit) => DIGITS[digit],
    );
    out += digits
      .slice(0, Math.min(text.length - at, 3) + 1)
      .join('')
      .padEnd(4, '=');
  }
  return out;
}

function atob(value: unknown): string {
  const text = String(value).replace(/[\t\n\f\r ]/g, '');
  const digits = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits))
    throw new RangeError('atob takes Base64');
  let out = '';
  let bits = 0;
  for (let at = 0; at < digits.length; at++) {
    bits = ((bits << 6) | DIGITS.indexOf(digits[at] as string)) & 0xffffff;
    if (at % 4 !== 0) out += String.fromCharCode((bits >> (6 - 2 * (at % 4))) & 0xff);
  }
  return out;
}

class Encoder {
  readonly encoding = 'utf-8';
  encode(value: unknown = ''): Uint8Array {
    const written = encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\ufffd'));
    return Uint8Array.from(written.match(/%..|[\s\S]/g) ?? [], (part) =>
      part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0),
    );
  }
}

class Decoder {
  readonly encoding = 'utf-8';
  decode(bytes: ArrayBuffer | Uint8Array = new Uint8Array()): string {
    const all = [...(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))];
    try {
      return decodeURIComponent(
        all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      );
    } catch {
      // Not UTF-8: what is ASCII stays readable.
      return all.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd')).join('');
    }
  }
}

function structuredClone(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError('A function cannot be cloned');
  if (value === null || typeof value !== 'object') return value;
  if (copies.has(value)) return copies.get(value);
  const keep = <Copy>(copy: Copy): Copy => {
    copies.set(value, copy);
    return copy;
  };
  const clone = (part: unknown): unknown => structuredClone(part, copies);
  if (value instanceof Date) return keep(new Date(value.getTime()));
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
  if (value instanceof Map) {
    const copy = keep(new Map());
    for (const [key, held] of value) copy.set(clone(key), clone(held));
    return copy;
  }
  if (value instanceof Set) {
    const copy = keep(new Set());
    for (const member of value) copy.add(clone(member));
    return copy;
  }
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {}) as Record<string, unknown>;
  for (const [key, held] of Object.entries(value)) copy[key] = clone(held);
  return copy;
}

const randomByte = (): number => Math.floor(Math.random() * 256);
const crypto = {
  getRandomValues: (bytes: Uint8Array): Uint8Array => bytes.fill(0).map(randomByte),
  randomUUID: (): string =>
    '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => {
      const random = randomByte() & 15;
      return (digit === '8' ? 8 | (random & 3) : random).toString(16);
    }),
};

Object.assign(world, {
  atob,
  btoa,
  crypto,
  performance: { now: () => 0, mark: () => undefined, measure: () => undefined, timeOrigin: 0 },
  structuredClone: (value: unknown) => structuredClone(value),
  TextDecoder: Decoder,
  TextEncoder: Encoder,
});

/**
 * A browser that knows nothing, for components that ask the browser while they render instead of in
 * an effect: a light, wide window without storage and with an empty document. The build turns to it
 * only when they fail without.
 */
const none = (): null => null;

const element = {
  classList: { add: nothing, contains: () => false, remove: nothing, toggle: () => false },
  style: { setProperty: nothing },
  dataset: {},
  addEventListener: nothing,
  appendChild: nothing,
  getAttribute: none,
  hasAttribute: () => false,
  querySelector: none,
  querySelectorAll: () => [],
  removeEventListener: nothing,
  setAttribute: nothing,
};
const storage = { getItem: none, removeItem: nothing, setItem: nothing };
const location = {
  hash: '',
  host: '',
  hostname: '',
  href: '',
  origin: '',
  pathname: '/',
  protocol: 'https:',
  search: '',
};

const browser = {
  addEventListener: nothing,
  devicePixelRatio: 1,
  document: {
    ...element,
    body: element,
    cookie: '',
    createElement: () => element,
    documentElement: element,
    getElementById: none,
    getElementsByClassName: () => [],
    getElementsByTagName: () => [],
    head: element,
    location,
    title: '',
  },
  getComputedStyle: () => ({ getPropertyValue: () => '' }),
  history: { pushState: nothing, replaceState: nothing, state: null },
  innerHeight: 800,
  innerWidth: 1280,
  localStorage: storage,
  location,
  matchMedia: () => ({ ...element, addListener: nothing, matches: false, removeListener: nothing }),
  navigator: { language: 'en-US', languages: ['en-US'], onLine: true, platform: '', userAgent: '' },
  removeEventListener: nothing,
  scrollX: 0,
  scrollY: 0,
  sessionStorage: storage,
};

world.docentPretendBrowser = () => {
  Object.assign(globalThis, browser, { window: globalThis });
};
