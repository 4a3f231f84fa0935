import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordStore } from '@docent/search/index/build-search-index.ts';
import type { IndexBytes } from '@docent/search/index/index-format.ts';

const BLOCK_BYTES = 1024 * 1024;

/** Text of pages, in a temporary file as soon as it is more than a megabyte; what is in memory is never more than that. */
export class RecordFile implements RecordStore {
  sizeBytes = 0;
  /** What is not in the file yet. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #file: number | undefined;

  add(bytes: Uint8Array): void {
    this.#rest.push(bytes);
    this.#restBytes += bytes.length;
    this.sizeBytes += bytes.length;
    if (this.#restBytes < BLOCK_BYTES) return;
    this.#file ??= openNameless();
    writeWhole(this.#file, Buffer.concat(this.#rest));
    this.#rest = [];
    this.#restBytes = 0;
  }

  /** How many bytes are in memory. */
  get heldBytes(): number {
    return this.#restBytes;
  }

  *chunks(): Iterable<Uint8Array> {
    const inFile = this.sizeBytes - this.#restBytes;
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, inFile));
    for (let at = 0; at < inFile; at += BLOCK_BYTES) yield readAt(this.#file as number, at, block.subarray(0, inFile - at));
    yield* this.#rest;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** A search index in a file. `close` must be called. */
export class IndexFile implements IndexBytes {
  readonly sizeBytes: number;
  readonly #file: number;
  /** What was read last: sections are mostly read one after another. */
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #blockStart = 0;
  #blockEnd = 0;

  constructor(path: string, sizeBytes: number) {
    this.sizeBytes = sizeBytes;
    this.#file = openSync(path, 'r');
  }

  read(start: number, end: number): Uint8Array {
    const length = end - start;
    if (length > BLOCK_BYTES) return readAt(this.#file, start, Buffer.allocUnsafeSlow(length));
    if (start < this.#blockStart || end > this.#blockEnd) {
      const block = readAt(this.#file, start, this.#block.subarray(0, this.sizeBytes - start));
      this.#blockStart = start;
      this.#blockEnd = start + block.length;
    }
    return new Uint8Array(this.#block.subarray(start - this.#blockStart, end - this.#blockStart));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Opens a file that disappears with its process, however that ends: it is already unlinked. */
function openNameless(): number {
  const path = join(tmpdir(), `docent-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

/** Writes a new file. @returns its SHA-256 */
export function writeHashed(path: string, chunks: Iterable<Uint8Array>): string {
  const sha256 = createHash('sha256');
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const chunk of chunks) {
      sha256.update(chunk);
      writeWhole(file, chunk);
    }
  } finally {
    closeSync(file);
  }
  return sha256.digest('hex');
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Fills the bytes with those of a file from a position on. */
function readAt(file: number, at: number, bytes: Uint8Array): Uint8Array {
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, at + done);
    if (count === 0) throw new Error('A temporary file of the build ends too early. The disk may be full.');
    done += count;
  }
  return bytes;
}
