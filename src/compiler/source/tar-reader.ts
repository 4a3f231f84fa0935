import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';

/** What an entry of a tar is; `other` stands for devices, pipes and everything that is no part of a source. */
export type TarEntryType = 'file' | 'folder' | 'symbolic-link' | 'hard-link' | 'other';

export interface TarEntry {
  /** As it stands in the archive; not checked. */
  name: string;
  type: TarEntryType;
  sizeBytes: number;
  /** Target of a link, as it stands in the archive; not checked. */
  linkName: string;
  /** The content; may be called once, before the next entry is asked for. What is not read is skipped. */
  read(): Promise<Uint8Array>;
  /** As `read`, piece by piece. */
  chunks(): AsyncIterable<Uint8Array>;
}

const types = new Map<string, TarEntryType>([
  ['file', 'file'],
  ['contiguous-file', 'file'],
  ['directory', 'folder'],
  ['symlink', 'symbolic-link'],
  ['link', 'hard-link'],
]);

/** The entries of a tar, one after the other, no faster than they are asked for. Throws where the bytes are no tar. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const entries = extract();
  const flow = pipeline(Readable.from(chunks, { objectMode: false }), entries as unknown as NodeJS.WritableStream);
  // Seen below: by the loop, or at its end.
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
