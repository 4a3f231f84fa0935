import { expect, it } from 'vitest';
import type { Diagnostic } from '../diagnostics.ts';
import { CHECK_RULES, failsCheck, newProblems, VALE_RULES, type ValeRule } from './new-problems.ts';

const problem = (
  code: string,
  file: string,
  line: number,
  more: Partial<Diagnostic> = {},
): Diagnostic => ({
  severity: 'warning',
  code,
  message: `${code}.`,
  remedy: 'Fix it.',
  file,
  line,
  ...more,
});

it('a change brings the problems that were not there before, errors first, wherever the lines have moved to', () => {
  const before = [problem('broken-link', 'a.mdx', 3), problem('unknown-icon', 'b.mdx', 9)];
  const after = [
    problem('broken-link', 'a.mdx', 40),
    problem('broken-link', 'b.mdx', 2),
    problem('invalid-mdx', 'c.mdx', 1, { severity: 'error' }),
    problem('note', 'a.mdx', 1, { severity: 'info' }),
  ];
  expect(newProblems(before, after).map(({ code, file, line }) => [code, file, line])).toEqual([
    ['invalid-mdx', 'c.mdx', 1],
    ['broken-link', 'b.mdx', 2],
  ]);
  expect(newProblems(after, after)).toEqual([]);
});

it('every place of a grouped problem counts, and a second one in the same file is new', () => {
  const before = [problem('broken-link', 'a.mdx', 3)];
  const after = [
    problem('broken-link', 'a.mdx', 3, { count: 2, places: [{ file: 'a.mdx', line: 8 }] }),
  ];
  expect(newProblems(before, after)).toMatchObject([{ file: 'a.mdx', line: 8 }]);
});

it('each rule lets fewer problems pass than the one before', () => {
  const problems = [
    problem('invalid-mdx', '', 1, { severity: 'error' }),
    problem('broken-link', '', 1),
    problem('other', '', 1),
  ];
  const failing = CHECK_RULES.map(
    (rule) =>
      newProblems([], problems).filter((item) => failsCheck(item, { failsOn: rule })).length,
  );
  expect(failing).toEqual([0, 1, 2, 3]);
});

it('errors of Vale fail a check only by their own rule', () => {
  const [alert] = newProblems([], [problem('vale-error', 'a.mdx', 1)]);
  const fails = (vale: ValeRule) => alert && failsCheck(alert, { failsOn: 'links', vale });
  expect(VALE_RULES.map(fails)).toEqual([false, false, true]);
});
