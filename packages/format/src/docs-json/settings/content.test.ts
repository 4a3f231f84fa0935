import { expect, test } from 'vitest';
import { pageContextual } from './content.ts';

test('a page can replace the contextual menu of the site or remove it', () => {
  expect(pageContextual({ options: ['view'] })).toEqual({
    display: 'header',
    options: [{ kind: 'builtin', name: 'view' }],
  });
  expect(pageContextual({ options: [] })?.options).toEqual([]);
});

test('a page without a valid menu uses the menu of the site', () => {
  for (const value of [undefined, null, 'copy', { options: 3 }])
    expect(pageContextual(value)).toBeUndefined();
});
