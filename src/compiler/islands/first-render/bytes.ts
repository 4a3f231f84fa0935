/** Base64, UTF-8, copies of values, and random ids as browsers have them. The engine of the sandbox has none. */
const world = globalThis as unknown as Record<string, unknown>;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function btoa(value: unknown): string {
  const text = String(value);
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const bytes = [0, 1, 2].map((next) => text.charCodeAt(at + next));
    if (bytes.some((byte) => byte > 0xff)) throw new RangeError('btoa takes characters up to U+00FF');
    const [a = 0, b = 0, c = 0] = bytes.map((byte) => byte || 0);
    const digits = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63].map((digit) => DIGITS[digit]);
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
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits)) throw new RangeError('atob takes Base64');
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
      return decodeURIComponent(all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
    } catch {
      // Not UTF-8: what is ASCII stays readable.
      return all.map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd')).join('');
    }
  }
}

function structuredClone(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('A function cannot be cloned');
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
    for (const held of value) copy.add(clone(held));
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
