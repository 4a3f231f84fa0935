import { searchIndexOf } from '../load-search-index.ts';
import type { SearchHit, SearchIndex, SearchOptions } from '../search-index.ts';
import { PartedData } from './parted-data.ts';

/** An index that fetches what a search needs, and so answers later. */
export interface PartedIndex extends Pick<SearchIndex, 'documentCount' | 'versions' | 'languages'> {
  /**
   * @param isWanted asked before more is fetched: an answer that nobody waits for any more is given up, and is empty
   * @throws Error where a part could not be fetched; the next search tries again
   */
  search(query: string, options: SearchOptions, isWanted?: () => boolean): Promise<SearchHit[]>;
}

/**
 * Opens an index in parts.
 * @param head as `cutIndex` made it
 * @param fetchPart gives a part by its number; each is asked for once, and again only where that failed
 * @throws Error where the head is damaged
 */
export function openPartedIndex(head: string, fetchPart: (part: number) => Promise<string>): PartedIndex {
  const data = new PartedData(head);
  const index = searchIndexOf(data);
  const fetching = new Map<number, Promise<void>>();
  const fetchOnce = (part: number): Promise<void> => {
    const known = fetching.get(part);
    if (known) return known;
    const started = fetchPart(part)
      .then((packed) => data.add(part, packed))
      .finally(() => fetching.delete(part));
    fetching.set(part, started);
    return started;
  };
  return {
    documentCount: index.documentCount,
    versions: index.versions,
    languages: index.languages,
    async search(query, options, isWanted = () => true) {
      // Each round gets further; a search of this many does not exist.
      for (let round = 0; round < MOST_ROUNDS; round++) {
        data.begin();
        const hits = index.search(query, options);
        const wanted = [...data.wanted.numbers];
        if (wanted.length === 0) return hits;
        if (!isWanted()) return [];
        await Promise.all(wanted.map(fetchOnce));
      }
      throw new Error('The search index does not fit together.');
    },
  };
}

const MOST_ROUNDS = 20;
