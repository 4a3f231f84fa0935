import type { Hash } from 'node:crypto';

/** One file of a bundle, completely in memory. */
export interface WholeFile {
  /** With `/`, without a leading slash. */
  path: string;
  bytes: Uint8Array;
  /** Set if it is already known. */
  sha256?: string;
  /** Media type, noted in the archive where set. */
  contentType?: string;
}

/**
 * A file too large for memory: its chunks can be read once, and only until the next file is
 * requested.
 */
export interface StreamedFile {
  path: string;
  sizeBytes: number;
  chunks: AsyncIterable<Uint8Array>;
  contentType?: string;
}

/** A file whose content is known, and only made if somebody needs it. */
export interface KnownFile {
  path: string;
  sizeBytes: number;
  sha256: string;
  read: () => Promise<Uint8Array>;
  contentType?: string;
}

/** A file with its content. */
export type MadeFile = WholeFile | StreamedFile;

export type BundleFile = MadeFile | KnownFile;

/** Returns the size of the file in bytes. */
export function sizeOf(file: BundleFile): number {
  return 'bytes' in file ? file.bytes.byteLength : file.sizeBytes;
}

/** Yields the content of any kind of file. */
export async function* chunksOf(file: BundleFile): AsyncGenerator<Uint8Array> {
  if ('bytes' in file) yield file.bytes;
  else if ('read' in file) yield await file.read();
  else yield* file.chunks;
}

/** Passes on chunks, and adds them to hashes. */
export async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  ...hashes: Hash[]
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (const hash of hashes) hash.update(chunk);
    yield chunk;
  }
}
