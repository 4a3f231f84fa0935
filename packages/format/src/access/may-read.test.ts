import { describe, expect, it } from 'vitest';
import { mayRead, type Reader } from './may-read.ts';

const readerWith = (...groups: string[]): Reader => ({
  id: 'password',
  groups,
  content: {},
  apiPlaygroundInputs: {},
  expiresAt: new Date(),
});

describe('a reader', () => {
  const [open, closed] = [{ isPrivate: false }, { isPrivate: true }];

  it('may read every page without groups of a public site, and of a private site only after signing in', () => {
    expect(mayRead(undefined, { isPublic: false }, open)).toBe(true);
    expect(mayRead(undefined, { isPublic: false }, closed)).toBe(false);
    expect(mayRead(readerWith(), { isPublic: false }, closed)).toBe(true);
  });

  it('needs no sign-in for the public pages of a private site, unless these have groups', () => {
    expect(mayRead(undefined, { isPublic: true }, closed)).toBe(true);
    expect(mayRead(undefined, { isPublic: true, groups: ['staff'] }, closed)).toBe(false);
  });

  it.each([open, closed])('needs one of the groups of a page, on every site: %j', (site) => {
    const page = { isPublic: false, groups: ['staff', 'partners'] };
    expect(mayRead(readerWith('partners'), page, site)).toBe(true);
    expect(mayRead(readerWith('customers'), page, site)).toBe(false);
    expect(mayRead(undefined, page, site)).toBe(false);
    expect(mayRead(readerWith('staff'), { isPublic: true, groups: [] }, site)).toBe(false);
  });

  it('has the groups that are written exactly alike, apart from spaces around them and composed characters', () => {
    const may = (group: string, required: string) =>
      mayRead(readerWith(group), { isPublic: false, groups: [required] }, closed);
    expect([may(' staff', 'staff '), may('caf\u0065\u0301', 'caf\u00e9')]).toEqual([true, true]);
    for (const other of ['Staff', 'staff2', 'st\u0430ff', 'staff\u200b', 'staff,admin', ''])
      expect([other, may(other, 'staff')]).toEqual([other, false]);
  });
});
