import { describe, expect, it } from 'vitest';
import { BoundedCache, cacheFigures } from './bounded-cache.ts';

interface Thing {
  owner: string;
  bytes: number;
}

const open = (maxBytes: number) =>
  new BoundedCache<Thing>('site_manifests', {
    maxBytes,
    sizeOf: ({ bytes }) => bytes,
    ownerOf: ({ owner }) => owner,
  });
const thing = (owner: string, bytes = 10_000): Thing => ({ owner, bytes });
const keysOf = (cache: BoundedCache<Thing>) => cache.entries().map(([key]) => key);

describe('a cache of bytes', () => {
  it('stays within its bytes, and evicts the least recently used first', () => {
    const cache = open(55_000);
    for (let at = 0; at < 5; at++) cache.set(`${at}`, thing(`owner ${at}`));
    cache.get('0');
    for (let at = 5; at < 9; at++) cache.set(`${at}`, thing(`owner ${at}`));
    expect(keysOf(cache)).toEqual(['8', '7', '6', '5', '0']);
    expect(cache.figures.bytes).toBeLessThanOrEqual(55_000);
  });

  it('lets one owner use all of it, until others need it', () => {
    const cache = open(105_000);
    for (let at = 0; at < 40; at++) cache.set(`large ${at}`, thing('large'));
    expect(cache.figures.entries).toBe(10);
    for (let at = 0; at < 4; at++) cache.set(`small ${at}`, thing('small'));
    for (let at = 40; at < 400; at++) cache.set(`large ${at}`, thing('large'));
    expect(keysOf(cache).filter((key) => key.startsWith('small'))).toHaveLength(4);
    expect(cache.figures.bytes).toBeLessThanOrEqual(105_000);
  });

  it('keeps an entry that is larger than the cache while it is the newest, and the entries of others with it', () => {
    const cache = open(50_000);
    cache.set('small', thing('small'));
    cache.set('huge', thing('large', 500_000));
    expect(keysOf(cache)).toEqual(['huge', 'small']);
    cache.set('other', thing('large', 500_000));
    expect(keysOf(cache)).toEqual(['other', 'small']);
  });

  it('counts an entry once however often it is replaced or deleted', () => {
    const cache = open(25_000);
    for (let at = 0; at < 50; at++) cache.set('same', thing(at % 2 === 0 ? 'even' : 'odd'));
    expect(cache.figures).toMatchObject({ entries: 1 });
    cache.set('other', thing('even'));
    expect(cache.figures.entries).toBe(2);
    for (const key of ['same', 'other', 'other']) cache.delete(key);
    expect(cache.figures).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('makes an entry once for concurrent callers, not at all after an error, and not if it was deleted meanwhile', async () => {
    const cache = open(50_000);
    let made = 0;
    const make = async () => {
      made++;
      return thing('owner');
    };
    await Promise.all([1, 2, 3].map(() => cache.load('a', make)));
    expect(made).toBe(1);
    await expect(cache.load('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.load('b', make)).toEqual(thing('owner'));
    const loading = cache.load('c', make);
    cache.delete('c');
    await loading;
    expect(cache.peek('c')).toBeUndefined();
  });

  it('is counted with all caches of its name', () => {
    const before = cacheFigures().get('site_manifests');
    const cache = open(50_000);
    cache.set('a', thing('owner'));
    cache.get('a');
    cache.get('b');
    const after = cacheFigures().get('site_manifests');
    expect(after?.hits).toBe((before?.hits ?? 0) + 1);
    expect(after?.misses).toBe((before?.misses ?? 0) + 1);
    expect(after?.bytes).toBe((before?.bytes ?? 0) + cache.figures.bytes);
  });
});
