import { expect, it } from 'vitest';
import { isEndpointAddress } from './export-options.ts';

it.each([
  'https://docs.example.com',
  'http://localhost:3000/discovery',
  '/_docent/assistant',
  'https://x.example/a?key=1',
])('the endpoint address %j is valid', (text) => {
  expect(isEndpointAddress(text)).toBe(true);
});

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
