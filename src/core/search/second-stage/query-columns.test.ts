import { expect, test } from 'vitest';
import { generateSite, queriesFor } from '../../../../test/support/generated-site.ts';
import { buildSearchIndex } from '../index/build-search-index.ts';
import { loadSearchIndex } from '../index/load-search-index.ts';
import { groupByPage } from '../search-index.ts';
import { meaningColumns } from './query-columns.ts';
import { meaningWeights } from './weights.ts';

const documents = generateSite(120);
const index = loadSearchIndex(buildSearchIndex(documents));
const queries = queriesFor(documents, 30);
const paths = [...new Set(documents.map(({ path }) => path))];

const orderOf = (query: string, nearness?: Float32Array) => {
  const pageMeaning = nearness && { nearness, weights: meaningWeights };
  return groupByPage(index.search(query, { limit: 500, ...(pageMeaning && { pageMeaning }) })).map(({ path }) => path);
};

test('the columns are the nearness of a page and the rank of its nearness among included pages', () => {
  const nearness = Float32Array.of(0.5, 0.75, 0.25, 1);
  expect(meaningColumns(0, { nearness, isIncluded: () => true })).toEqual([0.5, Math.log(3)]);
  expect(meaningColumns(0, { nearness, isIncluded: (page) => page !== 3 })).toEqual([0.5, Math.log(2)]);
});

test('semantic nearness never lowers the rank of a page, and it raises some', () => {
  let risen = 0;
  for (const query of queries) {
    const even = orderOf(query, new Float32Array(paths.length));
    const favorite = even[3];
    if (favorite === undefined) continue;
    const nearness = Float32Array.from(paths, (path) => (path === favorite ? 0.9 : 0));
    const rank = orderOf(query, nearness).indexOf(favorite);
    expect(rank, query).toBeLessThanOrEqual(3);
    if (rank < 3) risen++;
  }
  expect(risen).toBeGreaterThan(5);
});

test('nearness values of another index are ignored', () => {
  for (const query of queries) expect(orderOf(query, new Float32Array(3))).toEqual(orderOf(query));
});
