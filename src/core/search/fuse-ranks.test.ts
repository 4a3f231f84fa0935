import { describe, expect, it } from 'vitest';
import { addSimilar } from './fuse-ranks.ts';
import type { FoundScope, ScoredSection } from './search-index.ts';

/** Four pages of two sections each. */
const scope = (more: Partial<FoundScope> = {}): FoundScope => ({
  pageOfSection: Uint32Array.of(0, 0, 1, 1, 2, 2, 3, 3),
  isIncluded: () => true,
  pageFactor: () => 1,
  limit: 8,
  ...more,
});
const words = (...hits: [section: number, score: number][]): ScoredSection[] =>
  hits.map(([section, score]) => ({ section, score }));
const near = (similarities: Record<number, number>) => {
  return addSimilar(Float32Array.from({ length: 8 }, (_, section) => similarities[section] ?? -1));
};
const order = (hits: readonly ScoredSection[]) => hits.map(({ section }) => section);

describe('joining what has the words with what is near in meaning', () => {
  it('puts first what both find, before what only one has in the first place', () => {
    const hits = near({ 4: 0.9, 2: 0.8 })(words([0, 0.7], [2, 0.6]), scope());
    expect(order(hits)).toEqual([2, 0, 4]);
  });

  it('lets no page be pushed down by the many sections of another', () => {
    const many = near({ 6: 0.9 })(words([0, 0.7], [1, 0.69], [2, 0.68], [3, 0.67], [4, 0.66]), scope());
    const few = near({ 6: 0.9 })(words([0, 0.7], [2, 0.68], [4, 0.66]), scope());
    expect(order(many).filter((section) => section % 2 === 0)).toEqual(order(few));
  });

  it('finds by meaning only where pages may be found, and nothing that has no vector', () => {
    const hits = near({ 0: 0.9, 2: 0.8, 4: 0.7 })([], scope({ isIncluded: (page) => page !== 1 }));
    expect(order(hits)).toEqual([0, 4]);
  });

  it('weighs what is found by meaning as the page is weighed; a page without weight is not found', () => {
    const weights = [0, 1, 1.4, 1];
    const hits = near({ 0: 0.9, 2: 0.8, 4: 0.79 })([], scope({ pageFactor: (page) => weights[page] as number }));
    expect(order(hits)).toEqual([4, 2]);
  });

  it('scores the best hit as the better of both measures, and the others below it, within 0–1', () => {
    expect(near({ 4: 0.3 })(words([0, 0.7]), scope())[0]?.score).toBeCloseTo(0.7);
    expect(near({ 4: 0.9 })(words([0, 0.2]), scope())[0]?.score).toBeCloseTo(0.9);
    expect(near({ 4: 1.5 })([], scope())[0]?.score).toBe(1);
    const scores = near({ 4: 0.3, 6: 0.2 })(words([0, 0.7], [2, 0.1]), scope()).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('gives no more than requested, and nothing where nothing fits', () => {
    expect(near({ 0: 0.9, 2: 0.8, 4: 0.7 })([], scope({ limit: 2 }))).toHaveLength(2);
    expect(near({})([], scope())).toEqual([]);
  });
});
