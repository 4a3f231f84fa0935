import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-reader';

/** Returns a random id of this browser, so that a reader can continue a conversation; it does not identify them. */
export function readerId(): string {
  const known = readStored('local', KEY);
  if (known && /^[\w-]{8,64}$/.test(known)) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored('local', KEY, made);
  return made;
}
