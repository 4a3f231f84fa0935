import { expect, test } from 'vitest';
import { fakeClock } from '../../../../test/support/fakes.ts';
import { createFreshCache } from './fresh-cache.ts';

function open() {
  const clock = fakeClock();
  const cache = createFreshCache<string>({
    clock,
    freshMs: 1000,
    usableMs: 3000,
    name: 'keys',
    maxBytes: 600,
  });
  const requests: PromiseWithResolvers<string | undefined>[] = [];
  const load = () => {
    const request = Promise.withResolvers<string | undefined>();
    requests.push(request);
    return request.promise;
  };
  return { clock, cache, requests, load };
}

test('a fresh value is not requested again, and an aging one is returned immediately while it is refreshed', async () => {
  const { clock, cache, requests, load } = open();
  const first = cache.get('a', load);
  requests[0]?.resolve('old');
  expect(await first).toBe('old');
  clock.advance(0.9);
  await cache.get('a', load);
  expect(requests).toHaveLength(1);
  clock.advance(1);
  expect([await cache.get('a', load), await cache.get('a', load)]).toEqual(['old', 'old']);
  expect(requests).toHaveLength(2);
  requests[1]?.resolve('new');
  await expect.poll(() => cache.get('a', load)).toBe('new');
});

test('an expired value is awaited, and an error is not cached', async () => {
  const { clock, cache, requests, load } = open();
  requests.length = 0;
  const first = cache.get('a', load);
  requests[0]?.resolve('old');
  await first;
  clock.advance(4);
  const second = cache.get('a', load);
  requests[1]?.reject(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const third = cache.get('a', load);
  requests[2]?.resolve('back');
  expect(await third).toBe('back');
});

test('a value that is invalidated during its refresh is not restored by that refresh', async () => {
  const { clock, cache, requests, load } = open();
  const first = cache.get('a', load);
  requests[0]?.resolve('revoked key');
  await first;
  clock.advance(2);
  await cache.get('a', load);
  cache.invalidateWhere((value) => value === 'revoked key');
  await Promise.resolve();
  requests[1]?.resolve('revoked key');
  await new Promise((resolve) => setImmediate(resolve));
  const next = cache.get('a', load);
  requests[2]?.resolve(undefined);
  expect(await next).toBeUndefined();
  expect(requests).toHaveLength(3);
});

test('the cache keeps at most its maximum of bytes, as the size of its values says', async () => {
  const { cache, requests, load } = open();
  for (const key of ['a', 'b', 'c', 'a']) {
    const value = cache.get(key, load);
    requests.at(-1)?.resolve(key);
    await value;
  }
  expect(requests).toHaveLength(4);
});

test('a value that is larger than others takes the place of several', async () => {
  const { cache, requests, load } = open();
  for (const [key, value] of [
    ['a', 'a'],
    ['b', 'b'],
    ['c', 'c'.repeat(200)],
    ['b', 'b'],
  ] as const) {
    const loading = cache.get(key, load);
    requests.at(-1)?.resolve(value);
    await loading;
  }
  expect(requests).toHaveLength(4);
});

function openStale() {
  const clock = fakeClock();
  return {
    clock,
    cache: createFreshCache<string>({
      clock,
      freshMs: 1000,
      usableMs: 3000,
      staleAfterMs: 20,
      name: 'keys',
      maxBytes: 600,
    }),
  };
}

test('a value that may be stale is returned at any age while its source fails, and replaced once it responds', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  const failing = () => Promise.reject(new Error('away'));
  expect([await cache.get('a', failing), await cache.get('a', failing)]).toEqual(['old', 'old']);
  await cache.get('a', async () => 'new');
  await expect.poll(() => cache.get('a', failing)).toBe('new');
});

test('a value that may be stale is returned when its source hangs, immediately from the second time on', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  const hanging = () => new Promise<string>(() => {});
  expect(await cache.get('a', hanging)).toBe('old');
  expect(
    await Promise.race([
      cache.get('a', hanging),
      new Promise((resolve) => setImmediate(resolve, 'late')),
    ]),
  ).toBe('old');
});

test('a value that may be stale is not returned if its source responds in time, even with undefined', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  expect(await cache.get('a', async () => 'new')).toBe('new');
  clock.advance(3600);
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
});

test('an outdated value that may be stale is refreshed first, and returned if its source fails', async () => {
  const { cache } = openStale();
  await cache.get('a', async () => 'old');
  await cache.get('b', async () => 'other');
  const outdate = async () => {
    cache.outdateWhere((value) => value === 'old');
    await new Promise((resolve) => setImmediate(resolve));
  };
  await outdate();
  const failing = () => Promise.reject(new Error('away'));
  expect(await cache.get('b', failing)).toBe('other');
  expect(await cache.get('a', failing)).toBe('old');
  await outdate();
  expect(await cache.get('a', async () => 'new')).toBe('new');
});
