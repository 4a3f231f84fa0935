import type { BitCoder, BitModel } from './bit-coder.ts';

/** How many situations of a model one tree over `bits` bits takes. */
export const treeSize = (bits: number): number => 1 << bits;

/** Codes a number of so many bits, each bit in the light of those above it. */
export function codeTree(coder: BitCoder, model: BitModel, base: number, bits: number, value: number): number {
  let node = 1;
  for (let shift = bits - 1; shift >= 0; shift--) node = node * 2 + coder.bit(model, base + node, (value >>> shift) & 1);
  return node - (1 << bits);
}

const LENGTH_BITS = 5;
/** How many situations of a model one number takes. */
export const NUMBER_SIZE = treeSize(LENGTH_BITS) * 2;

/** Codes any number from 0 to 2^24: how many digits it has and its second digit are learnt, the others are not. */
export function codeNumber(coder: BitCoder, model: BitModel, base: number, value: number): number {
  const length = codeTree(coder, model, base, LENGTH_BITS, 31 - Math.clz32(value + 1));
  if (length === 0) return 0;
  const second = coder.bit(model, base + treeSize(LENGTH_BITS) + length, ((value + 1) >>> (length - 1)) & 1);
  const rest = length > 1 ? coder.plain(length - 1, (value + 1) & ((1 << (length - 1)) - 1)) : 0;
  return (1 << length) + (second << (length - 1)) + rest - 1;
}

const LARGEST_COUNT = 2 ** 24;

/**
 * Codes how many things follow.
 * @throws Error where it cannot be: damaged bytes must not make the reader reserve memory without end
 */
export function codeCount(coder: BitCoder, model: BitModel, base: number, count: number): number {
  const coded = codeNumber(coder, model, base, count);
  if (coded < 0 || coded > LARGEST_COUNT) throw new Error('The search index is damaged; build the site again.');
  return coded;
}
