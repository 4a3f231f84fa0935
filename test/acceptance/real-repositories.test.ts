import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, runDocent } from '../support/start-docent.ts';

/*
 * Real documentation repositories that nobody of this project wrote; they stand beside the project where it is developed.
 * Where they are not there, this says so and is skipped. The largest are left to bench/build.ts.
 */
const corpora = join(root, '..', 'shared', 'corpora');
const areThere = existsSync(corpora);
if (!areThere)
  process.stdout.write('skipped: the real documentation repositories are not beside this checkout (../shared/corpora)\n');

const trees = areThere ? readdirSync(corpora).filter(isMiddling) : [];

interface Report {
  pageCount: number;
  failedPageCount: number;
  findings: { code: string; count?: number }[];
}

function isMiddling(name: string): boolean {
  const folder = join(corpora, name);
  const hasConfig = ['docs.json', 'mint.json'].some((file) => existsSync(join(folder, file)));
  return hasConfig && statSync(folder).isDirectory() && readdirSync(folder, { recursive: true }).length < 700;
}

describe.skipIf(!areThere)('a real repository', () => {
  test.each(trees)(
    '%s compiles, at most one page in a thousand with an error block',
    async (name) => {
      const { code, stdout, stderr } = await runDocent(['check', join(corpora, name), '--json']);
      expect([0, 1], stderr).toContain(code);
      const report = JSON.parse(stdout) as Report;
      expect(report.pageCount).toBeGreaterThan(10);
      const count = (code: string) =>
        report.findings.filter((one) => one.code === code).reduce((sum, one) => sum + (one.count ?? 1), 0);
      // A page whose operation is in no description of the repository fails rightly; more than one such page would be our fault. So does
      // the page that stands for a description at an address that this machine does not reach.
      const unknown = count('unknown-operation');
      expect(unknown).toBeLessThanOrEqual(1);
      expect((report.failedPageCount - unknown - count('remote-description')) / report.pageCount).toBeLessThanOrEqual(0.001);
    },
    120_000,
  );
});
