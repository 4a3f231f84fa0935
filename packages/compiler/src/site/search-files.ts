import { encodeUtf8 } from '@docent/format/bytes.ts';
import type { IndexBytes } from '@docent/search/index/index-format.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { type CutIndex, cutIndex, type SubsetPage } from '@docent/search/shards/cut-index.ts';
import type { SearchPayload } from '@docent/search/shards/shard-format.ts';
import { type SearchCut, type SearchFile, searchHead } from './search-scripts.ts';

/**
 * An index with at most this much text is one script: many small files would cost more than they
 * save.
 */
const MAX_SINGLE_SCRIPT_BYTES = 150_000;

/**
 * Yields the scripts that contain the search index, one at a time: for each language a head, and
 * shards that a page fetches when a search needs them. A small index is one script. The same index
 * gives the same bytes. They are scripts because a page opened from disk may load scripts but may
 * not fetch files; `theme/elements/search/search-index.ts` runs them, and
 * `search/index/load-bundle-index.ts` reads them.
 * @param index of the whole site
 */
export function* searchFiles(
  index: Uint8Array | IndexBytes,
  { name, languages, included, isSingle }: SearchCut,
): Iterable<SearchFile> {
  const data = new IndexData(index);
  const has = (href: string) => included?.has(href) ?? true;
  for (const language of languages.length === 0 ? [undefined] : languages) {
    const isIncluded = ({ href, languages: spoken }: SubsetPage) =>
      has(href) && (language === undefined || spoken.length === 0 || spoken.includes(language));
    yield* scriptsOf(
      cutIndex(data, isIncluded),
      searchHead({ name, languages }, language),
      isSingle,
    );
  }
}

function* scriptsOf(
  { head, shards, sizeBytes }: CutIndex,
  headName: string,
  isSingle = sizeBytes <= MAX_SINGLE_SCRIPT_BYTES,
): Iterable<SearchFile> {
  const payload: SearchPayload = isSingle ? { head, shards: [...shards] } : { head };
  yield {
    path: `_docent/${headName}`,
    bytes: encodeUtf8(`__docentSearchIndex(${JSON.stringify(payload)});\n`),
  };
  if (isSingle) return;
  let number = 0;
  for (const shard of shards) {
    const path = `_docent/${headName.replace(/\.js$/, `-${number}.js`)}`;
    yield { path, bytes: encodeUtf8(`__docentSearchShard(${number},${JSON.stringify(shard)});\n`) };
    number++;
  }
}
