import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit, RateLimiter, RateLimitState } from '../../ports/rate-limiter.ts';

/** Shared by every store of counts: one counter per limit, created on first use. */
export function countWith(
  create: (limit: RateLimit) => RateLimiterAbstract,
): Pick<RateLimiter, 'consume' | 'peek' | 'clear'> {
  const counters = new Map<string, RateLimiterAbstract>();
  const counterOf = (limit: RateLimit) => {
    const id = `${limit.name} ${limit.points} ${limit.windowSeconds}`;
    const counter = counters.get(id) ?? create(limit);
    counters.set(id, counter);
    return counter;
  };
  return {
    consume: async (limit, key) => {
      try {
        return stateOf(limit, true, await counterOf(limit).consume(key));
      } catch (result) {
        if (result instanceof RateLimiterRes) return stateOf(limit, false, result);
        throw result;
      }
    },
    peek: async (limit, key) => {
      const result = await counterOf(limit).get(key);
      if (!result) return { allowed: true, limit, remaining: limit.points, resetSeconds: 0 };
      return stateOf(limit, result.remainingPoints > 0, result);
    },
    clear: async (limit, key) => {
      await counterOf(limit).delete(key);
    },
  };
}

/**
 * Hashes a key to a fixed length, for any input, so that stored keys do not identify the caller.
 */
export function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function stateOf(limit: RateLimit, allowed: boolean, result: RateLimiterRes): RateLimitState {
  return {
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(0, Math.ceil(result.msBeforeNext / 1000)),
  };
}
