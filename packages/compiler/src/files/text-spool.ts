import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Position of bytes in a spool. */
interface Place {
  at: number;
  sizeBytes: number;
}

/**
 * Stores pieces that arrive in a different order than they are read, in a temporary file, because together they may not fit in
 * memory. A piece can be read once `add` has resolved; pieces may be added and read concurrently.
 */
export class TextSpool<Key> {
  readonly #places = new Map<Key, Place>();
  #file: Promise<FileHandle> | undefined;
  #endBytes = 0;

  /** Stores a piece, which may consist of parts. */
  async add(key: Key, ...parts: Uint8Array[]): Promise<void> {
    const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    const at = this.#endBytes;
    this.#endBytes += sizeBytes;
    this.#file ??= openNameless();
    const file = await this.#file;
    const { bytesWritten } = await file.writev(parts, at);
    if (bytesWritten !== sizeBytes)
      throw new Error('The temporary file of an export could not be written. The disk may be full.');
    this.#places.set(key, { at, sizeBytes });
  }

  sizeOf(key: Key): number {
    return this.#places.get(key)?.sizeBytes ?? 0;
  }

  /** Reads a whole piece. */
  async readWhole(key: Key): Promise<Uint8Array> {
    const place = this.#places.get(key);
    const file = await this.#file;
    if (!place || !file) throw new Error('The piece was never added.');
    const { at, sizeBytes } = place;
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    for (let done = 0; done < sizeBytes; ) {
      const { bytesRead } = await file.read(bytes, done, sizeBytes - done, at + done);
      if (bytesRead === 0) throw new Error('The temporary file of an export ends too early.');
      done += bytesRead;
    }
    return bytes;
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

/** Opens a file that disappears with its process, however that ends: it is already unlinked. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `docent-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
