import { joinIndexes } from './join-indexes.ts';
import { searchIndexOf } from './load-search-index.ts';
import { PartedData } from './parts/parted-data.ts';
import type { SearchIndex } from './search-index.ts';
import { decodeUtf8 } from './utf8.ts';

/** With the language that the index is of, where the bundle has one for each. */
const HEAD = /^_docent\/search-index-[0-9a-f]{8}(?:-[a-z][a-z0-9_]*)?\.js$/;
const DAMAGED = 'The search index of the bundle is damaged; export the site again.';

/**
 * Opens the search index of a bundle for one who has all of its files at hand: an ordinary index, with the same answers as that
 * of the platform.
 * @param paths the paths of the bundle's files
 * @param readFile the bytes of one of them
 * @throws Error where the bundle has no index, or one that is damaged
 */
export async function loadBundleIndex(
  paths: Iterable<string>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<SearchIndex> {
  const known = new Set(paths);
  const heads = [...known].filter((path) => HEAD.test(path));
  if (heads.length === 0) throw new Error('The bundle holds no search index; export the site again.');
  return joinIndexes(await Promise.all(heads.map((head) => loadWhole(head, known, readFile))));
}

async function loadWhole(
  headPath: string,
  known: ReadonlySet<string>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<SearchIndex> {
  const [head, ...inline] = await readStrings(headPath, readFile);
  if (head === undefined) throw new Error(DAMAGED);
  const data = new PartedData(head);
  for (let part = 0; part < data.partCount; part++) {
    const path = headPath.replace(/\.js$/, `-${part}.js`);
    const packed = inline[part] ?? (known.has(path) ? (await readStrings(path, readFile))[0] : undefined);
    if (packed === undefined) throw new Error(DAMAGED);
    data.add(part, packed);
  }
  return searchIndexOf(data);
}

/** The strings of a script of the index; nothing in them is escaped. */
async function readStrings(path: string, readFile: (path: string) => Promise<Uint8Array>): Promise<string[]> {
  const script = decodeUtf8(await readFile(path));
  return [...script.matchAll(/"([^"]*)"/g)].map(([, packed]) => packed as string);
}
