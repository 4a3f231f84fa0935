/**
 * A bot check without a third party: the caller must find a number such that the hash of the
 * challenge and the number starts with zero bits. That takes a reader's browser some tenths of a
 * second, and a bot as much for each of its thousands of questions.
 */

/** Required zero bits: some 65,000 hashes on average. */
export const PROOF_BITS = 16;
export const CHALLENGE_SECONDS = 300;
const MAX_PROOF_LENGTH = 400;

/** `<challenge>.<number>` as the caller sends it; undefined for anything else. */
export function readProof(proof: string): { challenge: string; text: string } | undefined {
  if (proof.length > MAX_PROOF_LENGTH) return undefined;
  const match = /^([\w-]+\.\d{1,12}\.[\w-]+)\.\d{1,15}$/.exec(proof);
  return match ? { challenge: match[1] as string, text: proof } : undefined;
}

/** Returns whether a hash starts with that many zero bits. */
export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let bit = 0; bit < bits; bit++) {
    if (((hash[bit >> 3] ?? 255) >> (7 - (bit & 7))) & 1) return false;
  }
  return true;
}
