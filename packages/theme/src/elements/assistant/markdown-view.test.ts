import { describe, expect, it } from 'vitest';
import { addressReader } from './markdown-view.ts';

const read = addressReader('https://docs.acme.test', 'http://localhost:3000/sites/acme/');

describe('a link in an answer', () => {
  it.each([
    [
      'https://docs.acme.test/guides/keys#rotate',
      'http://localhost:3000/sites/acme/guides/keys#rotate',
    ],
    ['/guides/keys', 'http://localhost:3000/sites/acme/guides/keys'],
    ['guides/keys?a=b', 'http://localhost:3000/sites/acme/guides/keys?a=b'],
    ['https://docs.acme.test', 'http://localhost:3000/sites/acme/'],
    [
      'http://localhost:3000/sites/acme/guides/keys',
      'http://localhost:3000/sites/acme/guides/keys',
    ],
  ])('to the site points to its page at the address of the reader: %s', (address, href) => {
    expect(read(address)).toMatchObject({ href, isPage: true });
  });

  it.each([
    ['https://evil.test/x', 'https://evil.test/x'],
    ['//evil.test/x', 'https://evil.test/x'],
    ['/\\evil.test', 'https://evil.test/'],
    ['http://localhost:3000/sites/acmeevil', 'http://localhost:3000/sites/acmeevil'],
    ['mailto:help@acme.test', 'mailto:help@acme.test'],
  ])('to another site is recognized as external: %s', (address, href) => {
    expect(read(address)).toEqual({ href, isPage: false, path: '' });
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'http://',
  ])('that could run code or is invalid is dropped: %j', (address) =>
    expect(read(address)).toBeUndefined(),
  );
});
