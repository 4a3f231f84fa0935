import { expect, it } from 'vitest';
import { pageAddress } from './page-data.ts';

it('writes clean addresses under the base path of a server', () => {
  expect(pageAddress({ root: '/docs/', links: 'clean' }, '/guides/start#install')).toBe('/docs/guides/start#install');
  expect(pageAddress({ root: '/', links: 'clean' }, '/')).toBe('/');
});

it('writes relative files in a bundle', () => {
  expect(pageAddress({ root: '../', links: 'html' }, '/guides/start#install')).toBe('../guides/start.html#install');
  expect(pageAddress({ root: './', links: 'html' }, '/')).toBe('./index.html');
});
