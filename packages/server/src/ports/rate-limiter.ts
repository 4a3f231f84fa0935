/** A limit: a number of points per window. */
export interface RateLimit {
  /** Word for keys and for the `RateLimit-Policy` field, for example `assistant-organization`. */
  name: string;
  points: number;
  windowSeconds: number;
}

export interface RateLimitState {
  allowed: boolean;
  limit: RateLimit;
  /** Points left in this window; never below 0. */
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
}

/** Counts exactly, even with concurrent calls: allows exactly the first `points` of a window. */
export interface RateLimiter {
  /** @throws if it cannot count; a call that was not counted must not be allowed */
  consume(limit: RateLimit, key: string): Promise<RateLimitState>;
  /**
   * Returns the state without counting: whether the next call is allowed. Before the first call,
   * `resetSeconds` is 0.
   */
  peek(limit: RateLimit, key: string): Promise<RateLimitState>;
  /** Forgets what was counted: the next call begins a window. */
  clear(limit: RateLimit, key: string): Promise<void>;
  /** Returns whether its server answers; absent if it needs no server of its own. */
  ping?(): Promise<boolean>;
  /**
   * Returns name and version of its server, `Valkey 8.0.1`; absent if it needs no server of its
   * own.
   */
  version?(): Promise<string>;
  close(): Promise<void>;
}
