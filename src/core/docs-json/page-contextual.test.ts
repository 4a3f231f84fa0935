import { expect, test } from 'vitest';
import { pageContextual } from './settings/contextual.ts';

test('a page can replace the menu of the site, or have none', () => {
  expect(pageContextual({ options: ['view'] })).toEqual({ display: 'header', options: [{ kind: 'builtin', name: 'view' }] });
  expect(pageContextual({ options: [] })?.options).toEqual([]);
});

test('a page without a menu of its own, or with one that cannot be read, gets that of the site', () => {
  for (const value of [undefined, null, 'copy', { options: 3 }]) expect(pageContextual(value)).toBeUndefined();
});
