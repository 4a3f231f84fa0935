import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Size at which buffered pieces are written, and of one read. */
const CHUNK_BYTES = 256 * 1024;

/** Position of bytes in a spool. */
interface Place {
  at: number;
  sizeBytes: number;
}

/**
 * Stores pieces that arrive in a different order than they are read, in a temporary file, because together they may not fit in
 * memory.
 */
export class TextSpool<Key> {
  readonly #places = new Map<Key, Place>();
  #file: FileHandle | undefined;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #writtenBytes = 0;

  /** Stores a piece, which may consist of parts; the spool owns the bytes from now on. */
  async add(key: Key, ...parts: Uint8Array[]): Promise<void> {
    const sizeBytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
    this.#places.set(key, { at: this.#writtenBytes + this.#gatheredBytes, sizeBytes });
    this.#gathered.push(...parts);
    this.#gatheredBytes += sizeBytes;
    if (this.#gatheredBytes >= CHUNK_BYTES) await this.#write();
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  sizeOf(key: Key): number {
    return this.#places.get(key)?.sizeBytes ?? 0;
  }

  /** Reads a whole piece. Concurrent reads are allowed once `flush` was awaited. */
  async readWhole(key: Key): Promise<Uint8Array> {
    await this.#write();
    const { at, sizeBytes } = this.#places.get(key) ?? { at: 0, sizeBytes: 0 };
    const bytes = Buffer.allocUnsafeSlow(sizeBytes);
    for (let done = 0; done < sizeBytes; ) done += await this.#readInto(bytes.subarray(done), at + done);
    return bytes;
  }

  /** Writes the buffered pieces. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Yields pieces one after another; skips those that were never added. Adjacent pieces are read together. */
  async *read(keys: Iterable<Key>): AsyncGenerator<Uint8Array> {
    await this.#write();
    let run: Place = { at: 0, sizeBytes: 0 };
    for (const key of keys) {
      const place = this.#places.get(key);
      if (!place) continue;
      if (place.at === run.at + run.sizeBytes) {
        run.sizeBytes += place.sizeBytes;
        continue;
      }
      yield* this.#readRun(run);
      run = { ...place };
    }
    yield* this.#readRun(run);
  }

  async *#readRun({ at, sizeBytes }: Place): AsyncGenerator<Uint8Array> {
    for (let done = 0; done < sizeBytes; ) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes - done));
      const bytesRead = await this.#readInto(chunk, at + done);
      done += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  }

  async #readInto(bytes: Uint8Array, at: number): Promise<number> {
    const { bytesRead } = (await this.#file?.read(bytes, 0, bytes.byteLength, at)) ?? { bytesRead: 0 };
    if (bytesRead === 0) throw new Error('The temporary file of an export ends too early.');
    return bytesRead;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #write(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    this.#file ??= await openNameless();
    // Reads pass an explicit position; only writes move the end.
    const { bytesWritten } = await this.#file.writev(this.#gathered);
    if (bytesWritten !== this.#gatheredBytes)
      throw new Error('The temporary file of an export could not be written. The disk may be full.');
    this.#writtenBytes += this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
  }
}

/** Opens a file that disappears with its process, however that ends: it is already unlinked. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `docent-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
