import { createHash } from 'node:crypto';
import { IndexData } from '../core/search/index-data.ts';
import { cutIndex } from '../core/search/parts/cut-index.ts';
import { searchHeadScript, searchPartScript } from '../theme/search-index-script.ts';
import { createTextWriter } from './utf8-slabs.ts';

/** Up to this size an index is one script: many small files would cost more than they save. */
const ONE_SCRIPT_BYTES = 120_000;

/** To be counted up when other scripts are made of the same index. */
export const SEARCH_PARTS_FORMAT = 1;

export interface SearchFiles {
  /** Name of the script under `_docent/` that a page begins with. */
  head: string;
  files: { path: string; bytes: Uint8Array }[];
}

/**
 * The scripts of a bundle that hold the search index: a head, and parts that a page fetches when a search needs them. A small
 * index is one script. The same index gives the same bytes under the same names, which hold a hash of all of them.
 * @param indexBytes the index of the whole site
 * @param isIncluded which pages the bundle holds; the scripts say nothing of the others
 */
export function searchFiles(
  indexBytes: Uint8Array,
  isIncluded: (page: { path: string; href: string }) => boolean = () => true,
): SearchFiles {
  const { head, parts } = cutIndex(new IndexData(indexBytes), isIncluded);
  const write = createTextWriter();
  const scripts = [write(searchHeadScript(head)), ...parts.map((packed, part) => write(searchPartScript(part, packed)))];
  const isSmall = scripts.reduce((sum, script) => sum + script.length, 0) <= ONE_SCRIPT_BYTES;
  const written = isSmall ? [write(searchHeadScript(head, parts))] : scripts;
  const name = `search-index-${hashOf(written)}`;
  return {
    head: `${name}.js`,
    files: written.map((bytes, at) => ({ path: `_docent/${name}${at === 0 ? '' : `-${at - 1}`}.js`, bytes })),
  };
}

function hashOf(scripts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const script of scripts) hash.update(script);
  return hash.digest('hex').slice(0, 8);
}
