import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fakes.ts';
import { createFreshCache } from './fresh-cache.ts';

function open() {
  const clock = fakeClock();
  const cache = createFreshCache<string>({ clock, freshMs: 1000, usableMs: 3000, maxEntries: 2 });
  const asked: PromiseWithResolvers<string | undefined>[] = [];
  const load = () => {
    const question = Promise.withResolvers<string | undefined>();
    asked.push(question);
    return question.promise;
  };
  return { clock, cache, asked, load };
}

test('a fresh value is not requested again; one that is a little old is given immediately while it is', async () => {
  const { clock, cache, asked, load } = open();
  const first = cache.get('a', load);
  asked[0]?.resolve('old');
  expect(await first).toBe('old');
  clock.advance(0.9);
  await cache.get('a', load);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect([await cache.get('a', load), await cache.get('a', load)]).toEqual(['old', 'old']);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve('new');
  await expect.poll(() => cache.get('a', load)).toBe('new');
});

test('a value that is too old is waited for, and a fault is not remembered', async () => {
  const { clock, cache, asked, load } = open();
  asked.length = 0;
  const first = cache.get('a', load);
  asked[0]?.resolve('old');
  await first;
  clock.advance(4);
  const second = cache.get('a', load);
  asked[1]?.reject(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const third = cache.get('a', load);
  asked[2]?.resolve('back');
  expect(await third).toBe('back');
});

test('what is forgotten while it is requested again does not come back from before', async () => {
  const { clock, cache, asked, load } = open();
  const first = cache.get('a', load);
  asked[0]?.resolve('revoked key');
  await first;
  clock.advance(2);
  await cache.get('a', load);
  cache.invalidateWhere((value) => value === 'revoked key');
  await Promise.resolve();
  asked[1]?.resolve('revoked key');
  await new Promise((resolve) => setImmediate(resolve));
  const next = cache.get('a', load);
  asked[2]?.resolve(undefined);
  expect(await next).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test('it keeps at most it may', async () => {
  const { cache, asked, load } = open();
  for (const key of ['a', 'b', 'c', 'a']) {
    const value = cache.get(key, load);
    asked.at(-1)?.resolve(key);
    await value;
  }
  expect(asked).toHaveLength(4);
});

function openStale() {
  const clock = fakeClock();
  return { clock, cache: createFreshCache<string>({ clock, freshMs: 1000, usableMs: 3000, staleAfterMs: 20, maxEntries: 2 }) };
}

test('a value that may be stale is given however old it is while its source fails, and replaced once it answers', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  const failing = () => Promise.reject(new Error('away'));
  expect([await cache.get('a', failing), await cache.get('a', failing)]).toEqual(['old', 'old']);
  await cache.get('a', async () => 'new');
  await expect.poll(() => cache.get('a', failing)).toBe('new');
});

test('a value that may be stale is given when its source hangs, immediately from the second time on', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  const hanging = () => new Promise<string>(() => {});
  expect(await cache.get('a', hanging)).toBe('old');
  expect(await Promise.race([cache.get('a', hanging), new Promise((resolve) => setImmediate(resolve, 'late'))])).toBe('old');
});

test('a value that may be stale is not given where its source answers in time, also that there is none any more', async () => {
  const { clock, cache } = openStale();
  await cache.get('a', async () => 'old');
  clock.advance(3600);
  expect(await cache.get('a', async () => 'new')).toBe('new');
  clock.advance(3600);
  expect(await cache.get('a', async () => undefined)).toBeUndefined();
});
