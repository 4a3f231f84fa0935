import { expect, test } from 'vitest';
import {
  countText,
  type Diagnostic,
  groupDiagnostics,
  otherPlacesText,
  placesOf,
  withFewerPlaces,
} from './diagnostics.ts';

const at = (file: string, line?: number, rest: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'warning',
  code: 'unsafe-html',
  message: '<script> is left out.',
  remedy: 'Use a file.',
  file,
  ...(line === undefined ? {} : { line }),
  ...rest,
});

test('repeated diagnostics become one that has their places and count', () => {
  const grouped = groupDiagnostics([
    at('a.mdx', 1),
    at('b.mdx', 2, { code: 'other' }),
    at('c.mdx'),
    at('d.mdx', 4, { column: 2 }),
  ]);
  expect(grouped).toEqual([
    at('a.mdx', 1, {
      count: 3,
      places: [{ file: 'c.mdx' }, { file: 'd.mdx', line: 4, column: 2 }],
    }),
    at('b.mdx', 2, { code: 'other' }),
  ]);
  expect(otherPlacesText(grouped[0] as Diagnostic)).toBe('also c.mdx, d.mdx:4:2');
  expect(otherPlacesText(grouped[1] as Diagnostic)).toBeUndefined();
  expect(countText(grouped, 'warning')).toBe('2 warnings in 4 places');
  expect(groupDiagnostics([...grouped, at('e.mdx')])[0]?.count).toBe(4);
});

test('the same fault in a page, its translations, and its versions is one diagnostic', () => {
  const fault = (folder: string) =>
    at(`${folder}use.mdx`, 3, {
      message: `The page "/${folder}setup" has no heading or id "#go".`,
    });
  const faults = [fault(''), fault('fr/'), fault('v1/api/'), fault('de/')];
  expect(groupDiagnostics(faults, ['fr/', 'v1/api/'])).toEqual([
    {
      ...fault(''),
      count: 3,
      places: [
        { file: 'fr/use.mdx', line: 3 },
        { file: 'v1/api/use.mdx', line: 3 },
      ],
    },
    fault('de/'),
  ]);
});

test('warnings keep their first places and a full count, and errors keep every place', () => {
  const many = (severity: Diagnostic['severity']) =>
    groupDiagnostics(
      Array.from({ length: 1000 }, (_, line) => at('a.mdx', line + 1, { severity })),
    )[0] as Diagnostic;
  expect(many('warning').count).toBe(1000);
  expect(placesOf(many('warning'))).toHaveLength(201);
  expect(placesOf(many('error'))).toHaveLength(1000);
  expect(otherPlacesText(many('warning'))).toBe(
    'also a.mdx:2, a.mdx:3, a.mdx:4 and 996 more places',
  );
});

test('diagnostics with different severities, messages, or remedies remain separate', () => {
  const all = [
    at('a.mdx'),
    at('a.mdx', 1, { severity: 'error' }),
    at('a.mdx', 1, { message: 'x' }),
    at('a.mdx', 1, { remedy: 'y' }),
  ];
  expect(groupDiagnostics(all)).toEqual(all);
});

test('a report for the database has some places of each warning, every place of an error, and full counts', () => {
  const places = Array.from({ length: 200 }, (_, line) => ({ file: 'b.mdx', line }));
  const warnings = Array.from({ length: 50 }, (_, number) =>
    at('a.mdx', number, { count: 201, places }),
  );
  const error = at('a.mdx', 1, { severity: 'error', count: 201, places });
  const [first, ...others] = withFewerPlaces([error, at('c.mdx'), ...warnings]);
  expect(first).toEqual(error);
  expect(others[0]).toEqual(at('c.mdx'));
  for (const [number, warning] of others.slice(1).entries())
    expect(warning).toEqual(at('a.mdx', number, { count: 201, places: places.slice(0, 40) }));
  expect(withFewerPlaces(warnings.slice(0, 10))).toEqual(warnings.slice(0, 10));
});
