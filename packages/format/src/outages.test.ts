import { expect, test } from 'vitest';
import { DocentError } from './errors.ts';
import { isOutage, outageOf } from './outages.ts';

const coded = (code: string) => Object.assign(new Error('It failed.'), { code });

test.each([
  [coded('57P01'), 'database'],
  [coded('53100'), 'database'],
  [new Error('Connection terminated unexpectedly'), 'database'],
  [new Error('Query read timeout'), 'database'],
  [coded('ENOSPC'), 'disk'],
  [coded('EDQUOT'), 'disk'],
  [coded('ECONNREFUSED'), 'service'],
  [new DocentError('dependency_unavailable', 'Away.', { dependency: 'fileStore' }), 'fileStore'],
  [new DocentError('dependency_unavailable', 'Away.'), 'service'],
])('an outage names what is unavailable: %s', (error, dependency) => {
  expect(outageOf(error)).toBe(dependency);
});

test.each([
  new Error('A bug.'),
  coded('23505'),
  coded('ENOENT'),
  new DocentError('build_failed', 'The source is wrong.'),
  new DocentError('quota_exceeded', 'Too much.'),
  undefined,
])('a fault of the work itself is no outage: %s', (error) => {
  expect(isOutage(error)).toBe(false);
});
