import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import type { IndexBytes } from '@docent/search/index/index-format.ts';
import type { RecordStore } from '@docent/search/load/build-search-index.ts';
import { openNamelessSync, readWholeSync, writeWholeSync } from './nameless-file.ts';

const BLOCK_BYTES = 1024 * 1024;

/**
 * Text of pages, in a temporary file as soon as it is more than a megabyte; what is in memory is
 * never more than that.
 */
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
    this.#file ??= openNamelessSync();
    writeWholeSync(this.#file, Buffer.concat(this.#rest));
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
    for (let at = 0; at < inFile; at += BLOCK_BYTES)
      yield readWholeSync(this.#file as number, at, block.subarray(0, inFile - at));
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
    if (length > BLOCK_BYTES)
      return readWholeSync(this.#file, start, Buffer.allocUnsafeSlow(length));
    if (start < this.#blockStart || end > this.#blockEnd) {
      const block = readWholeSync(
        this.#file,
        start,
        this.#block.subarray(0, this.sizeBytes - start),
      );
      this.#blockStart = start;
      this.#blockEnd = start + block.length;
    }
    return new Uint8Array(this.#block.subarray(start - this.#blockStart, end - this.#blockStart));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Writes a new file. @returns its SHA-256 */
export function writeHashed(path: string, chunks: Iterable<Uint8Array>): string {
  const sha256 = createHash('sha256');
  const file = openSync(path, 'wx', 0o600);
  try {
    for (const chunk of chunks) {
      sha256.update(chunk);
      writeWholeSync(file, chunk);
    }
  } finally {
    closeSync(file);
  }
  return sha256.digest('hex');
}
