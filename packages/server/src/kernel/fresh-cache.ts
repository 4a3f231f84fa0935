import { BoundedCache, type CacheName } from '@docent/format/bounded-cache.ts';
import { inTime } from '../lib/in-time.ts';
import type { Clock } from '../ports/clock.ts';

/** Caches values of the database, so that requests do not wait for it. */
export interface FreshCache<Value> {
  /**
   * Returns the value of a key. A slightly old one is returned at once, and refreshed in the
   * background.
   * @param load neither missing values nor errors are cached
   */
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  invalidate(key: string): void;
  /** Removes the entries that match the condition, even if they are being loaded now. */
  invalidateWhere(condition: (value: Value) => boolean): void;
  /**
   * Has the entries that match refreshed before they are returned again, even if they are being
   * loaded now. One that may be stale is still returned if its source fails.
   */
  outdateWhere(condition: (value: Value) => boolean): void;
}

export interface FreshCacheOptions {
  name: CacheName;
  clock: Clock;
  /** Values up to this age are returned without a refresh. */
  freshMs: number;
  /** Values up to this age are returned at once while they are refreshed. */
  usableMs: number;
  /**
   * How long an older value waits for its refresh before it is returned anyway; an error of the
   * source ends the wait. Without it, an older value is never returned. For values that are better
   * stale than missing; never for permissions.
   */
  staleAfterMs?: number;
  /**
   * Maximum memory, by the size of the values as JSON; the least recently used are evicted first.
   */
  maxBytes: number;
}

interface Held<Value> {
  /** Of the value, once it is there. */
  bytes: number;
  value: Promise<Value | undefined>;
  readAt: number;
  /** The load in progress. */
  refreshing: Promise<Value | undefined> | undefined;
  /** Whether the last load failed. */
  isFailing: boolean;
}

/** Bytes of memory for a character of JSON. */
const MEMORY_OF_JSON = 2;

export function createFreshCache<Value>(options: FreshCacheOptions): FreshCache<Value> {
  const { name, clock, freshMs, usableMs, staleAfterMs, maxBytes } = options;
  const cache = new BoundedCache<Held<Value>>(name, { maxBytes, sizeOf: ({ bytes }) => bytes });

  function hold(key: string, value: Promise<Value | undefined>, readAt: number): void {
    const entry: Held<Value> = { bytes: 0, value, readAt, refreshing: undefined, isFailing: false };
    cache.set(key, entry);
    const settle = (loadedValue: Value | undefined) => {
      if (cache.peek(key) !== entry) return;
      if (loadedValue === undefined) return cache.delete(key);
      entry.bytes = MEMORY_OF_JSON * JSON.stringify(loadedValue).length;
      cache.set(key, entry);
    };
    value.then(settle, () => settle(undefined));
  }

  /** An entry removed meanwhile stays removed: the result may be outdated. */
  function refresh(
    key: string,
    entry: Held<Value>,
    load: () => Promise<Value | undefined>,
    now: number,
  ) {
    if (entry.refreshing) return entry.refreshing;
    const refreshing = load();
    entry.refreshing = refreshing;
    refreshing.then(
      (value) => {
        if (cache.peek(key) !== entry) return;
        if (value === undefined) cache.delete(key);
        else hold(key, Promise.resolve(value), now);
      },
      () => {
        // The next caller retries.
        entry.refreshing = undefined;
        entry.isFailing = true;
      },
    );
    return refreshing;
  }

  /** Returns the refreshed value, or the old one if its source fails or is slow. */
  async function newerOf(
    entry: Held<Value>,
    refreshing: Promise<Value | undefined>,
    patienceMs: number,
  ) {
    if (entry.isFailing) return entry.value;
    const newer = refreshing.catch(() => entry.value);
    return inTime(newer, patienceMs, () => {
      entry.isFailing = true;
      return entry.value;
    });
  }

  /** A load in progress does not change an entry that was replaced. */
  function replaceWhere(
    condition: (value: Value) => boolean,
    replace: (key: string, entry: Held<Value>) => void,
  ): void {
    for (const [key, entry] of cache.entries()) {
      entry.value.then(
        (value) => {
          if (value !== undefined && condition(value) && cache.peek(key) === entry)
            replace(key, entry);
        },
        () => {},
      );
    }
  }

  return {
    get(key, load) {
      const now = clock.now().getTime();
      const entry = cache.get(key);
      if (!entry) {
        const value = load();
        hold(key, value, now);
        return value;
      }
      const age = now - entry.readAt;
      if (age < freshMs) return entry.value;
      if (age < usableMs) {
        refresh(key, entry, load, now);
        return entry.value;
      }
      if (staleAfterMs !== undefined)
        return newerOf(entry, refresh(key, entry, load, now), staleAfterMs);
      const value = load();
      hold(key, value, now);
      return value;
    },
    invalidate: (key) => void cache.delete(key),
    invalidateWhere: (condition) => replaceWhere(condition, (key) => void cache.delete(key)),
    outdateWhere: (condition) =>
      replaceWhere(condition, (key, { value }) => hold(key, value, Number.NEGATIVE_INFINITY)),
  };
}
