import { LRUCache } from 'lru-cache';
import type { Deps } from './deps.ts';

/** Values of the database, held so that requests do not wait for it. */
export interface FreshCache<Value> {
  /**
   * The value of a key. One that is a little old is given at once, and asked for again meanwhile.
   * @param load what is not found is not remembered, nor is a fault
   */
  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>;
  forget(key: string): void;
  /** Forgets what meets the condition, also where it is being asked for now. */
  forgetWhere(condition: (value: Value) => boolean): void;
}

export interface FreshCacheOptions {
  clock: Deps['clock'];
  /** A value of at most this age is given without a question. */
  freshMs: number;
  /** A value of at most this age is given at once while it is asked for again. */
  usableMs: number;
  /**
   * How long an older value waits for its successor before it is given all the same; a fault of the source ends the wait.
   * Without it, an older value is never given. For values that are better stale than missing; never for permissions.
   */
  staleAfterMs?: number;
  /** Maximum number of values; the least recently used go first. */
  maxEntries: number;
}

interface Held<Value> {
  value: Promise<Value | undefined>;
  readAt: number;
  /** The question under way. */
  refreshing: Promise<Value | undefined> | undefined;
  /** Whether the last question failed. */
  isFailing: boolean;
}

export function createFreshCache<Value>(options: FreshCacheOptions): FreshCache<Value> {
  const { clock, freshMs, usableMs, staleAfterMs, maxEntries } = options;
  const held = new LRUCache<string, Held<Value>>({ max: maxEntries });

  function hold(key: string, value: Promise<Value | undefined>, readAt: number): void {
    const entry: Held<Value> = { value, readAt, refreshing: undefined, isFailing: false };
    held.set(key, entry);
    const drop = () => held.peek(key) === entry && held.delete(key);
    value.then((found) => found ?? drop(), drop);
  }

  /** What was forgotten meanwhile stays so: the answer may be from before. */
  function refresh(key: string, entry: Held<Value>, load: () => Promise<Value | undefined>, now: number) {
    if (entry.refreshing) return entry.refreshing;
    const refreshing = load();
    entry.refreshing = refreshing;
    refreshing.then(
      (value) => {
        if (held.peek(key) !== entry) return;
        if (value === undefined) held.delete(key);
        else hold(key, Promise.resolve(value), now);
      },
      () => {
        // The next one who asks tries again.
        entry.refreshing = undefined;
        entry.isFailing = true;
      },
    );
    return refreshing;
  }

  /** The successor of an old value, or the old value where its source fails or is slow. */
  async function newerOf(entry: Held<Value>, refreshing: Promise<Value | undefined>, patienceMs: number) {
    if (entry.isFailing) return entry.value;
    const patience = Promise.withResolvers<Value | undefined>();
    const timer = setTimeout(() => {
      entry.isFailing = true;
      patience.resolve(entry.value);
    }, patienceMs);
    return Promise.race([refreshing.catch(() => entry.value), patience.promise]).finally(() => clearTimeout(timer));
  }

  return {
    get(key, load) {
      const now = clock.now().getTime();
      const entry = held.get(key);
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
      if (staleAfterMs !== undefined) return newerOf(entry, refresh(key, entry, load, now), staleAfterMs);
      const value = load();
      hold(key, value, now);
      return value;
    },
    forget: (key) => void held.delete(key),
    forgetWhere(condition) {
      for (const [key, entry] of [...held.entries()]) {
        entry.value.then(
          (value) => value !== undefined && condition(value) && held.peek(key) === entry && held.delete(key),
          () => {},
        );
      }
    },
  };
}
