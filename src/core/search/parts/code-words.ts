import { decodeUtf8, encodeUtf8 } from '../utf8.ts';
import { type BitCoder, BitModel } from './bit-coder.ts';
import { codeCount, codeNumber, codeTree, NUMBER_SIZE, treeSize } from './code-numbers.ts';

const LETTERS = NUMBER_SIZE * 2;
const COUNT = NUMBER_SIZE;

/** What is known of the words of an index: how much neighbours share, and which letter follows which. */
export function wordModel(): BitModel {
  return new BitModel(LETTERS + 256 * treeSize(8));
}

/** Codes sorted words; the reader gives none. */
export function codeWords(coder: BitCoder, model: BitModel, words: readonly string[] = []): string[] {
  const count = codeCount(coder, model, COUNT, words.length);
  let before: Uint8Array = new Uint8Array();
  return Array.from({ length: count }, (_, index) => {
    const word = words[index];
    before = codeWord(coder, model, before, word === undefined ? undefined : encodeUtf8(word));
    return word ?? decodeUtf8(before);
  });
}

/** A word is what it shares with the one before, its other bytes, and a zero. */
function codeWord(coder: BitCoder, model: BitModel, before: Uint8Array, word: Uint8Array | undefined): Uint8Array {
  const shared = codeNumber(coder, model, 0, word === undefined ? 0 : sharedLength(before, word));
  const bytes = [...before.subarray(0, shared)];
  for (;;) {
    const letter = codeTree(coder, model, LETTERS + (bytes.at(-1) ?? 0) * treeSize(8), 8, word?.[bytes.length] ?? 0);
    // No word is longer than the texts it comes from let it be; only damaged bytes have no end.
    if (letter === 0 || bytes.length > MOST_BYTES) return Uint8Array.from(bytes);
    bytes.push(letter);
  }
}

const MOST_BYTES = 1024;

function sharedLength(before: Uint8Array, word: Uint8Array): number {
  let length = 0;
  while (length < before.length && length < word.length && before[length] === word[length]) length++;
  return length;
}
