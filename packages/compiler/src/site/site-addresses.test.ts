import { expect, test } from 'vitest';
import {
  type BundleContents,
  bundleAddresses,
  hostedAddresses,
  pageFile,
  withoutOmitted,
} from './site-addresses.ts';

const contents: BundleContents = {
  hasPage: (href) => ['/', '/guides/start', '/page', '/in', '/new'].includes(href),
  hasFile: (path) => path === 'images/a.png' || path === 'llms.txt',
  redirect: (path) => (path === '/old' ? { destination: '/new#part' } : undefined),
  origin: 'https://live.example',
  omittedLinks: 'live',
};

const file = { sha256: 'abcdef0123456789', sizeBytes: 1, type: 'image/png' };

test('hosted links remain under the base path, and file URLs contain the start of their hash', () => {
  const resolve = hostedAddresses('/sites/acme', { files: { 'images/a b.png': file } }).resolverFor(
    '/x',
  );
  expect(resolve('page', '/guides/start#top')).toBe('/sites/acme/guides/start#top');
  expect(resolve('asset', '/images/a b.png')).toBe('/sites/acme/images/a%20b.png?v=abcdef01');
  expect(resolve('asset', '/images/none.png')).toBe('/sites/acme/images/none.png');
  expect(resolve('page', 'https://example.com')).toBe('https://example.com');
});

test('bundle links are relative to the page and end in .html', () => {
  const addresses = bundleAddresses(contents);
  const deep = addresses.resolverFor('/a/b/page');
  expect(deep('page', '/guides/start?x=1#top')).toBe('../../guides/start.html?x=1#top');
  expect(deep('page', '/')).toBe('../../index.html');
  expect(deep('asset', '/images/a.png')).toBe('../../images/a.png');
  const top = addresses.resolverFor('/page');
  expect(top('page', '/guides/start')).toBe('./guides/start.html');
});

test('a link to a page that a bundle omits points to the live site', () => {
  const addresses = bundleAddresses(contents);
  expect(addresses.resolverFor('/x')('page', '/left/out#a')).toBe(
    'https://live.example/left/out#a',
  );
});

test('a link to a page that a bundle omits can become plain text', () => {
  const resolve = bundleAddresses({ ...contents, omittedLinks: 'text' }).resolverFor('/x');
  const link = (target: string) => `<a class="a" href="${resolve('page', target)}">there</a>`;
  expect(withoutOmitted(link('/left/out#a') + link('/in'))).toBe(
    '<a class="a">there</a><a class="a" href="./in.html">there</a>',
  );
});

test('a link to a missing file becomes an empty data URL', () => {
  expect(bundleAddresses(contents).resolverFor('/x')('asset', '/images/none.png')).toBe('data:,');
});

test('links to redirects and to files remain inside the bundle', () => {
  const resolve = bundleAddresses(contents).resolverFor('/a/b');
  expect(resolve('page', '/old')).toBe('../new.html#part');
  expect(resolve('page', '/old#own')).toBe('../new.html#own');
  expect(resolve('page', '/llms.txt')).toBe('../llms.txt');
});

test('a link to a redirect with a destination on another site points to that destination', () => {
  const redirect = (path: string) =>
    path === '/chat' ? { destination: 'https://chat.example/in?from=docs' } : undefined;
  const resolve = bundleAddresses({ ...contents, redirect, omittedLinks: 'text' }).resolverFor(
    '/a/b',
  );
  expect(resolve('page', '/chat')).toBe('https://chat.example/in?from=docs');
  expect(resolve('page', '/chat#rules')).toBe('https://chat.example/in#rules');
});

test('pages of the same depth share one resolver, so that its results can be shared too', () => {
  const addresses = bundleAddresses(contents);
  expect(addresses.resolverFor('/a/x')).toBe(addresses.resolverFor('/b/y'));
});

test('the page at the root is index.html', () => {
  expect(pageFile('/')).toBe('index.html');
  expect(pageFile('/guides/start')).toBe('guides/start.html');
});
