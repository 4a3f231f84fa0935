import type { SearchPayload, Shard } from '../../../core/search/shards/shard-format.ts';
import { openShardedIndex, type ShardedIndex } from '../../../core/search/shards/sharded-index.ts';
import { pageData } from '../page-data.ts';
import { loadScript } from './search-opener.ts';

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
  globalThis.__docentSearchIndex = (given) => {
    payload = given;
  };
  await loadScript(address);
  if (!payload) throw new Error('The search index is empty.');
  const { head, shards } = payload as SearchPayload;
  const index = openShardedIndex(head, async (number) => shards?.[number] ?? loadShard(address, number));
  return { ...index, fetches: shards === undefined };
}

const loading = new Map<string, Promise<SiteSearch>>();

/** URL of the current page's index: that of its language. */
export function searchAddress(): string {
  return new URL(pageData().search.index, document.baseURI).href;
}

/** Returns the index of the page's language, loaded once. A failed load is forgotten, so that the next call retries. */
export function searchIndex(): Promise<SiteSearch> {
  const address = searchAddress();
  const known = loading.get(address);
  if (known) return known;
  const started = load(address);
  loading.set(address, started);
  started.catch(() => loading.delete(address));
  return started;
}
