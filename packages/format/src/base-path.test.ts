import { expect, it } from 'vitest';
import { isBasePath } from './base-path.ts';

it.each(['', '/docs', '/a/b', '/docs-2/v1.0'])('the base path %j is valid', (text) => {
  expect(isBasePath(text)).toBe(true);
});

it.each([
  '/',
  'docs',
  '/docs/',
  '//docs',
  '/a/../b',
  '/.',
  '/a b',
  '/a%2f',
  '/a?b',
  '/<script>',
  `/${'a'.repeat(300)}`,
])('the base path %j is invalid', (text) => {
  expect(isBasePath(text)).toBe(false);
});
