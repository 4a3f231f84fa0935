import { describe, expect, it } from 'vitest';
import { isPlainClick } from '../dom.ts';
import { linkTarget } from './link-target.ts';

const current = new URL('https://docs.test/sites/acme/guides/start?tags=a');
const root = new URL('https://docs.test/sites/acme/');

describe('linkTarget', () => {
  it.each([
    ['https://docs.test/sites/acme/guides/next', 'page'],
    ['https://docs.test/sites/acme/guides/start', 'page'],
    ['https://docs.test/sites/acme/v1.2', 'page'],
    ['https://docs.test/sites/acme/guides/next.html#part', 'page'],
    ['https://docs.test/sites/acme', 'page'],
    ['https://docs.test/sites/acme/guides/start?tags=a#part', 'place'],
    ['https://docs.test/sites/acme/file.pdf', 'elsewhere'],
    ['https://docs.test/sites/acme/guides/next.md', 'elsewhere'],
    ['https://docs.test/sites/acme/_docent/thing', 'elsewhere'],
    ['https://docs.test/sites/acme/logout', 'elsewhere'],
    ['https://docs.test/sites/acme/login?redirect=%2F', 'elsewhere'],
    ['https://docs.test/sites/acme/guides/login', 'page'],
    ['https://docs.test/sites/other/guides/next', 'elsewhere'],
    ['https://docs.test/v1/health', 'elsewhere'],
    ['https://other.test/sites/acme/guides/next', 'elsewhere'],
    ['mailto:a@docs.test', 'elsewhere'],
  ] as const)('classifies %s as "%s"', (address, expected) => {
    expect(linkTarget(new URL(address), current, root)).toBe(expected);
  });
});

describe('isPlainClick', () => {
  const plain = { button: 0, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
  it('is false for every click that opens another window or downloads', () => {
    expect(isPlainClick(plain)).toBe(true);
    for (const change of [
      { button: 1 },
      { metaKey: true },
      { ctrlKey: true },
      { shiftKey: true },
      { altKey: true },
    ])
      expect(isPlainClick({ ...plain, ...change })).toBe(false);
  });
});
