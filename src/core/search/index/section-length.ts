/**
 * Lengths are quantized on a logarithmic scale with eight steps per doubling. So a length takes one character in a sharded index,
 * and ranks the same there as in the whole.
 */
const STEPS = 8;

/** @param words length in words, code counted half */
export function lengthStep(words: number): number {
  return Math.round(STEPS * Math.log2(1 + words));
}

export function lengthOfStep(step: number): number {
  return 2 ** (step / STEPS) - 1;
}
