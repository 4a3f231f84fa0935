import { expect, test } from 'vitest';
import { folders } from './search-empty.ts';

test('the trail of a page consists of its folders as words', () => {
  expect(folders('/api-reference/user_keys/2026-04/get')).toEqual([
    'api reference',
    'user keys',
    '2026-04',
  ]);
  expect(folders('/start')).toEqual([]);
  expect(folders('/')).toEqual([]);
  expect(folders('/%E0%A4%A/x')).toEqual(['%E0%A4%A']);
});
