/**
 * Lengths count by their size, not by the last word, and are kept on a scale of eight steps to each doubling. So a length takes
 * a character where an index is sent in shards, and ranks the same there as in the whole.
 */
const STEPS = 8;

/** @param words length in words, code counted half */
export function lengthStep(words: number): number {
  return Math.round(STEPS * Math.log2(1 + words));
}

export function lengthOfStep(step: number): number {
  return 2 ** (step / STEPS) - 1;
}
