import { LRUCache } from 'lru-cache';

/**
 * The caches of a process, by their names in `/metrics`; `docs/self-hosting/memory.mdx` has a row
 * for each. Those of one name are counted together. A cache within a build is not here: it ends
 * with the build's process, whose memory is limited.
 */
export const CACHES = {
  site_manifests:
    'Manifests of live sites and previews, once per deployment, with the menus and maps made of them',
  reader_views: 'Menus, lists and settings of sites as readers with different groups see them',
  search_indexes: 'Search indexes of live sites and previews, once however many builds have them',
  site_vectors: 'Vectors of the sections of sites, for search by meaning',
  question_vectors: 'Vectors of questions',
  page_bodies: 'Pages and files as they are sent, compressed',
  repeated_answers: 'Answers that are sent again, with their headers',
  site_pointers:
    'Which deployment each identifier and hostname shows, with the settings of its site',
  accountable_people: 'Whose limits each organization uses up',
  keys: 'API keys that were used',
  installation_tokens: 'Tokens of installations of GitHub Apps, which expire within an hour',
  provider_documents: 'Sets of keys of the identity providers of sites',
  reader_sessions: 'Sessions of readers who signed in to a site',
  assistant_settings: 'Settings of the assistant of sites',
  clients: 'What browsers and programs are, by their user agents',
  analytics_settings: 'Settings of the analytics of sites',
  analytics_filters:
    'Figures of the visitors that a page of the dashboard is filtered by, for five seconds',
  files_on_disk: 'On disk: files of a bucket that readers requested or may request',
  bundle_threads: 'Conversations of a bundle server, which stores none',
} as const;

export type CacheName = keyof typeof CACHES;

/** What a cache holds, and how often it had what was requested of it, since the process started. */
export interface CacheFigures {
  entries: number;
  bytes: number;
  maxBytes: number;
  hits: number;
  misses: number;
}

export interface BoundedCacheOptions<Value> {
  maxBytes: number;
  /** Returns about how many bytes of memory an entry takes. */
  sizeOf: (value: Value) => number;
  /** Returns who shares the cache with others: an organization. */
  ownerOf?: (value: Value) => string;
}

/**
 * An owner with more than this share of a full cache loses its own entries before others lose
 * theirs.
 */
const OWNER_SHARE = 0.5;
/** What a key and the bookkeeping of an entry take. */
const ENTRY_BYTES = 200;

interface Entry<Value> {
  value: Value;
  owner: string | undefined;
  bytes: number;
}

type Counted = { readonly figures: CacheFigures };

/** Weak, so that a cache ends with what it belongs to. */
const caches = new Map<CacheName, WeakRef<Counted>[]>();

/**
 * A cache of at most a number of bytes; the least recently used entries are evicted first. Where it
 * has owners, those of one that holds more than half are evicted before those of others, so no
 * owner can push out all the others. The newest entry always stays, so that an entry larger than
 * the cache is not made again for each use.
 */
export class BoundedCache<Value extends NonNullable<unknown>> {
  readonly #options: BoundedCacheOptions<Value>;
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #loading = new Map<string, Promise<Value>>();
  readonly #bytesOfOwner = new Map<string, number>();
  #hits = 0;
  #misses = 0;

  constructor(name: CacheName, options: BoundedCacheOptions<Value>) {
    this.#options = options;
    this.#entries = new LRUCache<string, Entry<Value>>({
      // Evicted by `#evict`, which knows the owners.
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: ({ owner, bytes }) => this.#count(owner, -bytes),
    });
    countCache(name, this);
  }

  /** Returns the entry, which becomes the most recently used. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) this.#misses++;
    else this.#hits++;
    return entry?.value;
  }

  /** Returns the entry without a use of it. */
  peek(key: string): Value | undefined {
    return this.#entries.peek(key)?.value;
  }

  set(key: string, value: Value): void {
    const { sizeOf, ownerOf } = this.#options;
    const entry = {
      value,
      owner: ownerOf?.(value),
      bytes: ENTRY_BYTES + 2 * key.length + Math.ceil(sizeOf(value)),
    };
    this.#entries.set(key, entry);
    this.#count(entry.owner, entry.bytes);
    this.#evict(key);
  }

  /** Returns the entry, made once for concurrent callers. Errors are not cached. */
  async load(key: string, make: () => Promise<Value>): Promise<Value> {
    const value = this.get(key);
    if (value !== undefined) return value;
    const loading = this.#loading.get(key) ?? make();
    this.#loading.set(key, loading);
    try {
      const loadedValue = await loading;
      // Otherwise another caller has stored it, or it was deleted meanwhile and may be outdated.
      if (this.#loading.get(key) === loading) this.set(key, loadedValue);
      return loadedValue;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  delete(key: string): void {
    this.#loading.delete(key);
    this.#entries.delete(key);
  }

  /** Returns all entries, the most recently used first. */
  entries(): [string, Value][] {
    return [...this.#entries.entries()].map(([key, { value }]) => [key, value]);
  }

  get figures(): CacheFigures {
    const { size: entries, calculatedSize: bytes } = this.#entries;
    return {
      entries,
      bytes,
      maxBytes: this.#options.maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  #count(owner: string | undefined, bytes: number): void {
    if (owner === undefined) return;
    const total = (this.#bytesOfOwner.get(owner) ?? 0) + bytes;
    if (total > 0) this.#bytesOfOwner.set(owner, total);
    else this.#bytesOfOwner.delete(owner);
  }

  #evict(newest: string): void {
    const { maxBytes } = this.#options;
    while (this.#entries.calculatedSize > maxBytes) {
      const greedy = new Set<string | undefined>();
      for (const [owner, bytes] of this.#bytesOfOwner)
        if (bytes > maxBytes * OWNER_SHARE) greedy.add(owner);
      const key = this.#leastUsed(newest, ({ owner }) => greedy.size === 0 || greedy.has(owner));
      if (key === undefined) return;
      this.#entries.delete(key);
    }
  }

  #leastUsed(newest: string, condition: (entry: Entry<Value>) => boolean): string | undefined {
    return this.#entries
      .rkeys()
      .find((key) => key !== newest && condition(this.#entries.peek(key) as Entry<Value>));
  }
}

/** Counts a cache under a name for as long as it exists. */
export function countCache(name: CacheName, cache: Counted): void {
  caches.set(name, [...living(name), new WeakRef(cache)]);
}

/** Returns the figures of every cache of this process, by name. */
export function cacheFigures(): Map<CacheName, CacheFigures> {
  return new Map(
    [...caches.keys()].map((name) => [
      name,
      sumOf(living(name).flatMap((cache) => cache.deref()?.figures ?? [])),
    ]),
  );
}

function living(name: CacheName) {
  return (caches.get(name) ?? []).filter((cache) => cache.deref() !== undefined);
}

function sumOf(all: readonly CacheFigures[]): CacheFigures {
  const sum = (figure: keyof CacheFigures) =>
    all.reduce((total, figures) => total + figures[figure], 0);
  return {
    entries: sum('entries'),
    bytes: sum('bytes'),
    maxBytes: sum('maxBytes'),
    hits: sum('hits'),
    misses: sum('misses'),
  };
}
