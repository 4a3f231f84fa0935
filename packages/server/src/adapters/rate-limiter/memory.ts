import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { countWith } from './limit-state.ts';

/** Maximum delay of a timer; with a longer one, a window would end at once. */
const maxWindowSeconds = 2_147_483;

/**
 * Counts in this process only: exact for one process. A restart resets the counts. A window starts
 * with the first call of its key.
 */
export function createMemoryRateLimiter(): RateLimiter {
  return { ...countWith(createCounter), close: async () => {} };
}

function createCounter({ points, windowSeconds }: RateLimit): RateLimiterMemory {
  if (!(windowSeconds > 0 && windowSeconds <= maxWindowSeconds)) {
    throw new RangeError(
      `A window lasts from 1 to ${maxWindowSeconds} seconds, not ${windowSeconds}.`,
    );
  }
  return new RateLimiterMemory({ points, duration: windowSeconds });
}
