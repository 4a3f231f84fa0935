import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, runDocent } from '../support/start-docent.ts';

/*
 * Real documentation repositories by other authors, next to this checkout on development machines.
 * If they are missing, these tests are skipped with a message. bench/build.ts covers the largest.
 */
const corpora = join(root, '..', 'shared', 'corpora');
const hasCorpora = existsSync(corpora);
if (!hasCorpora)
  process.stdout.write(
    'skipped: the real documentation repositories are not next to this checkout (../shared/corpora)\n',
  );

const trees = hasCorpora ? readdirSync(corpora).filter(isMedium) : [];

interface Report {
  pageCount: number;
  failedPageCount: number;
  findings: { code: string; severity: string; count?: number }[];
}

function isMedium(name: string): boolean {
  const folder = join(corpora, name);
  const hasConfig = ['docs.json', 'mint.json'].some((file) => existsSync(join(folder, file)));
  return (
    hasConfig &&
    statSync(folder).isDirectory() &&
    readdirSync(folder, { recursive: true }).length < 700
  );
}

const several = ['tursodatabase__turso-docs', 'lmnr-ai__docs', 'traceloop__docs'];
const hasSeveral = several.every((name) => existsSync(join(corpora, name)));

test.skipIf(!hasSeveral)(
  'three repositories as one site have the pages and the errors that each has alone',
  async () => {
    const [base = '', second = '', third = ''] = several.map((name) => join(corpora, name));
    const check = async (...args: string[]) => {
      const { stdout } = await runDocent(['check', ...args, '--no-fetch', '--no-cache', '--json']);
      const { pageCount, failedPageCount, findings } = JSON.parse(stdout) as Report;
      const errors = findings.filter(({ severity }) => severity === 'error');
      const errorCount = errors.reduce((sum, { count = 1 }) => sum + count, 0);
      return [pageCount, failedPageCount, errorCount];
    };
    const alone = [await check(base), await check(second), await check(third)];
    const sum = [0, 1, 2].map((at) =>
      alone.reduce((total, counts) => total + (counts[at] ?? 0), 0),
    );
    const sources = ['--source', `ai/second=${second}`, '--source', `third=${third}`];
    expect(await check(base, ...sources)).toEqual(sum);
  },
  600_000,
);

describe.skipIf(!hasCorpora)('the real repository', () => {
  test.each(trees)(
    '%s compiles with an error block on at most one page in a thousand',
    async (name) => {
      const { code, stdout, stderr } = await runDocent(['check', join(corpora, name), '--json']);
      expect([0, 1], stderr).toContain(code);
      const report = JSON.parse(stdout) as Report;
      expect(report.pageCount).toBeGreaterThan(10);
      const count = (code: string) =>
        report.findings
          .filter((one) => one.code === code)
          .reduce((sum, one) => sum + (one.count ?? 1), 0);
      // A page whose operation is in no description of the repository fails correctly; more than
      // one such page would be our bug. The page of a description at an address that this machine
      // cannot reach fails correctly, too.
      const unknown = count('unknown-operation');
      expect(unknown).toBeLessThanOrEqual(1);
      expect(
        (report.failedPageCount - unknown - count('remote-description')) / report.pageCount,
      ).toBeLessThanOrEqual(0.001);
    },
    120_000,
  );
});
