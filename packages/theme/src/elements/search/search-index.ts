import type { SearchFilter, SearchHit } from '@docent/search/search-index.ts';
import type { SearchPayload, Shard } from '@docent/search/shards/shard-format.ts';
import { openShardedIndex, type ShardedIndex } from '@docent/search/shards/sharded-index.ts';
import { loadScript } from '../dom.ts';
import { pageData } from '../page-data.ts';

declare global {
  var __docentSearchIndex: ((payload: SearchPayload) => void) | undefined;
  var __docentSearchShard: ((number: number, shard: Shard) => void) | undefined;
}

/** The dialog's interface to the site's index. */
export interface SiteSearch extends ShardedIndex {
  /** Whether a search may have to load data. */
  fetches: boolean;
}

/** Shards that a script has loaded and that are not consumed yet. */
const brought = new Map<number, Shard>();

/** A shard is a script, because a page opened from disk may load scripts but not fetch files. */
async function loadShard(headAddress: string, number: number): Promise<Shard> {
  globalThis.__docentSearchShard = (number, shard) => brought.set(number, shard);
  await loadScript(headAddress.replace(/\.js$/, `-${number}.js`));
  const shard = brought.get(number);
  brought.delete(number);
  if (shard === undefined) throw new Error('A shard of the search index is empty.');
  return shard;
}

async function load(address: string): Promise<SiteSearch> {
  let payload: SearchPayload | undefined;
  globalThis.__docentSearchIndex = (searchPayload) => {
    payload = searchPayload;
  };
  await loadScript(address);
  if (!payload) throw new Error('The search index is empty.');
  const { head, shards } = payload as SearchPayload;
  const index = openShardedIndex(head, async (number) => shards?.[number] ?? loadShard(address, number));
  return { ...index, fetches: shards === undefined };
}

const loading = new Map<string, Promise<SiteSearch>>();

/** Returns the index of the page's language, loaded once. A failed load is forgotten, so that the next call retries. */
export function searchIndex(): Promise<SiteSearch> {
  const address = new URL(pageData().search.index, document.baseURI).href;
  const cachedIndex = loading.get(address);
  if (cachedIndex) return cachedIndex;
  const started = load(address);
  loading.set(address, started);
  started.catch(() => loading.delete(address));
  return started;
}

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
  const hitsByPath = new Map<string, SearchHit>();
  const words = query.split(/\s+/).filter((word) => word.length >= MIN_WORD_LENGTH);
  const add = (hits: readonly SearchHit[]): void => {
    for (const hit of hits)
      if (hitsByPath.size < MOST && !hitsByPath.has(hit.document.path)) hitsByPath.set(hit.document.path, hit);
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
  return [...hitsByPath.values()];
}
