import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RateLimiter } from './rate-limiter.ts';

/** What every rate limiter guarantees. */
export function rateLimiterContract(name: string, open: () => Promise<RateLimiter>): void {
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

    test('the first N of a window are allowed and no more, under 200 concurrent calls', async () => {
      const limit = { name: 'many', points: 50, windowSeconds: 60 };
      const key = newKey();
      const states = await Promise.all(Array.from({ length: 200 }, () => limiter.consume(limit, key)));
      expect(states.filter(({ allowed }) => allowed)).toHaveLength(50);
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
    });

    test('what remains counts down to 0 and stays there, and the end of the window is given in whole seconds', async () => {
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
        expect(Number.isInteger(resetSeconds) && resetSeconds > 55 && resetSeconds <= 60).toBe(true);
        expect(returned).toEqual(limit);
      }
    });

    test('keys do not share a count, nor do limits with different names', async () => {
      const limit = { name: 'single', points: 1, windowSeconds: 60 };
      const [key, other] = [newKey(), newKey()];
      expect((await limiter.consume(limit, key)).allowed).toBe(true);
      expect((await limiter.consume(limit, key)).allowed).toBe(false);
      expect((await limiter.consume(limit, other)).allowed).toBe(true);
      expect((await limiter.consume({ ...limit, name: 'another' }, key)).allowed).toBe(true);
    });

    test('a key may hold anything a caller sends', async () => {
      const limit = { name: 'odd', points: 1, windowSeconds: 60 };
      for (const key of ['__proto__', 'constructor', '', ':', `long ${'x'.repeat(500)}`]) {
        expect((await limiter.consume(limit, key)).allowed, key).toBe(true);
        expect((await limiter.consume(limit, key)).allowed, key).toBe(false);
      }
    });

    test('after the window the count begins anew, and refused calls have not made it longer', async () => {
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
