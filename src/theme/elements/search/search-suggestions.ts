import type { SearchFilter, SearchHit } from '../../../core/search/search-index.ts';
import type { ShardedIndex } from '../../../core/search/shards/sharded-index.ts';

const MOST = 5;
const HITS_PER_TRY = 8;
const MIN_WORD_LENGTH = 3;

/** A word and its prefixes: a misspelled word often starts correctly. */
function beginnings(word: string): string[] {
  const shortest = Math.max(MIN_WORD_LENGTH + 1, Math.ceil(word.length / 2));
  const out = [word];
  for (let length = word.length - 1; length >= shortest; length--) out.push(word.slice(0, length));
  return out;
}

/**
 * Returns suggestions for a query without results: hits for its individual words, then hits for the whole query in other
 * versions. One hit per page.
 */
export async function suggestions(
  index: Pick<ShardedIndex, 'search'>,
  query: string,
  filter: SearchFilter,
): Promise<SearchHit[]> {
  const found = new Map<string, SearchHit>();
  const words = query.split(/\s+/).filter((word) => word.length >= MIN_WORD_LENGTH);
  const add = (hits: readonly SearchHit[]): void => {
    for (const hit of hits) if (found.size < MOST && !found.has(hit.document.path)) found.set(hit.document.path, hit);
  };
  for (const word of words.slice(0, MOST)) {
    for (const text of beginnings(word)) {
      const hits = await index.search(text, { limit: HITS_PER_TRY, filter });
      add(hits);
      if (hits.length > 0) break;
    }
  }
  if (filter.version !== undefined) {
    const { language } = filter;
    add(await index.search(query, { limit: HITS_PER_TRY, filter: language === undefined ? {} : { language } }));
  }
  return [...found.values()];
}
