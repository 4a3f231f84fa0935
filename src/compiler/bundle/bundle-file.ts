/** One file of a bundle, whole in memory. */
export interface WholeFile {
  /** With `/`, no leading slash. */
  path: string;
  bytes: Uint8Array;
  /** Where it is known already. */
  sha256?: string;
}

/** One that is too large to be held: its chunks are there once, and only until the next file is asked for. */
export interface StreamedFile {
  path: string;
  sizeBytes: number;
  chunks: AsyncIterable<Uint8Array>;
}

export type BundleFile = WholeFile | StreamedFile;

/** Bytes that the file has. */
export function sizeOf(file: BundleFile): number {
  return 'bytes' in file ? file.bytes.byteLength : file.sizeBytes;
}

/** What the file holds, for those who make no difference. */
export async function* chunksOf(file: BundleFile): AsyncGenerator<Uint8Array> {
  if ('bytes' in file) yield file.bytes;
  else yield* file.chunks;
}
