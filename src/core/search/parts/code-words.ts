import { decodeUtf8, encodeUtf8 } from '../utf8.ts';
import { type BitCoder, BitModel } from './bit-coder.ts';
import { codeCount, codeNumber, codeTree, NUMBER_SIZE, treeSize } from './code-numbers.ts';

const LETTERS = NUMBER_SIZE * 2;
const COUNT = NUMBER_SIZE;

/** What is known of the words of an index: how much neighbours share, and which letter follows which. */
export function wordModel(): BitModel {
  return new BitModel(LETTERS + 256 * treeSize(8));
}

const MOST_BYTES = 1024;

/** Codes sorted words; the reader gives none. A word is what it shares with the one before, its other bytes, and a zero. */
export function codeWords(coder: BitCoder, model: BitModel, words: readonly string[] = []): string[] {
  const count = codeCount(coder, model, COUNT, words.length);
  // All at once, each with its zero: there are very many, and each is short.
  const given = words.length > 0 ? encodeUtf8(`${words.join('\0')}\0`) : undefined;
  let at = 0;
  const bytes = new Uint8Array(MOST_BYTES + 1);
  let length = 0;
  return Array.from({ length: count }, (_, index) => {
    length = Math.min(length, codeNumber(coder, model, 0, given ? sharedLength(bytes, length, given, at) : 0));
    for (;;) {
      const before = length > 0 ? (bytes[length - 1] as number) : 0;
      const letter = codeTree(coder, model, LETTERS + before * treeSize(8), 8, given?.[at + length] ?? 0);
      // No word is longer than the texts it comes from let it be; only damaged bytes have no end.
      if (letter === 0 || length > MOST_BYTES) break;
      bytes[length++] = letter;
    }
    if (given) at = given.indexOf(0, at) + 1;
    return words[index] ?? decodeUtf8(bytes.subarray(0, length));
  });
}

/** How many bytes of the word before the next one begins with. */
function sharedLength(before: Uint8Array, beforeLength: number, given: Uint8Array, at: number): number {
  let length = 0;
  while (length < beforeLength && before[length] === given[at + length]) length++;
  return length;
}
