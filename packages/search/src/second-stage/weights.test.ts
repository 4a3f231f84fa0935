import { expect, test } from 'vitest';
import { PAGE_COLUMNS } from './page-facts.ts';
import { QUERY_COLUMNS } from './query-columns.ts';
import { pageMeans, secondStageWeights } from './weights.ts';

test('each column has a finite weight', () => {
  const { page, query } = secondStageWeights;
  expect([page.length, pageMeans.length]).toEqual([PAGE_COLUMNS.length, PAGE_COLUMNS.length]);
  expect(query).toHaveLength(QUERY_COLUMNS.length);
  for (const weight of [...page, ...pageMeans, ...query])
    expect(Number.isFinite(weight)).toBe(true);
});
