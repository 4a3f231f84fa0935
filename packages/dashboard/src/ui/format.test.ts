import { expect, it } from 'vitest';
import {
  bytes,
  calendarDay,
  count,
  dayInUtc,
  duration,
  exactTime,
  hourInUtc,
  plural,
  relativeTime,
  titleOfCode,
} from './format.ts';

it('sizes are formatted in steps of a thousand, with one decimal for small values', () => {
  expect([0, 999, 1000, 1_893_201, 250_400_000, 107_374_182_400].map(bytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '1.9 MB',
    '250 MB',
    '107 GB',
  ]);
});

it('durations are formatted in a readable unit', () => {
  expect([12, 999, 5230, 200_000].map(duration)).toEqual([
    '12 ms',
    '999 ms',
    '5.2 s',
    '3 min 20 s',
  ]);
});

it('times are formatted relative to now, in both directions', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const at = (text: string) => relativeTime(new Date(text), now);
  expect(at('2026-11-22T11:59:40Z')).toBe('just now');
  expect(at('2026-11-22T11:57:00Z')).toBe('3 minutes ago');
  expect(at('2026-11-24T12:00:00Z')).toBe('in 2 days');
});

it('counts are formatted with singular and plural', () => {
  expect([plural(1, 'page'), plural(1204, 'page')]).toEqual(['1 page', '1,204 pages']);
});

it('times and numbers are formatted like Intl in English', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  // A step that does not divide a day visits all hours, days and months.
  const dates = Array.from(
    { length: 3000 },
    (_, i) => new Date(now.getTime() + (i - 1500) * 40_267_000),
  );
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en', options);
    return dates.map((date) => format.format(date).replaceAll('\u202f', ' '));
  };
  expect(dates.map(exactTime)).toEqual(written({ dateStyle: 'medium', timeStyle: 'medium' }));
  expect(dates.map(calendarDay)).toEqual(written({ dateStyle: 'medium' }));
  expect(dates.map(dayInUtc)).toEqual(written({ month: 'short', day: 'numeric', timeZone: 'UTC' }));
  expect(dates.map(hourInUtc)).toEqual(
    written({ month: 'short', day: 'numeric', hour: 'numeric', timeZone: 'UTC' }),
  );
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const units = {
    year: 31_536_000,
    month: 2_592_000,
    day: 86_400,
    hour: 3600,
    minute: 60,
  } as const;
  for (const [unit, seconds] of Object.entries(units))
    for (const times of [-1200, -11, -2, -1, 1, 2, 11, 1200].filter(
      (value) => unit === 'year' || Math.abs(value) < 12,
    ))
      expect(relativeTime(new Date(now.getTime() + times * seconds * 1000), now)).toBe(
        relative.format(times, unit as keyof typeof units),
      );
  const numbers = [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1, -1000, -999_999];
  expect(numbers.map(count)).toEqual(
    numbers.map((value) => new Intl.NumberFormat('en').format(value)),
  );
});

it('codes of findings are written as words, with the usual spelling of names', () => {
  expect(
    ['unknown-operation', 'mdx-syntax', 'build_failed', 'npm-import'].map(titleOfCode),
  ).toEqual(['Unknown operation', 'MDX syntax', 'Build failed', 'npm import']);
});
