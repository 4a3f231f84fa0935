import { expect, test } from 'vitest';
import { rankingFingerprint } from '../../../../test/support/ranking-fingerprint.ts';
import { PAGE_COLUMNS } from './page-facts.ts';
import { MEANING_COLUMNS, QUERY_COLUMNS } from './query-columns.ts';
import { fingerprint, meaningWeights, pageMeans, secondStageWeights } from './weights.ts';

test('the weights match the tokens, synonyms, first stage, and columns of this version (else run `npm run train`)', () => {
  expect(fingerprint).toBe(rankingFingerprint());
});

test.each([
  ['without a model', secondStageWeights, QUERY_COLUMNS.length],
  ['with the built-in model', meaningWeights, QUERY_COLUMNS.length + MEANING_COLUMNS.length],
])('%s each column has a finite weight', (_, { page, query }, columns) => {
  expect([page.length, pageMeans.length]).toEqual([PAGE_COLUMNS.length, PAGE_COLUMNS.length]);
  expect(query).toHaveLength(columns);
  for (const weight of [...page, ...pageMeans, ...query]) expect(Number.isFinite(weight)).toBe(true);
});
