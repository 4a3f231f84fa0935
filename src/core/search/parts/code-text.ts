import { type BitCoder, BitModel } from './bit-coder.ts';
import { codeNumber, codeTree, NUMBER_SIZE, treeSize } from './code-numbers.ts';

/** Shorter repetitions cost more to point at than to write. */
export const SHORTEST_REPETITION = 3;

const REPEATS = 0;
const LENGTH = REPEATS + 4;
const DISTANCE = LENGTH + NUMBER_SIZE;
const BYTES = DISTANCE + 4 * NUMBER_SIZE;

/** A stretch that stood earlier; no length means one byte that is written as it is. */
export interface Repetition {
  length: number;
  distance: number;
}

/** What finds the repetitions of a text, for its writer. */
export interface Repetitions {
  /** The repetition to write at a place, of no length where there is none or a longer one comes after it. */
  longestAt(at: number): Repetition;
  /** From now on a place counts as earlier. */
  pass(at: number): void;
}

export function textModel(): BitModel {
  return new BitModel(BYTES + 256 * treeSize(8));
}

const NONE: Repetition = { length: 0, distance: 0 };

/**
 * Codes a text as bytes and repetitions of what stood before; bytes in the light of the byte before them.
 * @param bytes the text, which the reader fills
 * @param from where it begins; what stands before is known on both sides and may be repeated
 * @param find for the writer alone
 */
export function codeText(coder: BitCoder, model: BitModel, bytes: Uint8Array, from: number, find?: Repetitions): Uint8Array {
  const { length } = bytes;
  let at = from;
  let afterRepetition = 0;
  while (at < length) {
    const found = find?.longestAt(at) ?? NONE;
    const repeats = coder.bit(model, REPEATS + afterRepetition, found.length > 0 ? 1 : 0);
    if (repeats === 0) {
      const before = at === 0 ? 10 : (bytes[at - 1] as number);
      bytes[at] = codeTree(coder, model, BYTES + before * treeSize(8), 8, bytes[at] as number);
      find?.pass(at);
      at++;
      afterRepetition = 0;
      continue;
    }
    const run = codeNumber(coder, model, LENGTH, found.length - SHORTEST_REPETITION) + SHORTEST_REPETITION;
    const distance =
      codeNumber(coder, model, DISTANCE + Math.min(run - SHORTEST_REPETITION, 3) * NUMBER_SIZE, found.distance - 1) + 1;
    const end = Math.min(at + run, length);
    for (; at < end; at++) {
      if (find) find.pass(at);
      else bytes[at] = bytes[at - distance] ?? 0;
    }
    afterRepetition = 1;
  }
  return bytes;
}
