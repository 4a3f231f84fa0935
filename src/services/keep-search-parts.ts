import { SEARCH_PARTS_FORMAT, type SearchFiles } from '../build/search-parts.ts';
import { searchFilesInThread } from '../build/search-parts-in-thread.ts';
import type { FileEntry, SiteBuild } from '../core/site-build.ts';
import type { Deps } from './deps.ts';

type Cut = (indexBytes: Uint8Array, included: ReadonlySet<string>) => Promise<SearchFiles>;

/** What is kept: names and sizes, then the bytes of all files after one another. */
interface Kept {
  head: string;
  files: { path: string; sizeBytes: number }[];
}

/**
 * Cuts the search index of a build for a bundle, and keeps the result of a whole site beside the build: its further exports do
 * not do the work again.
 */
export function keepSearchParts({ blobs }: Pick<Deps, 'blobs'>, build: SiteBuild): Cut {
  return async (indexBytes, included) => {
    if (build.pages.some((page) => !page.externalUrl && !included.has(page.href)))
      return searchFilesInThread(indexBytes, included);
    const key = keyOf(build.searchIndex);
    const before = await blobs.read(key);
    if (before) return unpack(before);
    const made = await searchFilesInThread(indexBytes, included);
    await blobs.put(key, pack(made), { contentType: 'application/octet-stream' });
    return made;
  };
}

function keyOf({ sha256 }: FileEntry): string {
  return `search-parts/${SEARCH_PARTS_FORMAT}/${sha256}`;
}

function pack({ head, files }: SearchFiles): Uint8Array {
  const kept: Kept = { head, files: files.map(({ path, bytes }) => ({ path, sizeBytes: bytes.byteLength })) };
  const note = Buffer.from(JSON.stringify(kept));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(note.byteLength);
  return Buffer.concat([size, note, ...files.map(({ bytes }) => bytes)]);
}

function unpack(packed: Uint8Array): SearchFiles {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 4 + buffer.readUInt32LE(0);
  const { head, files } = JSON.parse(buffer.toString('utf8', 4, at)) as Kept;
  return {
    head,
    files: files.map(({ path, sizeBytes }) => {
      const bytes = buffer.subarray(at, at + sizeBytes);
      at += sizeBytes;
      return { path, bytes };
    }),
  };
}
