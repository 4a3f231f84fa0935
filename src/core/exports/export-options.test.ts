import { expect, it } from 'vitest';
import { isBasePath, isEndpointAddress } from './export-options.ts';

it.each(['', '/docs', '/a/b', '/docs-2/v1.0'])('the base path %j is valid', (text) => {
  expect(isBasePath(text)).toBe(true);
});

it.each(['/', 'docs', '/docs/', '//docs', '/a/../b', '/.', '/a b', '/a%2f', '/a?b', '/<script>', `/${'a'.repeat(300)}`])(
  'the base path %j is invalid',
  (text) => {
    expect(isBasePath(text)).toBe(false);
  },
);

it.each(['https://docs.example.com', 'http://localhost:3000/discovery', '/_docent/assistant', 'https://x.example/a?key=1'])(
  'the endpoint address %j is valid',
  (text) => {
    expect(isEndpointAddress(text)).toBe(true);
  },
);

it.each([
  '',
  'docs.example.com',
  'ftp://x.example',
  'javascript:alert(1)',
  'https://user:secret@x.example',
  '//x.example',
  'https://x.example/#a',
  'https://x.example/"><script>',
  'https://x.example/ b',
  '/\\x.example',
])('the endpoint address %j is invalid', (text) => {
  expect(isEndpointAddress(text)).toBe(false);
});
