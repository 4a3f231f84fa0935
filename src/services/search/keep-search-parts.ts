import { fileKey } from '../../compiler/bundle/file-sink.ts';
import { SEARCH_PARTS_FORMAT, type SearchCut, type SearchFile, wholeCut } from '../../compiler/site/search-parts.ts';
import { searchFilesInThread } from '../../compiler/site/search-parts-in-thread.ts';
import type { FileEntry, SiteBuild } from '../../core/site-build.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Deps } from '../deps.ts';

type Cut = (indexBytes: Uint8Array, cut: SearchCut) => Promise<SearchFile[]>;
type Build = Pick<SiteBuild, 'pages' | 'searchIndex'>;

/** Bytes of a script of a site's search index; undefined where the index has no such script. */
export type SearchScripts = (build: Build, name: string) => Promise<Uint8Array | undefined>;

/** Names and sizes, in the order of the bytes. */
type Kept = { path: string; sizeBytes: number }[];

/** Where a script stands in what is kept. */
type Contents = ReadonlyMap<string, { start: number; end: number }>;

/**
 * Cuts the search index of a build for a bundle, and keeps the result of a whole site beside the build: its further exports do
 * not do the work again, nor do its readers.
 */
export function keepSearchParts({ blobs }: Pick<Deps, 'blobs'>, build: Build): Cut {
  return async (indexBytes, cut) => {
    if (cut.included) return searchFilesInThread(indexBytes, cut);
    const before = await blobs.read(keyOf(build.searchIndex));
    return before ? unpack(before) : makeAndKeep(blobs, build, indexBytes, cut);
  };
}

/** Opens the scripts of sites for their readers, whose first search has them made where no export or publication did. */
export function keptSearchScripts({ blobs }: Pick<Deps, 'blobs'>): SearchScripts {
  const known = new WeakMap<Build, Promise<Contents>>();
  return async (build, name) => {
    const opening = known.get(build) ?? openContents(blobs, build);
    known.set(build, opening);
    opening.catch(() => known.delete(build));
    const place = (await opening).get(`_docent/${name}`);
    if (place === undefined) return undefined;
    return readRange(blobs, keyOf(build.searchIndex), place);
  };
}

/** Makes the scripts of a site's search index where they are not there yet. */
export async function makeSearchScripts(blobs: Pick<BlobStore, 'stat' | 'read' | 'put'>, build: Build): Promise<void> {
  if ((await blobs.stat(keyOf(build.searchIndex))) !== undefined) return;
  const indexBytes = await blobs.read(fileKey(build.searchIndex));
  if (indexBytes === undefined) throw new Error(`The search index ${build.searchIndex.sha256} is missing from the blob store.`);
  await makeAndKeep(blobs, build, indexBytes, wholeCut(build));
}

async function openContents(blobs: BlobStore, build: Build): Promise<Contents> {
  const key = keyOf(build.searchIndex);
  await makeSearchScripts(blobs, build);
  const size = Buffer.from(await readRange(blobs, key, { start: 0, end: 3 })).readUInt32LE(0);
  const note = Buffer.from(await readRange(blobs, key, { start: 4, end: 3 + size })).toString('utf8');
  let at = 4 + size;
  return new Map(
    (JSON.parse(note) as Kept).map(({ path, sizeBytes }) => {
      const start = at;
      at += sizeBytes;
      return [path, { start, end: at - 1 }];
    }),
  );
}

async function readRange(blobs: BlobStore, key: string, range: { start: number; end: number }): Promise<Uint8Array> {
  const chunks = await blobs.get(key, range);
  if (chunks === undefined) throw new Error(`${key} is missing from the blob store.`);
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

async function makeAndKeep(
  blobs: Pick<BlobStore, 'put'>,
  build: Build,
  indexBytes: Uint8Array,
  cut: SearchCut,
): Promise<SearchFile[]> {
  const files = await searchFilesInThread(indexBytes, cut);
  await blobs.put(keyOf(build.searchIndex), pack(files), { contentType: 'application/octet-stream' });
  return files;
}

function keyOf({ sha256 }: FileEntry): string {
  return `search-parts/${SEARCH_PARTS_FORMAT}/${sha256}`;
}

function pack(files: readonly SearchFile[]): Uint8Array {
  const kept: Kept = files.map(({ path, bytes }) => ({ path, sizeBytes: bytes.byteLength }));
  const note = Buffer.from(JSON.stringify(kept));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(note.byteLength);
  return Buffer.concat([size, note, ...files.map(({ bytes }) => bytes)]);
}

function unpack(packed: Uint8Array): SearchFile[] {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 4 + buffer.readUInt32LE(0);
  return (JSON.parse(buffer.toString('utf8', 4, at)) as Kept).map(({ path, sizeBytes }) => {
    const bytes = buffer.subarray(at, at + sizeBytes);
    at += sizeBytes;
    return { path, bytes };
  });
}
