import { expect, it } from 'vitest';
import { bestFirst } from './best-first.ts';

it('bestFirst picks the same items in the same order as a full sort', () => {
  const scores = Float32Array.from({ length: 500 }, (_, item) => ((item * 7919) % 97) / 97);
  const items = Array.from(scores.keys());
  const sorted = [...items].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  for (const count of [1, 2, 50, 499, 500, 600])
    expect(bestFirst(items, scores, count)).toEqual(sorted.slice(0, count));
});

it('bestFirst returns nothing for no items or a count of zero', () => {
  expect(bestFirst([], new Float32Array(), 5)).toEqual([]);
  expect(bestFirst([0, 1], new Float32Array(2), 0)).toEqual([]);
});

it('bestFirst returns the same result for any order of the items', () => {
  const scores = Float32Array.from({ length: 200 }, (_, item) => ((item * 31) % 17) / 17);
  const items = Array.from(scores.keys());
  const expected = bestFirst(items, scores, 20);
  expect(bestFirst([...items].reverse(), scores, 20)).toEqual(expected);
  expect(bestFirst([...items.slice(90), ...items.slice(0, 90)], scores, 20)).toEqual(expected);
});
