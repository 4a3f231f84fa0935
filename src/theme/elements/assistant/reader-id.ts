import { readStored, writeStored } from '../storage.ts';

const KEY = 'docent-reader';

/** A random id of this browser, so that a reader can go on with a conversation; it says nothing of who they are. */
export function readerId(): string {
  const known = readStored('local', KEY);
  if (known && /^[\w-]{8,64}$/.test(known)) return known;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  writeStored('local', KEY, made);
  return made;
}
