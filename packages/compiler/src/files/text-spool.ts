import type { FileHandle } from 'node:fs/promises';
import { openNameless, readWhole, writeWhole } from './nameless-file.ts';

/** Position of bytes in a spool. */
interface Place {
  at: number;
  sizeBytes: number;
}

/**
 * Stores pieces that arrive in a different order than they are read, in a temporary file, because
 * together they may not fit in memory. A piece can be read once `add` has resolved; pieces may be
 * added and read concurrently.
 */
export class TextSpool<Key> {
  readonly #places = new Map<Key, Place>();
  #file: Promise<FileHandle> | undefined;
  #endBytes = 0;

  async add(key: Key, bytes: Uint8Array): Promise<void> {
    const place = { at: this.#endBytes, sizeBytes: bytes.byteLength };
    this.#endBytes += place.sizeBytes;
    this.#file ??= openNameless();
    await writeWhole(await this.#file, place.at, bytes);
    this.#places.set(key, place);
  }

  /** Reads a whole piece. */
  async readWhole(key: Key): Promise<Uint8Array> {
    const place = this.#places.get(key);
    const file = await this.#file;
    if (!place || !file) throw new Error('The piece was never added.');
    return readWhole(file, place.at, Buffer.allocUnsafeSlow(place.sizeBytes));
  }

  /** Yields pieces one after another; skips those that were never added. */
  async *read(keys: Iterable<Key>): AsyncGenerator<Uint8Array> {
    for (const key of keys) if (this.#places.has(key)) yield await this.readWhole(key);
  }

  async close(): Promise<void> {
    const file = await this.#file;
    await file?.close();
  }
}
