import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Output } from '../kernel/output.ts';
import { DevReport } from './dev-report.ts';

const root = mkdtempSync(join(tmpdir(), 'docent-report-'));
writeFileSync(join(root, 'a.mdx'), 'One\nSee <Callot>\n');
afterAll(() => rmSync(root, { recursive: true }));

const warning: Diagnostic = {
  ...{ severity: 'warning', code: 'unknown-component', file: 'a.mdx', line: 2, column: 5 },
  message: 'There is no component <Callot>.',
  remedy: 'Did you mean <Callout>?',
};
const broken: Diagnostic = {
  ...{ severity: 'error', code: 'build-failed', file: 'docs.json', line: 1, column: 3 },
  message: 'docs.json is not valid JSON.',
  remedy: 'Correct this.',
};

let lines: string[];
let report: DevReport;
const nothing = () => undefined;
beforeEach(() => {
  lines = [];
  const output: Output = {
    result: nothing,
    print: nothing,
    json: nothing,
    progress: nothing,
    note: (text) => lines.push(text),
  };
  report = new DevReport(root, output);
});
/** Returns what was printed since the last call. */
const printed = async () => {
  await report.settled();
  return lines.splice(0).join('\n');
};

describe('the problems in the terminal of docent dev', () => {
  test('a warning has its file, line, source line and remedy', async () => {
    report.update([warning]);
    const text = await printed();
    expect(text).toContain(
      'a.mdx\n  2:5     warning There is no component <Callot>.  [unknown-component]',
    );
    expect(text).toContain('| See <Callot>');
    expect(text).toContain('→ Did you mean <Callout>?');
    expect(text).toContain('0 errors, 1 warning');
  });

  test('a problem is printed once, even if it moves to another line, and once more as fixed', async () => {
    report.update([warning]);
    await printed();
    report.update([{ ...warning, line: 9 }]);
    expect(await printed()).toBe('');
    report.update([]);
    expect(await printed()).toBe(
      '✓ fixed  a.mdx  There is no component <Callot>.\n0 errors, 0 warnings',
    );
  });

  test('an error of docs.json is printed at once, and not again when all pages are checked', async () => {
    report.update([]);
    await printed();
    report.announce(broken);
    expect(await printed()).toContain('docs.json is not valid JSON.');
    report.update([broken]);
    expect(await printed()).toBe('1 error, 0 warnings');
  });

  test('hints are not problems, and of very many problems the errors are shown', async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ ...warning, message: `Number ${at}.` }));
    report.update([{ ...warning, severity: 'info', message: 'A hint.' }, ...many, broken]);
    const text = await printed();
    expect(text).toContain('docs.json is not valid JSON.');
    expect(text).toContain('89 more; "docent check" lists all.');
    expect(text).not.toContain('A hint.');
  });
});
