import { expect, test } from 'vitest';
import { groupByPage } from '../group-by-page.ts';
import { buildSearchIndex } from '../index/build-search-index.ts';
import { loadSearchIndex } from '../index/load-search-index.ts';
import { generateSite, queriesFor } from '../shards/generated-site.fixture.ts';
import { meaningColumns } from './meaning-columns.ts';
import { meaningWeights } from './meaning-weights.ts';

const documents = generateSite(120);
const index = loadSearchIndex(buildSearchIndex(documents));
const queries = queriesFor(documents, 30);
const paths = [...new Set(documents.map(({ path }) => path))];

const orderOf = (query: string, nearness?: Float32Array) => {
  const pageMeaning = nearness && { nearness, weights: meaningWeights };
  return groupByPage(index.search(query, { limit: 500, ...(pageMeaning && { pageMeaning }) })).map(({ path }) => path);
};

test('the columns are how near a page is, and how many of the pages that may be found are nearer', () => {
  const nearness = Float32Array.of(0.5, 0.75, 0.25, 1);
  expect(meaningColumns(0, { nearness, isIncluded: () => true })).toEqual([0.5, Math.log(3)]);
  expect(meaningColumns(0, { nearness, isIncluded: (page) => page !== 3 })).toEqual([0.5, Math.log(2)]);
});

test('a page that is near in meaning never comes further down for it, and some page comes further up', () => {
  let risen = 0;
  for (const query of queries) {
    const even = orderOf(query, new Float32Array(paths.length));
    const favorite = even[3];
    if (favorite === undefined) continue;
    const nearness = Float32Array.from(paths, (path) => (path === favorite ? 0.9 : 0));
    const place = orderOf(query, nearness).indexOf(favorite);
    expect(place, query).toBeLessThanOrEqual(3);
    if (place < 3) risen++;
  }
  expect(risen).toBeGreaterThan(5);
});

test('the nearness of pages of another index is passed over', () => {
  for (const query of queries) expect(orderOf(query, new Float32Array(3))).toEqual(orderOf(query));
});
