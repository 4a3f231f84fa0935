import {
  type ByteRange,
  makeStoredScripts,
  readScriptPlaces,
  type ScriptPlaces,
  searchScriptsKey,
} from '@docent/compiler/site/stored-search-scripts.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { readSearchIndex } from '../audience/index-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import type { BlobStore } from '../ports/blob-store.ts';

type Build = Pick<SiteBuild, 'pages' | 'searchIndex'>;

/**
 * Returns the bytes of a script of a site's search index; undefined if the index has no such
 * script.
 */
export type SearchScripts = (build: Build, name: string) => Promise<Uint8Array | undefined>;

/**
 * Opens the scripts of sites for readers. If publishing did not build them, the first search does.
 */
export function keptSearchScripts({ blobs }: Pick<Deps, 'blobs'>): SearchScripts {
  const placesByBuild = new WeakMap<Build, Promise<ScriptPlaces>>();
  return async (build, name) => {
    const opening = placesByBuild.get(build) ?? openPlaces(blobs, build);
    placesByBuild.set(build, opening);
    opening.catch(() => placesByBuild.delete(build));
    const place = (await opening).get(`_docent/${name}`);
    if (place === undefined) return undefined;
    return readRange(blobs, searchScriptsKey(build.searchIndex), place);
  };
}

async function openPlaces(blobs: BlobStore, build: Build): Promise<ScriptPlaces> {
  await makeSearchScripts(blobs, build);
  return readScriptPlaces((range) => readRange(blobs, searchScriptsKey(build.searchIndex), range));
}

/** Makes the scripts of a build that was published without them, by a version before. */
async function makeSearchScripts(blobs: BlobStore, build: Build): Promise<void> {
  const key = searchScriptsKey(build.searchIndex);
  if ((await blobs.stat(key)) !== undefined) return;
  const indexBytes = await readSearchIndex(blobs, build);
  if (indexBytes === undefined)
    throw new Error(`The search index ${build.searchIndex.sha256} is missing from the blob store.`);
  const { chunks, sizeBytes, close } = await makeStoredScripts(indexBytes, build);
  try {
    await blobs.put(key, chunks, { contentType: 'application/octet-stream', sizeBytes });
  } finally {
    close();
  }
}

/** Reads a part of a file of the store. @throws Error if there is no such file */
export async function readRange(
  blobs: Pick<BlobStore, 'get'>,
  key: string,
  range: ByteRange,
): Promise<Uint8Array> {
  const chunks = await blobs.get(key, range);
  if (chunks === undefined) throw new Error(`${key} is missing from the blob store.`);
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}
