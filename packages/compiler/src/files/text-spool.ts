import { closeSync } from 'node:fs';
import { openNamelessSync, readWholeSync, writeWholeSync } from './nameless-file.ts';

/** Position of bytes in a spool. */
interface Place {
  at: number;
  sizeBytes: number;
}

/**
 * Stores pieces that arrive in a different order than they are read, in a temporary file, because
 * together they may not fit in memory. The system keeps a new file in memory as long as it can:
 * reading and writing at once takes a fraction of the time that passing each piece to another
 * thread does.
 */
export class TextSpool<Key> {
  readonly #places = new Map<Key, Place>();
  #file: number | undefined;
  #endBytes = 0;

  add(key: Key, bytes: Uint8Array): void {
    const place = { at: this.#endBytes, sizeBytes: bytes.byteLength };
    this.#file ??= openNamelessSync();
    writeWholeSync(this.#file, bytes);
    this.#endBytes += place.sizeBytes;
    this.#places.set(key, place);
  }

  /** Reads a whole piece. */
  readWhole(key: Key): Uint8Array {
    const place = this.#places.get(key);
    if (!place || this.#file === undefined) throw new Error('The piece was never added.');
    return readWholeSync(this.#file, place.at, Buffer.allocUnsafeSlow(place.sizeBytes));
  }

  /** Yields pieces one after another; skips those that were never added. */
  *read(keys: Iterable<Key>): Generator<Uint8Array> {
    for (const key of keys) if (this.#places.has(key)) yield this.readWhole(key);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
