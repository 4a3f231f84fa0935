import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { countWith } from './limit-state.ts';

/** A timer holds no longer time; past it a window would end at once. */
const maxWindowSeconds = 2_147_483;

/**
 * Counts in this process alone: exact for one process, and forgotten on a restart, after which each window begins anew.
 * A window begins with the first call of its key.
 */
export function createMemoryRateLimiter(): RateLimiter {
  return { ...countWith(createCounter), close: async () => {} };
}

function createCounter({ points, windowSeconds }: RateLimit): RateLimiterMemory {
  if (!(windowSeconds > 0 && windowSeconds <= maxWindowSeconds)) {
    throw new RangeError(`A window lasts from 1 to ${maxWindowSeconds} seconds, not ${windowSeconds}.`);
  }
  return new RateLimiterMemory({ points, duration: windowSeconds });
}
