import { describe, expect, it } from 'vitest';
import { pageGroups } from './page-groups.ts';

describe('the groups of a page', () => {
  it('are absent only where its author names none', () => {
    expect([pageGroups(undefined), pageGroups(null)]).toEqual([undefined, undefined]);
  });

  it.each([
    [
      ['staff', ' partners '],
      ['staff', 'partners'],
    ],
    ['staff', ['staff']],
    [[2026], ['2026']],
  ])('are read from %j', (value, groups) => {
    expect(pageGroups(value)).toEqual(groups);
  });

  it.each([[[]], [true], [{ staff: true }], [[null, {}]]])(
    'protect a page from everybody where they are unreadable: %j',
    (value) => {
      expect(pageGroups(value)).toEqual([]);
    },
  );
});
