import { searchIndexOf } from '../index/load-search-index.ts';
import type { SearchHit, SearchIndex, SearchOptions } from '../search-index.ts';
import type { Shard, ShardHead } from './shard-format.ts';
import { ShardedData } from './sharded-data.ts';

/** An index that loads what a search needs, and therefore answers asynchronously. */
export interface ShardedIndex extends Pick<SearchIndex, 'documentCount' | 'versions' | 'languages'> {
  /**
   * @param isWanted checked before more is loaded: if nobody waits for the result any more, it is empty
   * @throws Error if a shard could not be loaded; the next search retries
   */
  search(query: string, options: SearchOptions, isWanted?: () => boolean): Promise<SearchHit[]>;
}

/** Each round makes progress; no search needs this many. */
const MAX_ROUNDS = 20;

/**
 * Opens an index in shards.
 * @param head as created by `cutIndex`
 * @param fetchShard loads a shard by its number; called once for each, and again only after a failure
 */
export function openShardedIndex(head: ShardHead, fetchShard: (number: number) => Promise<Shard>): ShardedIndex {
  const data = new ShardedData(head);
  const index = searchIndexOf(data);
  const fetching = new Map<number, Promise<void>>();
  const fetchOnce = (number: number): Promise<void> => {
    const known = fetching.get(number);
    if (known) return known;
    const started = fetchShard(number)
      .then((shard) => data.add(number, shard))
      .finally(() => fetching.delete(number));
    fetching.set(number, started);
    return started;
  };
  return {
    documentCount: index.documentCount,
    versions: index.versions,
    languages: index.languages,
    async search(query, options, isWanted = () => true) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        data.begin();
        const hits = index.search(query, options);
        const missing = [...data.missing];
        if (missing.length === 0) return hits;
        if (!isWanted()) return [];
        await Promise.all(missing.map(fetchOnce));
      }
      throw new Error('The search index does not fit together.');
    },
  };
}
