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
  /** So long a value is believed without a question. */
  freshMs: number;
  /** So long it is still given while it is asked for again. */
  usableMs: number;
  /** The oldest go first. */
  most: number;
}

interface Held<Value> {
  value: Promise<Value | undefined>;
  readAt: number;
  isRefreshing: boolean;
}

export function createFreshCache<Value>({ clock, freshMs, usableMs, most }: FreshCacheOptions): FreshCache<Value> {
  const held = new Map<string, Held<Value>>();

  function hold(key: string, value: Promise<Value | undefined>, readAt: number): void {
    const entry = { value, readAt, isRefreshing: false };
    held.delete(key);
    held.set(key, entry);
    const drop = () => held.get(key) === entry && held.delete(key);
    value.then((found) => found ?? drop(), drop);
    const [oldest] = held.keys();
    if (held.size > most && oldest !== undefined) held.delete(oldest);
  }

  /** What was forgotten meanwhile stays so: the answer may be from before. */
  function refresh(key: string, entry: Held<Value>, load: () => Promise<Value | undefined>, now: number): void {
    entry.isRefreshing = true;
    load().then(
      (value) => held.get(key) === entry && hold(key, Promise.resolve(value), now),
      () => {
        // The next one who asks tries again, until the value is too old to be given.
        entry.isRefreshing = false;
      },
    );
  }

  return {
    get(key, load) {
      const now = clock.now().getTime();
      const entry = held.get(key);
      const age = entry ? now - entry.readAt : Number.POSITIVE_INFINITY;
      if (entry && age < usableMs) {
        if (age >= freshMs && !entry.isRefreshing) refresh(key, entry, load, now);
        return entry.value;
      }
      const value = load();
      hold(key, value, now);
      return value;
    },
    forget: (key) => void held.delete(key),
    forgetWhere(condition) {
      for (const [key, entry] of held) {
        entry.value.then(
          (value) => value !== undefined && condition(value) && held.get(key) === entry && held.delete(key),
          () => {},
        );
      }
    },
  };
}
