import { setImmediate } from 'node:timers/promises';
import type { IndexEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { IndexBytes } from '@docent/search/index/index-format.ts';
import { TextSpool } from '../files/text-spool.ts';
import { readAhead } from '../source/read-ahead.ts';
import { SEARCH_SCRIPTS_FORMAT, type SearchFile, wholeCut } from './search-scripts.ts';

/** Folder of the scripts of search indexes. */
export const SEARCH_SCRIPTS_FOLDER = 'search-parts/';

/** Returns the key of the scripts of a search index: one file, of which readers get ranges. */
export function searchScriptsKey(index: Pick<IndexEntry, 'sha256' | 'partOf'>): string {
  return `${SEARCH_SCRIPTS_FOLDER}${SEARCH_SCRIPTS_FORMAT}/${partName(index)}`;
}

/**
 * Returns the key of an index that is a part of another. It begins with the hash of that, so it
 * stays as long as a build has it.
 */
export function indexPartKey(index: IndexEntry): string {
  return `${SEARCH_SCRIPTS_FOLDER}indexes/${partName(index)}`;
}

function partName({ sha256, partOf }: Pick<IndexEntry, 'sha256' | 'partOf'>): string {
  return partOf === undefined ? sha256 : `${partOf.sha256}-${sha256}`;
}

/** Names and sizes, in byte order. */
type Kept = { path: string; sizeBytes: number }[];

/** Offsets in the file, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Position of each script in the file, by its path in the site. */
export type ScriptPlaces = ReadonlyMap<string, ByteRange>;

type ReadRange = (range: ByteRange) => Promise<Uint8Array>;

/** Yields to other work of the process after this many scripts. */
const SCRIPTS_AT_A_TIME = 100;

/**
 * Makes the file with the scripts of a whole site's search index. Together they are larger than the
 * index, so they are never all in memory. `close` must be called when the chunks have been read.
 */
export async function makeStoredScripts(
  index: Uint8Array | IndexBytes,
  build: Pick<SiteBuild, 'pages' | 'searchIndex'>,
) {
  // What only reads the file does not need this.
  const { searchFiles } = await import('./search-files.ts');
  const kept: Kept = [];
  const scripts = new TextSpool<number>();
  const close = () => scripts.close();
  try {
    for (const { path, bytes } of searchFiles(index, wholeCut(build))) {
      scripts.add(kept.length, bytes);
      if (kept.push({ path, sizeBytes: bytes.byteLength }) % SCRIPTS_AT_A_TIME === 0)
        await setImmediate();
    }
  } catch (error) {
    close();
    throw error;
  }
  const note = Buffer.from(JSON.stringify(kept));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(note.byteLength);
  const chunks = async function* () {
    yield size;
    yield note;
    yield* scripts.read(kept.keys());
  };
  const sizeBytes = kept.reduce(
    (sum, script) => sum + script.sizeBytes,
    size.byteLength + note.byteLength,
  );
  return { sizeBytes, chunks: chunks(), close };
}

/** Reads where the scripts are in the file. */
export async function readScriptPlaces(read: ReadRange): Promise<ScriptPlaces> {
  const size = Buffer.from(await read({ start: 0, end: 3 })).readUInt32LE(0);
  const note = Buffer.from(await read({ start: 4, end: 3 + size })).toString('utf8');
  let at = 4 + size;
  return new Map(
    (JSON.parse(note) as Kept).map(({ path, sizeBytes }) => {
      const start = at;
      at += sizeBytes;
      return [path, { start, end: at - 1 }];
    }),
  );
}

/**
 * Reads all scripts, in the order and with the bytes of `searchFiles`, which needs the whole index.
 */
export async function* storedSearchFiles(read: ReadRange): AsyncGenerator<SearchFile> {
  const scripts = readAhead(
    await readScriptPlaces(read),
    ([, { start, end }]) => end - start + 1,
    ([, place]) => read(place),
  );
  for await (const { item, bytes } of scripts) yield { path: item[0], bytes };
}
