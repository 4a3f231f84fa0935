import { expect, it } from 'vitest';
import { pageAddress } from './page-data.ts';

it('the address of a page on a server is clean and below its base path', () => {
  expect(pageAddress({ root: '/docs/', links: 'clean' }, '/guides/start#install')).toBe(
    '/docs/guides/start#install',
  );
  expect(pageAddress({ root: '/', links: 'clean' }, '/')).toBe('/');
});

it('the address of a page in a bundle is a relative file', () => {
  expect(pageAddress({ root: '../', links: 'html' }, '/guides/start#install')).toBe(
    '../guides/start.html#install',
  );
  expect(pageAddress({ root: './', links: 'html' }, '/')).toBe('./index.html');
});
