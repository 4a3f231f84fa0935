import { searchIndexOf } from './load-search-index.ts';
import { PartedData } from './parts/parted-data.ts';
import type { SearchIndex } from './search-index.ts';
import { decodeUtf8 } from './utf8.ts';

const HEAD = /^_docent\/search-index-[0-9a-f]{8}\.js$/;
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
  const headPath = [...known].find((path) => HEAD.test(path));
  if (headPath === undefined) throw new Error('The bundle holds no search index; export the site again.');
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
