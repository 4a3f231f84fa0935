/** A limit: so many points in each window. */
export interface RateLimit {
  /** Word for keys and for the `RateLimit-Policy` field, for example `assistant-organisation`. */
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

/** Counts exactly, also under concurrent calls: the first `points` of a window are allowed, no more. */
export interface RateLimiter {
  /** @throws where it cannot count; a call that was not counted must not be allowed */
  consume(limit: RateLimit, key: string): Promise<RateLimitState>;
  close(): Promise<void>;
}
