import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readAhead } from './read-ahead.ts';

const limits = { maxItems: 4, maxBytes: 100 };

/** Reads numbers with the given delays, and counts concurrent reads. */
function reader(delayMs: (item: number) => number) {
  const seen = { now: 0, most: 0, begun: 0 };
  const read = async (item: number) => {
    seen.begun++;
    seen.now++;
    seen.most = Math.max(seen.most, seen.now);
    await wait(delayMs(item));
    seen.now--;
    return Uint8Array.of(item);
  };
  return { seen, read };
}

async function all(
  items: number[],
  sizeOf: (item: number) => number,
  read: (item: number) => Promise<Uint8Array>,
) {
  const found: number[] = [];
  for await (const { item, bytes } of readAhead(items, sizeOf, read, limits)) {
    expect([...bytes]).toEqual([item]);
    found.push(item);
  }
  return found;
}

test('items are returned in order, with a limited number of concurrent reads', async () => {
  const items = Array.from({ length: 20 }, (_, i) => i);
  const { seen, read } = reader((item) => (item % 3) * 4);
  expect(await all(items, () => 1, read)).toEqual(items);
  expect(seen.most).toBe(4);
});

test('the limit in bytes applies, and a larger item is read alone', async () => {
  const { seen, read } = reader(() => 2);
  expect(await all([1, 2, 3, 4, 5], () => 50, read)).toEqual([1, 2, 3, 4, 5]);
  expect(seen.most).toBe(2);
  const large = reader(() => 2);
  expect(await all([1, 2, 3], () => 500, large.read)).toEqual([1, 2, 3]);
  expect(large.seen.most).toBe(1);
});

test('a failed read is reported in order, and later failures are ignored when the reader stops', async () => {
  const { seen, read } = reader(() => 0);
  const failing = async (item: number) =>
    item === 3 ? Promise.reject(new Error('the store is away')) : read(item);
  const found: number[] = [];
  const reading = async () => {
    for await (const { item } of readAhead([1, 2, 3, 4], () => 1, failing, limits))
      found.push(item);
  };
  await expect(reading()).rejects.toThrow('the store is away');
  expect(found).toEqual([1, 2]);
  for await (const { item } of readAhead([1, 3, 3, 3], () => 1, failing, limits))
    if (item === 1) break;
  await wait(5);
  expect(seen.now).toBe(0);
});
