import { expect, test } from 'vitest';
import { folderRedirects } from './folder-redirects.ts';

test('a folder leads to its first page in the order of the menu, at every depth, unless something is at its path', () => {
  const menu = ['/', '/start', '/sdk/js/install', '/sdk/js/use', '/sdk/go', '/cli', '/cli/login', '/logo/kit'];
  expect(folderRedirects(menu, new Set(['/cli', '/logo']))).toEqual([
    { source: '/sdk/js', destination: '/sdk/js/install', permanent: false, ofFolder: true },
    { source: '/sdk', destination: '/sdk/js/install', permanent: false, ofFolder: true },
  ]);
});

test('a folder whose name would be a pattern or cut the path is left out', () => {
  expect(folderRedirects(['/a:b/c', '/d*/e', '/f/g#h', '/i?/j'], new Set())).toEqual([]);
});
