import { describe, expect, it } from 'vitest';
import { groupsOf, isPublicPage, mentionsGroups } from './public-page.ts';

describe('a page', () => {
  it.each([undefined, null])('is public if its author sets no groups: %j', (groups) => {
    expect(isPublicPage(groups)).toBe(true);
  });

  it.each([[['staff']], ['staff'], [2026], [[]], [true], [false], [''], [{ staff: true }]])(
    'is restricted by any value that its author sets as groups: %j',
    (groups) => {
      expect(isPublicPage(groups)).toBe(false);
    },
  );

  it('is restricted by the groups of any of several objects, with the key in any case', () => {
    const entries = (value: object) => Object.entries(value);
    expect(groupsOf(entries({ title: 'x', Groups: ['a'] }))).toEqual(['a']);
    expect(groupsOf(entries({ groups: null }), undefined, entries({ groups: 'b' }))).toBe('b');
    expect(groupsOf(entries({ group: 'a', groups: null }), [])).toBeUndefined();
  });

  it.each([
    'title: a: b\ngroups:\n  - x',
    '\tgroups: x',
    'a: b\n"groups":[x]',
    '{title: x, groups: [x]',
    'groups = ["x"]',
  ])('is restricted by invalid metadata that names groups: %j', (text) =>
    expect(mentionsGroups(text)).toBe(true),
  );

  it.each(['title: on groups: a start', 'description: subgroups', 'groupset: a'])(
    'is not restricted by the text %j',
    (text) => expect(mentionsGroups(text)).toBe(false),
  );
});
