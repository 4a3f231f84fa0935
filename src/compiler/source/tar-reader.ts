import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';

/** Type of a tar entry; `other` means devices, pipes and everything that is not part of a source. */
export type TarEntryType = 'file' | 'folder' | 'symbolic-link' | 'hard-link' | 'other';

export interface TarEntry {
  /** As written in the archive; not checked. */
  name: string;
  type: TarEntryType;
  sizeBytes: number;
  /** Target of a link as written in the archive; not checked. */
  linkName: string;
  /** Reads the content; may be called once, before the next entry is requested. Unread content is skipped. */
  read(): Promise<Uint8Array>;
  /** Like `read`, piece by piece. */
  chunks(): AsyncIterable<Uint8Array>;
}

const types = new Map<string, TarEntryType>([
  ['file', 'file'],
  ['contiguous-file', 'file'],
  ['directory', 'folder'],
  ['symlink', 'symbolic-link'],
  ['link', 'hard-link'],
]);

/** Yields the entries of a tar one by one, no faster than they are requested. Throws if the bytes are not a tar. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = extract();
  const flow = pipeline(Readable.from(chunks, { objectMode: false }), entries as unknown as NodeJS.WritableStream);
  // Handled below: by the loop, or at its end.
  flow.catch(() => {});
  try {
    for await (const entry of entries) {
      yield { ...describe(entry.header), read: () => bytesOf(entry), chunks: () => entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
    await flow;
  } finally {
    entries.destroy();
  }
}

function describe({ name, type, size, linkname, pax }: Header): Omit<TarEntry, 'read' | 'chunks'> {
  // The content of such a file is not its bytes but a map of them.
  const sparse = Object.keys(pax ?? {}).some((key) => key.startsWith('GNU.sparse.'));
  const plain = sparse ? undefined : types.get(type);
  const isFolder = plain === 'file' && name.endsWith('/');
  return { name, type: isFolder ? 'folder' : (plain ?? 'other'), sizeBytes: size, linkName: linkname ?? '' };
}

async function bytesOf(entry: AsyncIterable<unknown>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
