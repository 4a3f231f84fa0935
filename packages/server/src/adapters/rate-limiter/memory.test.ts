import { expect, test } from 'vitest';
import { rateLimiterContract } from '../../ports/rate-limiter.contract.ts';
import { createMemoryRateLimiter } from './memory.ts';

rateLimiterContract('memory', async () => createMemoryRateLimiter());

test('a window longer than a timer can hold, or not positive, is rejected', async () => {
  const limiter = createMemoryRateLimiter();
  for (const windowSeconds of [0, -1, 2_147_484, Number.NaN]) {
    await expect(limiter.consume({ name: 'odd', points: 1, windowSeconds }, 'k')).rejects.toThrow(
      RangeError,
    );
  }
  await limiter.close();
});
