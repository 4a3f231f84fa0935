import { expect, test } from 'vitest';
import { bundleAddresses, hostedAddresses, pageFile } from './site-addresses.ts';

const file = { sha256: 'abcdef0123456789', sizeBytes: 1, type: 'image/png' };

test('hosted links stay under the base path, and files carry the start of their hash', () => {
  const resolve = hostedAddresses('/sites/acme', { files: { 'images/a b.png': file } }).resolverFor('/x');
  expect(resolve('page', '/guides/start#top')).toBe('/sites/acme/guides/start#top');
  expect(resolve('asset', '/images/a b.png')).toBe('/sites/acme/images/a%20b.png?v=abcdef01');
  expect(resolve('asset', '/images/none.png')).toBe('/sites/acme/images/none.png');
  expect(resolve('page', 'https://example.com')).toBe('https://example.com');
});

test('bundle links are relative to the page and end in .html', () => {
  const addresses = bundleAddresses((href) => href !== '/left/out', 'https://live.example');
  const deep = addresses.resolverFor('/a/b/page');
  expect(deep('page', '/guides/start?x=1#top')).toBe('../../guides/start.html?x=1#top');
  expect(deep('page', '/')).toBe('../../index.html');
  expect(deep('asset', '/images/a.png')).toBe('../../images/a.png');
  const top = addresses.resolverFor('/page');
  expect(top('page', '/guides/start')).toBe('./guides/start.html');
});

test('a link to a page that a bundle leaves out leads to the live site', () => {
  const addresses = bundleAddresses((href) => href !== '/left/out', 'https://live.example');
  expect(addresses.resolverFor('/x')('page', '/left/out#a')).toBe('https://live.example/left/out#a');
});

test('pages of one depth share one resolver, so that what is made with it can be shared too', () => {
  const addresses = bundleAddresses(() => true, '');
  expect(addresses.resolverFor('/a/x')).toBe(addresses.resolverFor('/b/y'));
});

test('the page at the root is index.html', () => {
  expect(pageFile('/')).toBe('index.html');
  expect(pageFile('/guides/start')).toBe('guides/start.html');
});
