/** The challenge of a site for the next question. */
export interface Challenge {
  challenge: string;
  bits: number;
}

/** Attempts between two pauses, in which the page can render and react. */
const TRIES_AT_ONCE = 2000;

/**
 * Finds a number for which the hash of challenge and number starts with that many zero bits. Takes
 * some tenths of a second.
 */
export async function solve({ challenge, bits }: Challenge, signal: AbortSignal): Promise<string> {
  for (let number = 0; !signal.aborted; number++) {
    const proof = `${challenge}.${number}`;
    if ((sha256(proof)[0] as number) >>> (32 - bits) === 0) return proof;
    if (number % TRIES_AT_ONCE === TRIES_AT_ONCE - 1)
      await new Promise((resolve) => setTimeout(resolve));
  }
  throw signal.reason;
}

/*
 * SHA-256 (FIPS 180-4) without the browser's implementation: that one exists only on secure
 * origins, and is far slower for tens of thousands of short texts, because each call is
 * asynchronous.
 */

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const primeNumbers: number[] = [];
  for (let number = 2; primeNumbers.length < count; number++)
    if (primeNumbers.every((prime) => number % prime !== 0)) primeNumbers.push(number);
  return primeNumbers;
}

const ROUND = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const schedule = new Int32Array(64);

function rotate(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function digestBlock(state: Int32Array, block: DataView): void {
  const w = schedule;
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(i * 4);
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15] as number;
    const b = w[i - 2] as number;
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (w[i] as number)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = ((state[i] as number) + value) | 0;
  });
}

/** Returns the hash of a Latin-1 text, as 32-bit words. */
export function sha256(text: string): Int32Array {
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  bytes[text.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, text.length * 8);
  const state = START.slice();
  for (let at = 0; at < bytes.length; at += 64)
    digestBlock(state, new DataView(bytes.buffer, at, 64));
  return state;
}
