import { setImmediate } from 'node:timers/promises';
import { TextSpool } from '@docent/compiler/bundle/text-spool.ts';
import { fileKey } from '@docent/compiler/files/file-sink.ts';
import { SEARCH_SCRIPTS_FORMAT, type SearchFile, searchFiles, wholeCut } from '@docent/compiler/site/search-scripts.ts';
import { readAhead } from '@docent/compiler/source/read-ahead.ts';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Deps } from '../kernel/deps.ts';
import { SEARCH_SCRIPTS_FOLDER } from '../sites/site-blobs.ts';

type Build = Pick<SiteBuild, 'pages' | 'searchIndex'>;

/** Returns the bytes of a script of a site's search index; undefined if the index has no such script. */
export type SearchScripts = (build: Build, name: string) => Promise<Uint8Array | undefined>;

/** Names and sizes, in byte order. */
type Kept = { path: string; sizeBytes: number }[];

/** Position of a script in the blob. */
type Contents = ReadonlyMap<string, { start: number; end: number }>;

/** Yields to other work of the process after this many scripts. */
const SCRIPTS_AT_A_TIME = 100;

/** Opens the scripts of sites for readers. If publishing did not build them, the first search does. */
export function keptSearchScripts({ blobs }: Pick<Deps, 'blobs'>): SearchScripts {
  const contentsByBuild = new WeakMap<Build, Promise<Contents>>();
  return async (build, name) => {
    const opening = contentsByBuild.get(build) ?? openContents(blobs, build);
    contentsByBuild.set(build, opening);
    opening.catch(() => contentsByBuild.delete(build));
    const place = (await opening).get(`_docent/${name}`);
    if (place === undefined) return undefined;
    return readRange(blobs, searchScriptsKey(build.searchIndex), place);
  };
}

/**
 * Builds the scripts of a site's search index if they are missing: one blob, of which readers get ranges. Together they are larger than
 * the index, so they are never all in memory.
 */
export async function makeSearchScripts(blobs: Pick<BlobStore, 'stat' | 'read' | 'put'>, build: Build): Promise<void> {
  const key = searchScriptsKey(build.searchIndex);
  if ((await blobs.stat(key)) !== undefined) return;
  const indexBytes = await blobs.read(fileKey(build.searchIndex));
  if (indexBytes === undefined) throw new Error(`The search index ${build.searchIndex.sha256} is missing from the blob store.`);
  const kept: Kept = [];
  const scripts = new TextSpool<number>();
  try {
    for (const { path, bytes } of searchFiles(indexBytes, wholeCut(build))) {
      await scripts.add(kept.length, bytes);
      if (kept.push({ path, sizeBytes: bytes.byteLength }) % SCRIPTS_AT_A_TIME === 0) await setImmediate();
    }
    const note = Buffer.from(JSON.stringify(kept));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(note.byteLength);
    const sizeBytes = kept.reduce((sum, script) => sum + script.sizeBytes, size.byteLength + note.byteLength);
    const whole = async function* () {
      yield size;
      yield note;
      yield* scripts.read(kept.keys());
    };
    await blobs.put(key, whole(), { contentType: 'application/octet-stream', sizeBytes });
  } finally {
    await scripts.close();
  }
}

async function openContents(blobs: BlobStore, build: Build): Promise<Contents> {
  const key = searchScriptsKey(build.searchIndex);
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

/** Reads all scripts of a site's search index from the store, in the order and with the bytes of `searchFiles`, which needs the whole index. */
export async function* storedSearchFiles(blobs: BlobStore, build: Build): AsyncGenerator<SearchFile> {
  const key = searchScriptsKey(build.searchIndex);
  const scripts = readAhead(
    await openContents(blobs, build),
    ([, { start, end }]) => end - start + 1,
    ([, place]) => readRange(blobs, key, place),
  );
  for await (const { item, bytes } of scripts) yield { path: item[0], bytes };
}

/** Returns the key of the scripts of a search index. */
export function searchScriptsKey({ sha256 }: Pick<FileEntry, 'sha256'>): string {
  return `${SEARCH_SCRIPTS_FOLDER}${SEARCH_SCRIPTS_FORMAT}/${sha256}`;
}
