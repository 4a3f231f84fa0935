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

export type BundleFile = WholeFile | StreamedFile;

/** Returns the size of the file in bytes. */
export function sizeOf(file: BundleFile): number {
  return 'bytes' in file ? file.bytes.byteLength : file.sizeBytes;
}

/** Yields the content of either kind of file. */
export async function* chunksOf(file: BundleFile): AsyncGenerator<Uint8Array> {
  if ('bytes' in file) yield file.bytes;
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
