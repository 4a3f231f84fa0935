import { sha256 } from './sha256.ts';

/** The challenge of a site for the next question. */
export interface Challenge {
  challenge: string;
  bits: number;
}

/** Attempts between two pauses, in which the page can render and react. */
const TRIES_AT_ONCE = 2000;

/** Finds a number for which the hash of challenge and number starts with that many zero bits. Takes some tenths of a second. */
export async function solve({ challenge, bits }: Challenge, signal: AbortSignal): Promise<string> {
  for (let number = 0; !signal.aborted; number++) {
    const proof = `${challenge}.${number}`;
    if ((sha256(proof)[0] as number) >>> (32 - bits) === 0) return proof;
    if (number % TRIES_AT_ONCE === TRIES_AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve));
  }
  throw signal.reason;
}
