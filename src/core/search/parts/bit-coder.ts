/** Probabilities that learn: each says how likely the next bit in one situation is a 0, in 65536ths. */
export class BitModel {
  readonly chance: Uint16Array;
  /** How often each was asked, up to a limit: the more, the less one bit moves it. */
  readonly seen: Uint8Array;

  constructor(size: number) {
    this.chance = new Uint16Array(size).fill(1 << 15);
    this.seen = new Uint8Array(size);
  }

  /** Takes over what another of the same size has learnt. */
  become(other: BitModel): this {
    this.chance.set(other.chance);
    this.seen.set(other.seen);
    return this;
  }

  learn(at: number, bit: number): void {
    const seen = this.seen[at] as number;
    const chance = this.chance[at] as number;
    const wanted = bit === 0 ? MOST_CHANCE : LEAST_CHANCE;
    this.chance[at] = chance + (((wanted - chance) * (PACE[seen] as number)) >> PACE_BITS);
    if (seen < PACE.length - 1) this.seen[at] = seen + 1;
  }
}

const LEAST_CHANCE = 512;
const MOST_CHANCE = 65536 - LEAST_CHANCE;
const MOST_SEEN = 40;
const PACE_BITS = 12;
/** What share of the way to certainty a bit moves a chance, in 4096ths, by how often it was asked. */
const PACE = Uint16Array.from({ length: MOST_SEEN }, (_, seen) => 2 ** PACE_BITS / (seen + 1.6));
/** From here on the coder sheds a byte. */
const LOWEST_RANGE = 2 ** 24;

/**
 * Codes bits by their chances. Writer and reader share one face: the writer takes `bit` and gives it back, the reader
 * passes over it and gives the bit that was written. So one function describes a format in both directions.
 */
export interface BitCoder {
  bit(model: BitModel, at: number, bit: number): number;
  /** The lowest `count` bits of a number, at most 24, that nothing is known about. */
  plain(count: number, value: number): number;
}

/** Range coder: a bit of chance p takes −log₂ p bits. The carry is held back until it is settled. */
export class BitWriter implements BitCoder {
  private bytes = new Uint8Array(4096);
  private length = 0;
  private low = 0;
  private range = 2 ** 32 - 1;
  private held = 0;
  private heldFull = -1;

  bit(model: BitModel, at: number, bit: number): number {
    const bound = (this.range >>> 12) * ((model.chance[at] as number) >>> 4);
    if (bit === 0) this.range = bound;
    else {
      this.low += bound;
      this.range -= bound;
    }
    model.learn(at, bit);
    while (this.range < LOWEST_RANGE) this.shed();
    return bit;
  }

  plain(count: number, value: number): number {
    for (let shift = count - 1; shift >= 0; shift--) {
      this.range = this.range >>> 1;
      if ((value >>> shift) & 1) this.low += this.range;
      if (this.range < LOWEST_RANGE) this.shed();
    }
    return value;
  }

  /** Moves the top byte out, unless a carry may still reach it: bytes of all ones wait for that. */
  private shed(): void {
    this.range = (this.range << 8) >>> 0;
    if (this.low < 0xff000000 || this.low >= 2 ** 32) {
      const carry = this.low >= 2 ** 32 ? 1 : 0;
      if (this.heldFull >= 0) this.put(this.held + carry);
      for (; this.heldFull > 0; this.heldFull--) this.put(0xff + carry);
      this.heldFull = 0;
      this.held = Math.floor(this.low / 2 ** 24) & 0xff;
    } else this.heldFull++;
    this.low = (this.low % 2 ** 24) * 256;
  }

  private put(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = byte;
  }

  /** Ends the writing. */
  toBytes(): Uint8Array {
    for (let i = 0; i < 5; i++) this.shed();
    let end = this.length;
    // The reader takes what is missing at the end for zeros.
    while (end > 0 && this.bytes[end - 1] === 0) end--;
    return this.bytes.slice(0, end);
  }
}

/** Reads what a `BitWriter` wrote. Never fails: damaged bytes give other bits, which who asked for them must bear. */
export class BitReader implements BitCoder {
  private readonly bytes: Uint8Array;
  private at = 0;
  private code = 0;
  private range = 2 ** 32 - 1;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    for (let i = 0; i < 4; i++) this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  private next(): number {
    return this.at < this.bytes.length ? (this.bytes[this.at++] as number) : 0;
  }

  bit(model: BitModel, at: number, _bit: number): number {
    const bound = (this.range >>> 12) * ((model.chance[at] as number) >>> 4);
    let bit = 0;
    if (this.code < bound) this.range = bound;
    else {
      this.code -= bound;
      this.range -= bound;
      bit = 1;
    }
    model.learn(at, bit);
    while (this.range < LOWEST_RANGE) this.fill();
    return bit;
  }

  plain(count: number, _value: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.range = this.range >>> 1;
      let bit = 0;
      if (this.code >= this.range) {
        this.code -= this.range;
        bit = 1;
      }
      value = value * 2 + bit;
      if (this.range < LOWEST_RANGE) this.fill();
    }
    return value;
  }

  private fill(): void {
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.next()) >>> 0;
  }
}
