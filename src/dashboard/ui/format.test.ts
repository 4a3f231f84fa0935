import { expect, it } from 'vitest';
import { bytes, duration, plural, relativeTime } from './format.ts';

it('says sizes in steps of a thousand, with one digit behind the point where it counts', () => {
  expect([0, 999, 1000, 1_893_201, 250_400_000, 107_374_182_400].map(bytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '1.9 MB',
    '250 MB',
    '107 GB',
  ]);
});

it('says durations in the unit that a person would use', () => {
  expect([12, 999, 5230, 200_000].map(duration)).toEqual(['12 ms', '999 ms', '5.2 s', '3 min 20 s']);
});

it('says times relative to now, in both directions', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const at = (text: string) => relativeTime(new Date(text), now);
  expect(at('2026-11-22T11:59:40Z')).toBe('just now');
  expect(at('2026-11-22T11:57:00Z')).toBe('3 minutes ago');
  expect(at('2026-11-24T12:00:00Z')).toBe('in 2 days');
});

it('counts one and many', () => {
  expect([plural(1, 'page'), plural(1204, 'page')]).toEqual(['1 page', '1,204 pages']);
});
