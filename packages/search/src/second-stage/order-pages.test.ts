import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { generateSite, queriesFor } from '../../../../test/support/generated-site.ts';
import { buildSearchIndex } from '../load/build-search-index.ts';
import { loadSearchIndex } from '../load/load-search-index.ts';
import { groupByPage } from '../search-index.ts';
import { MAX_CANDIDATES } from './order-pages.ts';

const documents = generateSite(120);
const bytes = buildSearchIndex(documents);
// A slow search returns its partial results, so on a busy machine it would find less.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const index = loadSearchIndex(bytes);
const firstStage = loadSearchIndex(bytes, { firstStageOnly: true });
const queries = queriesFor(documents, 60);

test('the second stage keeps the sections and the best score of the first stage and sorts scores', () => {
  for (const query of queries) {
    const [hits, before] = [index, firstStage].map((one) => one.search(query, { limit: 500 })) as [
      ReturnType<typeof index.search>,
      ReturnType<typeof index.search>,
    ];
    const names = (list: typeof hits) =>
      list.map(({ document }) => `${document.path}#${document.anchor}`).sort();
    expect(names(hits), query).toEqual(names(before));
    expect(hits[0]?.score ?? 0).toBeCloseTo(before[0]?.score ?? 0, 6);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  }
});

test('the shares of the first pages are in descending order and sum to one', () => {
  for (const query of queries) {
    const hits = index.search(query, { limit: 500 });
    if (hits.length === 0 || hits[0]?.isNamed) continue;
    const pages = groupByPage(hits).slice(0, MAX_CANDIDATES);
    const shares = pages.map(({ sections }) => sections[0]?.share ?? 0);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    const sum = shares.reduce((total, share) => total + share, 0);
    expect(sum).toBeCloseTo(1, 6);
  }
});

test('a smaller limit returns the beginning of the same hits', () => {
  for (const query of queries) {
    const all = index
      .search(query, { limit: 100 })
      .map(({ document }) => document.anchor + document.path);
    const few = index
      .search(query, { limit: 5 })
      .map(({ document }) => document.anchor + document.path);
    expect(few, query).toEqual(all.slice(0, 5));
  }
});
