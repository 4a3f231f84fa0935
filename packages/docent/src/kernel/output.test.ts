import { DocentError } from '@docent/format/errors.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { createOutput, describeError, exitCodeOf, formatReport } from './output.ts';

test('exit codes distinguish rejections, usage errors, unavailable dependencies and internal errors', () => {
  expect(exitCodeOf(new DocentError('build_failed', ''))).toBe(1);
  expect(exitCodeOf(new DocentError('unauthenticated', ''))).toBe(1);
  expect(exitCodeOf(new DocentError('invalid_setting', ''))).toBe(2);
  expect(exitCodeOf(new DocentError('port_in_use', ''))).toBe(3);
  expect(exitCodeOf(new DocentError('data_folder_in_use', ''))).toBe(3);
  expect(exitCodeOf(new DocentError('dependency_unavailable', ''))).toBe(3);
  expect(exitCodeOf(new TypeError('oops'))).toBe(70);
});

test('an error is printed on one line, followed by a line for each of its parts', () => {
  const error = new DocentError('invalid_paths', 'Two are wrong.', {
    errors: [{ path: '/paths/0', message: 'no such page' }],
  });
  expect(describeError(error)).toBe('docent: Two are wrong.\n  /paths/0: no such page');
  const errors = ['A: x', 'B: y'].map((message) => ({ path: `/${message[0]}`, message }));
  const settings = new DocentError('invalid_setting', 'A: x\nB: y', { errors });
  expect(describeError(settings)).toBe('docent: A: x\nB: y');
});

test('a report contains the position and remedy of each diagnostic and ends with the counts', () => {
  const text = formatReport({
    pageCount: 2,
    failedPageCount: 1,
    fileCount: 3,
    durationMs: 1234,
    diagnostics: [
      {
        severity: 'warning',
        code: 'broken-link',
        message: 'No page /x.',
        remedy: 'Correct it.',
        file: 'a.mdx',
        line: 3,
        column: 7,
      },
    ],
  });
  expect(text).toBe(
    'a.mdx:3:7  warning [broken-link] No page /x.\n    → Correct it.\n2 pages, 1 with an error block, 3 files; 0 errors, 1 warning; 1.2 s',
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('no text of other people controls the terminal: neither as a table, nor as JSON, nor as an error', () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const name = 'Eve\u001b]0;owned\u0007\u001b[2J\r\u009b31m\u202etxt';
  createOutput({}).result(name, { name }, name);
  createOutput({ json: true }).result(name, { name });
  expect(written).toHaveLength(3);
  for (const text of written) expect(text.trimEnd()).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(written[0]).toBe('Eve\\u001b]0;owned\\u0007\\u001b[2J\\u000d\\u009b31m\\u202etxt\n');
  expect(JSON.parse(written[2] ?? '')).toEqual({ name });
});
