import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * What every rate limiter guarantees.
 * @param openTwo opens two that share their counts, as two processes do; absent if the counts stay
 *   in the process
 */
export function rateLimiterContract(
  name: string,
  open: () => Promise<RateLimiter>,
  openTwo?: () => Promise<[RateLimiter, RateLimiter]>,
): void {
  describe(`rate limiter: ${name}`, () => {
    let limiter: RateLimiter;
    let keys = 0;
    const newKey = () => {
      keys += 1;
      return `${Date.now()}-${keys}`;
    };
    beforeAll(async () => {
      limiter = await open();
    });
    afterAll(() => limiter.close());

    test('exactly the first N calls of a window are allowed, under 200 concurrent calls', async () => {
      const limit = { name: 'many', points: 50, windowSeconds: 60 };
      const key = newKey();
      const states = await Promise.all(
        Array.from({ length: 200 }, () => limiter.consume(limit, key)),
      );
      expect(states.filter(({ allowed }) => allowed)).toHaveLength(50);
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
    });

    if (openTwo) {
      test('a limit is exact for two processes that count concurrently', async () => {
        const limiters = await openTwo();
        const limit = { name: 'exact', points: 100, windowSeconds: 3600 };
        const key = newKey();
        const calls = limiters.flatMap((one) =>
          Array.from({ length: 90 }, () => one.consume(limit, key)),
        );
        expect((await Promise.all(calls)).filter(({ allowed }) => allowed)).toHaveLength(100);
        for (const one of limiters) await one.close();
      });
    }

    test("the remaining count falls to 0 and stays there, and the window's end is reported in whole seconds", async () => {
      const limit = { name: 'few', points: 2, windowSeconds: 60 };
      const key = newKey();
      const states = [];
      for (let call = 0; call < 4; call += 1) states.push(await limiter.consume(limit, key));
      expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 1],
        [true, 0],
        [false, 0],
        [false, 0],
      ]);
      for (const { resetSeconds, limit: returned } of states) {
        expect(Number.isInteger(resetSeconds) && resetSeconds > 55 && resetSeconds <= 60).toBe(
          true,
        );
        expect(returned).toEqual(limit);
      }
    });

    test('the state can be read without counting', async () => {
      const limit = { name: 'peek', points: 2, windowSeconds: 60 };
      const key = newKey();
      expect(await limiter.peek(limit, key)).toEqual({
        allowed: true,
        limit,
        remaining: 2,
        resetSeconds: 0,
      });
      await limiter.consume(limit, key);
      for (let call = 0; call < 2; call += 1)
        expect(await limiter.peek(limit, key)).toMatchObject({ allowed: true, remaining: 1 });
      await limiter.consume(limit, key);
      const spent = await limiter.peek(limit, key);
      expect(spent).toMatchObject({ allowed: false, remaining: 0 });
      expect(spent.resetSeconds).toBeGreaterThan(55);
    });

    test('a cleared count begins again, and no other one', async () => {
      const limit = { name: 'cleared', points: 1, windowSeconds: 60 };
      const [key, other] = [newKey(), newKey()];
      await limiter.clear(limit, key);
      for (const name of [key, other]) await limiter.consume(limit, name);
      await limiter.clear(limit, key);
      expect((await limiter.consume(limit, key)).allowed).toBe(true);
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
      expect((await limiter.consume(limit, other)).allowed).toBe(false);
    });

    test('neither keys nor limits with different names share a count', async () => {
      const limit = { name: 'single', points: 1, windowSeconds: 60 };
      const [key, other] = [newKey(), newKey()];
      expect((await limiter.consume(limit, key)).allowed).toBe(true);
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
      expect((await limiter.consume(limit, other)).allowed).toBe(true);
      expect((await limiter.consume({ ...limit, name: 'another' }, key)).allowed).toBe(true);
    });

    test('a key may be any text', async () => {
      const limit = { name: 'odd', points: 1, windowSeconds: 60 };
      for (const key of ['__proto__', 'constructor', '', ':', `long ${'x'.repeat(500)}`]) {
        expect((await limiter.consume(limit, key)).allowed, key).toBe(true);
        expect((await limiter.consume(limit, key)).allowed, key).toBe(false);
      }
    });

    test('the count restarts after the window, and rejected calls do not extend it', async () => {
      const limit = { name: 'short', points: 1, windowSeconds: 1 };
      const key = newKey();
      await limiter.consume(limit, key);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect((await limiter.consume(limit, key)).allowed).toBe(true);
    });
  });
}
