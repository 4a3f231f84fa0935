/**
 * A bot check without a third party: the caller has to find a number for which the hash of the challenge and the number begins with
 * zero bits. That costs a reader's browser some tenths of a second, and a machine that asks thousands of questions as much for each.
 */

/** Bits that have to be zero: some 65,000 hashes on average. */
export const PROOF_BITS = 16;
export const CHALLENGE_SECONDS = 300;
const MAX_PROOF_LENGTH = 400;

/** `<challenge>.<number>` as the caller sends it; undefined for anything else. */
export function readProof(proof: string): { challenge: string; text: string } | undefined {
  if (proof.length > MAX_PROOF_LENGTH) return undefined;
  const match = /^([\w-]+\.\d{1,12}\.[\w-]+)\.\d{1,15}$/.exec(proof);
  return match ? { challenge: match[1] as string, text: proof } : undefined;
}

/** Whether a hash begins with that many zero bits. */
export function hasZeroBits(hash: Uint8Array, bits: number): boolean {
  for (let bit = 0; bit < bits; bit++) {
    if (((hash[bit >> 3] ?? 255) >> (7 - (bit & 7))) & 1) return false;
  }
  return true;
}
