import type { SearchFilter, SearchHit } from '@docent/search/search-index.ts';
import type { SearchRules } from '@docent/search/search-rules.ts';
import {
  type SearchPayload,
  type Shard,
  type ShardBlock,
  shardPath,
} from '@docent/search/shards/shard-format.ts';
import { openShardedIndex, type ShardedIndex } from '@docent/search/shards/sharded-index.ts';
import { loadScript } from '../dom.ts';
import { pageData } from '../page-data.ts';

/**
 * What the scripts of the index have brought, for every script that reads it: none of them may load
 * a file twice at once.
 */
interface LoadedScripts {
  indexes: Map<string, Promise<LoadedIndex>>;
  shards: Map<string, Promise<Shard>>;
  /** Shards that a script has loaded and that are not consumed yet. */
  brought: Map<number, Shard>;
  rules: Map<string, Promise<SearchRules | undefined>>;
}

declare global {
  var __docentSearchScripts: LoadedScripts | undefined;
  var __docentSearchIndex:
    | ((payload: SearchPayload | string, blocks?: readonly ShardBlock[]) => void)
    | undefined;
  var __docentSearchShard: ((number: number, shard: Shard) => void) | undefined;
  var __docentSearchRules: ((rules: SearchRules) => void) | undefined;
}

/** The dialog's interface to the site's index. */
export interface SiteSearch extends ShardedIndex {
  /** Whether a search may have to load data. */
  fetches: boolean;
}

function loadedScripts(): LoadedScripts {
  globalThis.__docentSearchScripts ??= {
    indexes: new Map(),
    shards: new Map(),
    brought: new Map(),
    rules: new Map(),
  };
  return globalThis.__docentSearchScripts;
}

/**
 * Returns the value that is loaded under an address, once for all scripts. A failed load is
 * forgotten, so that the next call retries.
 */
function loadOnce<Value>(
  values: Map<string, Promise<Value>>,
  address: string,
  load: () => Promise<Value>,
): Promise<Value> {
  const pending = values.get(address);
  if (pending) return pending;
  const started = load();
  values.set(address, started);
  started.catch(() => values.delete(address));
  return started;
}

/** A shard is a script, because a page opened from disk may load scripts but not fetch files. */
function loadShard({ address: head, blocks }: LoadedIndex, number: number): Promise<Shard> {
  const { shards, brought } = loadedScripts();
  const address = shardPath(head, number, blocks);
  return loadOnce(shards, address, async () => {
    globalThis.__docentSearchShard = (place, shard) => brought.set(place, shard);
    await loadScript(address);
    // No other script runs in between.
    const [shard] = brought.values();
    brought.clear();
    if (shard === undefined) throw new Error('A shard of the search index is empty.');
    return shard;
  });
}

/** The payload of an index, the script that brought it, and in a bundle the blocks of its shards. */
interface LoadedIndex {
  payload: SearchPayload;
  address: string;
  blocks?: readonly ShardBlock[] | undefined;
}

/** A script of a bundle only names the one with the index, so that pages need not change with it. */
async function loadIndex(address: string, blocks?: readonly ShardBlock[]): Promise<LoadedIndex> {
  let content: [payload: SearchPayload | string, blocks?: readonly ShardBlock[]] | undefined;
  globalThis.__docentSearchIndex = (...values) => {
    content = values;
  };
  await loadScript(address);
  if (!content) throw new Error('The search index is empty.');
  const [payload, listed] = content;
  if (typeof payload === 'string') return loadIndex(new URL(payload, address).href, listed);
  return { payload, address, blocks };
}

/** Without its rules, search still finds pages. */
async function loadRules(address: string): Promise<SearchRules | undefined> {
  let rules: SearchRules | undefined;
  globalThis.__docentSearchRules = (siteRules) => {
    rules = siteRules;
  };
  await loadScript(address).catch(() => undefined);
  return rules;
}

/** The parts of the index of a language, as they are loaded. */
export interface SearchSource extends SearchPayload {
  rules: SearchRules | undefined;
  loadShard: (number: number) => Promise<Shard>;
}

async function loadSource(
  address: string,
  rulesAddress: string | undefined,
): Promise<SearchSource> {
  const { indexes, rules: loadedRules } = loadedScripts();
  const [index, rules] = await Promise.all([
    loadOnce(indexes, address, () => loadIndex(address)),
    rulesAddress && loadOnce(loadedRules, rulesAddress, () => loadRules(rulesAddress)),
  ]);
  return {
    ...index.payload,
    rules: rules || undefined,
    loadShard: async (number) => index.payload.shards?.[number] ?? loadShard(index, number),
  };
}

async function open(source: Promise<SearchSource>): Promise<SiteSearch> {
  const { head, shards, rules, loadShard: load } = await source;
  const index = openShardedIndex(head, load);
  return {
    search: (query, options, isWanted) => index.search(query, { ...options, rules }, isWanted),
    compute: index.compute,
    fetches: shards === undefined,
  };
}

const sources = new Map<string, Promise<SearchSource>>();
const indexes = new WeakMap<Promise<SearchSource>, Promise<SiteSearch>>();

/**
 * Returns the parts of the index of the page's language, loaded once. A failed load is forgotten,
 * so that the next call retries.
 */
export function searchSource(): Promise<SearchSource> {
  const { index, rules } = pageData().search;
  const [address = '', rulesAddress] = [index, ...(rules ? [rules] : [])].map(
    (path) => new URL(path, document.baseURI).href,
  );
  return loadOnce(sources, address, () => loadSource(address, rulesAddress));
}

/** Returns the index of the page's language, opened once for all searches of this script. */
export function searchIndex(): Promise<SiteSearch> {
  const source = searchSource();
  const index = indexes.get(source) ?? open(source);
  indexes.set(source, index);
  return index;
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
 * Returns suggestions for a query without results: hits for its individual words, then hits for the
 * whole query in other versions. One hit per page.
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
      if (hitsByPath.size < MOST && !hitsByPath.has(hit.document.path))
        hitsByPath.set(hit.document.path, hit);
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
    add(
      await index.search(query, {
        limit: HITS_PER_TRY,
        filter: language === undefined ? {} : { language },
      }),
    );
  }
  return [...hitsByPath.values()];
}
