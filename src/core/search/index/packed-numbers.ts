/**
 * Encodes whole numbers ≥ 0 as printable ASCII: five bits per character, the sixth says that more follow. The 64 characters from
 * `#` on skip the backslash, because a string literal would double it.
 */
const FIRST = 35;
const BACKSLASH = 92;

export class NumberPacker {
  private bytes = new Uint8Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow();
    let rest = value;
    while (rest >= 32) {
      this.put((rest & 31) | 32);
      rest = Math.floor(rest / 32);
    }
    this.put(rest);
  }

  private put(six: number): void {
    const code = six + FIRST;
    this.bytes[this.length++] = code < BACKSLASH ? code : code + 1;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }

  toBytes(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Reads packed numbers one by one. */
export class NumberReader {
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  next(): number {
    const { bytes, end } = this;
    let { at } = this;
    // Most numbers are small and take one character.
    const first = at < end ? (bytes[at] as number) : FIRST;
    const only = first > BACKSLASH ? first - FIRST - 1 : first - FIRST;
    if (only < 32) {
      this.at = Math.min(at + 1, end);
      return only;
    }
    let value = 0;
    // Numbers below 2^30 use integer arithmetic; larger ones (lengths of a huge site) the slower way.
    for (let shift = 0; at < end; shift += 5) {
      const code = bytes[at++] as number;
      const six = code > BACKSLASH ? code - FIRST - 1 : code - FIRST;
      value = shift < 30 ? value | ((six & 31) << shift) : value + (six & 31) * 2 ** shift;
      if (six < 32) break;
    }
    this.at = at;
    return value;
  }
}

/** Packs numbers in order. */
export function packNumbers(values: Iterable<number>): Uint8Array {
  const packer = new NumberPacker();
  for (const value of values) packer.push(value);
  return packer.toBytes();
}

/** Returns all numbers that `packNumbers` packed. */
export function readNumbers(bytes: Uint8Array): Uint32Array {
  const reader = new NumberReader(bytes);
  // Each number takes at least one byte.
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  while (!reader.done) numbers[count++] = reader.next();
  return numbers.slice(0, count);
}

/** Converts lengths to offsets; one more than there are lengths, the last being the end. */
export function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}
