import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit, RateLimiter, RateLimitState } from '../../ports/rate-limiter.ts';

/** A timer holds no longer time; past it a window would end at once. */
const longestWindowSeconds = 2_147_483;

/**
 * Counts in this process alone: exact for one process, and forgotten on a restart, after which each window begins anew.
 * A window begins with the first call of its key.
 */
export function createMemoryRateLimiter(): RateLimiter {
  const limiters = new Map<string, RateLimiterMemory>();
  return {
    consume: async (limit, key) => {
      const id = `${limit.name} ${limit.points} ${limit.windowSeconds}`;
      const limiter = limiters.get(id) ?? createLimiter(limit);
      limiters.set(id, limiter);
      try {
        return stateOf(limit, true, await limiter.consume(key));
      } catch (result) {
        if (result instanceof RateLimiterRes) return stateOf(limit, false, result);
        throw result;
      }
    },
    close: async () => limiters.clear(),
  };
}

function createLimiter({ points, windowSeconds }: RateLimit): RateLimiterMemory {
  if (!(windowSeconds > 0 && windowSeconds <= longestWindowSeconds)) {
    throw new RangeError(`A window lasts from 1 to ${longestWindowSeconds} seconds, not ${windowSeconds}.`);
  }
  return new RateLimiterMemory({ points, duration: windowSeconds });
}

function stateOf(limit: RateLimit, allowed: boolean, result: RateLimiterRes): RateLimitState {
  return {
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(0, Math.ceil(result.msBeforeNext / 1000)),
  };
}
