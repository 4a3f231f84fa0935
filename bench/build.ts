import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import { defaultExportOptions } from '@docent/format/exports/export-options.ts';
import { runExport } from '../packages/docent/src/authoring/build.ts';
import { createOutput } from '../packages/docent/src/kernel/output.ts';
import { cpuMsSince, printTable, quantile } from './measure.ts';

/*
 * Builds and exports documentation folders, archive included, each in a separate process, and
 * prints for each: pages, pages with an error block (also in the default version and language),
 * warnings, CPU seconds, CPU milliseconds per page, wall seconds, peak resident memory, and the
 * size of the archive.
 *
 *   node bench/build.ts <folder> [<folder> …] [--runs 3]
 */

interface Measured {
  report: BuildReport;
  cpuSeconds: number;
  peakMegabytes: number;
  archiveMegabytes: number;
}

const args = process.argv.slice(2);
if (args[0] === '--one') await measureHere(args[1] as string);
else if (args.length === 0)
  process.stdout.write('usage: node bench/build.ts <folder> [<folder> …] [--runs N]\n');
else compare(args);

/** The child process: builds one folder, measured by its own process counters. */
async function measureHere(folder: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'docent-bench-'));
  try {
    const out = join(work, 'bundle.tar.gz');
    const reports: BuildReport[] = [];
    const output = {
      ...createOutput({}),
      print: () => {},
      note: () => {},
      json: (value: object) => reports.push((value as { report: BuildReport }).report),
    };
    await runExport(
      folder,
      { ...defaultExportOptions, out, origin: 'https://docs.example.com' },
      output,
    );
    const cpuSeconds = cpuMsSince({ user: 0, system: 0 }) / 1000;
    const measured: Measured = {
      report: reports[0] as BuildReport,
      cpuSeconds,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      archiveMegabytes: statSync(out).size / 1024 / 1024,
    };
    process.stdout.write(JSON.stringify(measured));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function compare(words: string[]): void {
  const at = words.indexOf('--runs');
  const runs = at < 0 ? 1 : Number(words[at + 1]);
  const folders = words.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  process.stdout.write(`Node.js ${process.versions.node}, ${runs} run(s) each, medians\n\n`);
  const header =
    'folder|pages|error pages|errors|warnings|CPU s|CPU ms/page|wall s|peak MB|archive MB'.split(
      '|',
    );
  printTable([header, ...folders.map((folder) => measureFolder(resolve(folder), runs))]);
}

function measureFolder(folder: string, runs: number): string[] {
  const all: (Measured & { wallSeconds: number })[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', folder], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (child.status !== 0)
      return [
        basename(folder),
        'FAILED',
        (child.stderr.trim().split('\n').at(-1) ?? '').slice(0, 80),
      ];
    all.push({
      ...(JSON.parse(child.stdout) as Measured),
      wallSeconds: (performance.now() - startedAt) / 1000,
    });
  }
  const median = (pick: (one: (typeof all)[number]) => number) => quantile(all.map(pick), 0.5);
  const { report } = all[0] as Measured;
  const count = (severity: string) =>
    String(report.diagnostics.filter((one) => one.severity === severity).length);
  const cpu = median((one) => one.cpuSeconds);
  return [
    basename(folder),
    String(report.pageCount),
    String(report.failedPageCount),
    count('error'),
    count('warning'),
    cpu.toFixed(1),
    ((cpu * 1000) / Math.max(report.pageCount, 1)).toFixed(2),
    median((one) => one.wallSeconds).toFixed(1),
    median((one) => one.peakMegabytes).toFixed(0),
    median((one) => one.archiveMegabytes).toFixed(1),
  ];
}
