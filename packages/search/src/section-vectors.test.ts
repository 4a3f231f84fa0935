import { describe, expect, it } from 'vitest';
import type { FoundScope, ScoredSection } from './search-index.ts';
import { addSimilar } from './section-vectors.ts';

/** Four pages with two sections each. */
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

describe('the fusion of word matches and semantic matches', () => {
  it('ranks pages found by both above pages found by one', () => {
    const hits = near({ 4: 0.9, 2: 0.8 })(words([0, 0.7], [2, 0.6]), scope());
    expect(order(hits)).toEqual([2, 0, 4]);
  });

  it('ranks each page by its best section, so that many sections of one page push no other page down', () => {
    const many = near({ 6: 0.9 })(
      words([0, 0.7], [1, 0.69], [2, 0.68], [3, 0.67], [4, 0.66]),
      scope(),
    );
    const few = near({ 6: 0.9 })(words([0, 0.7], [2, 0.68], [4, 0.66]), scope());
    expect(order(many).filter((section) => section % 2 === 0)).toEqual(order(few));
  });

  it('finds semantic matches only among included pages and sections with a vector', () => {
    const hits = near({ 0: 0.9, 2: 0.8, 4: 0.7 })([], scope({ isIncluded: (page) => page !== 1 }));
    expect(order(hits)).toEqual([0, 4]);
  });

  it('applies page weights to semantic matches and excludes pages of weight zero', () => {
    const weights = [0, 1, 1.4, 1];
    const hits = near({ 0: 0.9, 2: 0.8, 4: 0.79 })(
      [],
      scope({ pageFactor: (page) => weights[page] as number }),
    );
    expect(order(hits)).toEqual([4, 2]);
  });

  it('scores the best hit as the better of both scores, with all scores sorted and at most 1', () => {
    expect(near({ 4: 0.3 })(words([0, 0.7]), scope())[0]?.score).toBeCloseTo(0.7);
    expect(near({ 4: 0.9 })(words([0, 0.2]), scope())[0]?.score).toBeCloseTo(0.9);
    expect(near({ 4: 1.5 })([], scope())[0]?.score).toBe(1);
    const scores = near({ 4: 0.3, 6: 0.2 })(words([0, 0.7], [2, 0.1]), scope()).map(
      ({ score }) => score,
    );
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('ignores vectors of another index', () => {
    const hits = words([0, 0.7], [2, 0.6]);
    expect(addSimilar(Float32Array.of(0.1, 0.2, 0.9))(hits, scope())).toEqual(hits);
  });

  it('returns at most the requested number of hits, and none if nothing matches', () => {
    expect(near({ 0: 0.9, 2: 0.8, 4: 0.7 })([], scope({ limit: 2 }))).toHaveLength(2);
    expect(near({})([], scope())).toEqual([]);
  });
});
