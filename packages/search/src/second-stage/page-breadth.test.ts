import { expect, test } from 'vitest';
import { plainText } from '../index/stored-document.ts';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { IndexData } from '../load/index-data.ts';
import { cutIndex } from '../shards/cut-index.ts';
import { ShardedData } from '../shards/sharded-index.ts';

const texts = {
  refunds: 'Refunds return money. Refunds take days.',
  repeated: 'Refunds return money. Refunds take days. '.repeat(20),
  orders:
    'Orders have items, prices, taxes, discounts, addresses, carriers, labels and refunds. '.repeat(
      4,
    ),
};
const data = new IndexData(
  buildSearchIndex(
    Object.entries(texts).map(([path, markdown]) => ({
      ...{ path, href: `/${path}`, pageTitle: path, description: '', keywords: [], anchor: '' },
      ...{ headings: [], markdown, ...plainText(markdown), boost: 1 },
    })),
  ),
);
const [refunds = 0, repeated = 0, orders = 0] = data.pageBreadth;

test('a page about many things is broader than one that says more about a few', () => {
  expect(orders).toBeGreaterThan(repeated);
  expect(repeated).toBeGreaterThan(refunds);
});

test('the shards of an index have the breadths of the whole, those of an earlier version about the same', () => {
  const { head } = cutIndex(data);
  expect(new ShardedData(head).pageBreadth).toEqual(data.pageBreadth);
  const { breadthOfPage: _, ...earlier } = head;
  const guesses = new ShardedData(earlier).pageBreadth;
  expect([...guesses].every((guess) => guess > 0 && guess < 20)).toBe(true);
});
