import { type Repetition, type Repetitions, SHORTEST_REPETITION } from './code-text.ts';

const LONGEST = 1 << 16;
/** Longer ones are taken without a look at what comes after. */
const LONG = 32;
/** How many earlier places are looked at for a repetition. */
const MOST_TRIES = 12;
const HASH_BITS = 13;
/** From so far away the shortest repetition costs more than its bytes. */
const FAR = 1024;

/** Finds what stood before in texts that all begin with the same bytes. */
export class RepetitionFinder implements Repetitions {
  private bytes: Uint8Array;
  private readonly newest = new Int32Array(1 << HASH_BITS).fill(-1);
  /** The same after the common beginning. */
  private readonly newestAtStart: Int32Array;
  private older: Int32Array;

  /** @param start what each text begins with, and may repeat */
  constructor(start: Uint8Array) {
    this.bytes = start;
    this.older = new Int32Array(Math.max(start.length, 1 << 14));
    for (let i = 0; i < start.length; i++) this.pass(i);
    this.newestAtStart = this.newest.slice();
  }

  /** Begins with another text. */
  begin(bytes: Uint8Array): this {
    this.bytes = bytes;
    this.newest.set(this.newestAtStart);
    if (bytes.length > this.older.length) {
      const larger = new Int32Array(bytes.length * 2);
      larger.set(this.older);
      this.older = larger;
    }
    return this;
  }

  pass(at: number): void {
    if (at + SHORTEST_REPETITION > this.bytes.length) return;
    const hash = this.hashAt(at);
    this.older[at] = this.newest[hash] as number;
    this.newest[hash] = at;
  }

  private hashAt(at: number): number {
    const { bytes } = this;
    const three = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    return Math.imul(three, 0x9e3779b1) >>> (32 - HASH_BITS);
  }

  longestAt(at: number): Repetition {
    const here = this.search(at, SHORTEST_REPETITION - 1);
    if (here.length === 0 || here.length > LONG) return here;
    return this.search(at + 1, here.length).length > here.length ? NONE : here;
  }

  private search(at: number, mostKnown: number): Repetition {
    const { bytes, older } = this;
    const most = Math.min(bytes.length - at, LONGEST);
    if (most < SHORTEST_REPETITION) return NONE;
    let best = mostKnown;
    let distance = 0;
    let place = this.newest[this.hashAt(at)] as number;
    for (let tries = 0; place >= 0 && tries < MOST_TRIES && best < most; tries++, place = older[place] as number) {
      if (bytes[place + best] !== bytes[at + best]) continue;
      let length = 0;
      while (length < most && bytes[place + length] === bytes[at + length]) length++;
      if (length > best && !(length === SHORTEST_REPETITION && at - place > FAR)) {
        best = length;
        distance = at - place;
      }
    }
    return distance === 0 ? NONE : { length: best, distance };
  }
}

const NONE: Repetition = { length: 0, distance: 0 };
