import { describe, expect, it } from 'vitest';
import { isPublicPage } from './public-page.ts';

describe('a page', () => {
  it.each([undefined, null])('is public where its author names no groups: %j', (groups) => {
    expect(isPublicPage(groups)).toBe(true);
  });

  it.each([[['staff']], ['staff'], [2026], [[]], [true], [false], [''], [{ staff: true }]])(
    'is restricted by whatever its author writes as groups: %j',
    (groups) => {
      expect(isPublicPage(groups)).toBe(false);
    },
  );
});
