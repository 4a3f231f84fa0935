import { expect, test } from 'vitest';
import { NearPaths } from './near-path.ts';

test('a mistyped path means a similar name in its folder, or the same name in another one', () => {
  const near = new NearPaths(() => [
    '/install',
    '/guides/setup',
    '/guides/index',
    '/api/index',
    '/images/logo.png',
  ]);
  expect(near.find('/instal')).toBe('/install');
  expect(near.find('/isntall')).toBe('/install');
  expect(near.find('/guides/setpu')).toBe('/guides/setup');
  expect(near.find('/setup')).toBe('/guides/setup');
  expect(near.find('/guide/index')).toBe('/guides/index');
  expect(near.find('/images/logo.svg')).toBe('/images/logo.png');
  expect(near.find('/pricing')).toBeUndefined();
  expect(near.find('/')).toBeUndefined();
});
