import { expect, test } from 'vitest';
import { addedRedirects, type MenuAddress } from './added-redirects.ts';

const page = (href: string, place: Partial<MenuAddress> = {}): MenuAddress => ({
  href,
  isDefault: true,
  ...place,
});
const redirectsOf = (menu: readonly MenuAddress[], taken: readonly string[] = []) =>
  Object.fromEntries(
    addedRedirects(menu, new Set(taken)).map(({ source, destination }) => [source, destination]),
  );

test('a folder redirects to its first page in menu order, at every depth, unless its path is in use', () => {
  const menu = [
    '/',
    '/start',
    '/sdk/js/install',
    '/sdk/js/use',
    '/sdk/go',
    '/cli',
    '/cli/login',
    '/logo/kit',
  ];
  expect(
    addedRedirects(
      menu.map((href) => page(href)),
      new Set(['/cli', '/logo']),
    ),
  ).toEqual([
    { source: '/sdk/js', destination: '/sdk/js/install', permanent: false, isAdded: true },
    { source: '/sdk', destination: '/sdk/js/install', permanent: false, isAdded: true },
  ]);
});

test('a folder with a name that is a pattern or cuts the path has no redirect', () => {
  const menu = ['/a:b/c', '/d*/e', '/f/g#h', '/i?/j'].map((href) => page(href));
  expect(redirectsOf(menu)).toEqual({});
});

test('a path without the version redirects to the default version, and so do its folders', () => {
  const menu = [
    page('/api/2026-10/orders/get', { version: '2026-10', isDefault: false }),
    page('/api/2026-04/orders/get', { version: '2026-04' }),
  ];
  expect(redirectsOf(menu)).toEqual({
    '/api/orders/get': '/api/2026-04/orders/get',
    '/api/2026-10/orders': '/api/2026-10/orders/get',
    '/api/2026-10': '/api/2026-10/orders/get',
    '/api': '/api/2026-04/orders/get',
    '/api/2026-04/orders': '/api/2026-04/orders/get',
    '/api/2026-04': '/api/2026-04/orders/get',
    '/api/orders': '/api/2026-04/orders/get',
  });
});

test('language and version can be omitted together, and existing pages take precedence', () => {
  const menu = [
    page('/en/v2/install', { version: 'V2.1 (stable)', language: 'en' }),
    page('/en/v20', { version: 'v2' }),
  ];
  expect(redirectsOf(menu, ['/v2/install', '/v2', '/en', '/en/v2'])).toEqual({
    '/en/install': '/en/v2/install',
    '/install': '/en/v2/install',
  });
});
