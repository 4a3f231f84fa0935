import { hash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { OutsideRequest } from '@docent/compiler/outside/outside.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import type { ArchiveForm } from '@docent/format/exports/export-options.ts';
import { isObject } from '@docent/format/json-value.ts';
import { MAX_BUNDLE_BYTES } from '@docent/server/start/local-page-pack.ts';

/** What a command makes of a bundle: an archive, or a folder. */
export type BundleForm = ArchiveForm | 'files';

/** A file that a command writes: one of a site, or the archive, whose path is empty. */
export interface BundlePiece {
  path: string;
  chunks: AsyncIterable<Uint8Array>;
}

/** What a build fetched, as far as the next one needs it to see whether it would fetch the same. */
export interface FetchedAnswer {
  url: string;
  request: OutsideRequest;
  sha256: string;
}

/** What a command prints of a bundle, and what must be unchanged for it. */
export interface BundleFacts {
  report: BuildReport;
  notes: string[];
  fetched: FetchedAnswer[];
}

interface StoredFacts extends BundleFacts {
  key: string;
  pieces: { path: string; sizeBytes: number; check: number }[];
}

/** A piece is not what was stored. */
export class DamagedBundle extends Error {}

const LENGTH_BYTES = 4;
const CHUNK_BYTES = 256 * 1024;

/** A bundle that an earlier command has made: its pieces, what was printed, and where that ends. */
export interface FinishedBundle extends BundleFacts {
  /** Throw `DamagedBundle` after the last chunk of a damaged piece. */
  pieces: AsyncIterable<BundlePiece>;
  close(): void;
}

/** Returns the finished bundle in a file if it has this key. */
export function openFinishedBundle(path: string, key: string): FinishedBundle | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const stored = readFacts(file);
    if (stored?.key === key) {
      const open = file;
      file = undefined;
      return { ...stored, pieces: piecesIn(open, stored), close: () => closeSync(open) };
    }
  } catch {
    // Nothing was kept, or it is damaged: there will be another.
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return undefined;
}

function readFacts(file: number): StoredFacts | undefined {
  const { size } = fstatSync(file);
  const read = (bytes: number, end: number) => {
    const part = Buffer.alloc(bytes);
    return part.subarray(0, readSync(file, part, 0, bytes, end - bytes));
  };
  const length = read(LENGTH_BYTES, size).readUInt32BE();
  if (length > size) return undefined;
  const facts: unknown = JSON.parse(read(length, size - LENGTH_BYTES).toString());
  return isObject(facts) ? (facts as unknown as StoredFacts) : undefined;
}

async function* piecesIn(file: number, { pieces }: StoredFacts): AsyncGenerator<BundlePiece> {
  let at = 0;
  for (const { path, sizeBytes, check } of pieces) {
    yield { path, chunks: chunksAt(file, at, sizeBytes, check) };
    at += sizeBytes;
  }
}

async function* chunksAt(file: number, start: number, sizeBytes: number, check: number) {
  let crc = 0;
  for (let at = start; at < start + sizeBytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, start + sizeBytes - at));
    const readBytes = readSync(file, chunk, 0, chunk.length, at);
    if (readBytes === 0) break;
    at += readBytes;
    crc = crc32(chunk.subarray(0, readBytes), crc);
    yield chunk.subarray(0, readBytes);
  }
  if (crc !== check) throw new DamagedBundle();
}

/**
 * Copies the pieces of a bundle into a file while a command writes them, for the next command. Two
 * commands at once each write their own, and the last replaces the other as a whole. If the disk is
 * full or the bundle is too large, nothing is kept.
 */
export class BundleKeeper {
  readonly #target: string;
  readonly #part: string;
  readonly #pieces: StoredFacts['pieces'] = [];
  #file: number | undefined;
  #writtenBytes = 0;

  constructor(target: string) {
    this.#target = target;
    this.#part = `${target}.${randomUUID()}.part`;
    try {
      this.#file = openSync(this.#part, 'wx', 0o600);
    } catch {
      // Nothing is kept.
    }
  }

  async *copied(pieces: AsyncIterable<BundlePiece>): AsyncGenerator<BundlePiece> {
    for await (const { path, chunks } of pieces) yield { path, chunks: this.#copy(path, chunks) };
  }

  /** Makes the copy available under the key. */
  finish(key: string, { report, notes, fetched }: BundleFacts): void {
    this.#attempt((file) => {
      const stored: StoredFacts = { key, report, notes, fetched, pieces: this.#pieces };
      const facts = Buffer.from(JSON.stringify(stored));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(facts.byteLength);
      writeWhole(file, Buffer.concat([facts, length]));
      closeSync(file);
      this.#file = undefined;
      renameSync(this.#part, this.#target);
    });
  }

  /** Deletes the copy if it is not finished. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.#part, { force: true });
  }

  async *#copy(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let [sizeBytes, check] = [0, 0];
    for await (const chunk of chunks) {
      check = crc32(chunk, check);
      sizeBytes += chunk.byteLength;
      this.#writtenBytes += chunk.byteLength;
      if (this.#writtenBytes > MAX_BUNDLE_BYTES) this.close();
      this.#attempt((file) => writeWhole(file, chunk));
      yield chunk;
    }
    this.#pieces.push({ path, sizeBytes, check });
  }

  #attempt(write: (file: number) => void): void {
    if (this.#file === undefined) return;
    try {
      write(this.#file);
    } catch {
      this.close();
    }
  }
}

function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
}

/** Names an answer to a request by its content. */
export function answerHash(answer: object): string {
  const { bytes, ...rest } = answer as { bytes?: Uint8Array };
  const head = JSON.stringify(rest);
  return hash('sha256', Buffer.concat([Buffer.from(`${head}\n`), bytes ?? Buffer.alloc(0)]));
}
