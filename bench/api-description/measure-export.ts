import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ExportMeasured {
  cpuSeconds: number;
  wallSeconds: number;
  /** Of the command and all its child processes together. */
  peakMegabytes: number;
  /** Sizes of the pages' HTML, smallest first. */
  pageBytes: number[];
}

const SAMPLE_MS = 40;

/**
 * Runs `docent export` as an author does, and measures all its processes. Linux only: reads
 * `/proc`.
 */
export async function measureExport(folder: string, work: string): Promise<ExportMeasured> {
  const command = fileURLToPath(new URL('../../scripts/docent.mjs', import.meta.url));
  const out = join(work, 'site.tar.gz');
  const startedAt = performance.now();
  // The shell sums the CPU time of all processes that it waited for, and of their children.
  const script = `"${process.execPath}" "${command}" export "${folder}" --out "${out}" --no-fetch >/dev/null 2>"${out}.log"; code=$?; times; exit $code`;
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  shell.stdout.on('data', (data) => {
    told += data;
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(
      peak,
      treeOf(shell.pid as number).reduce((sum, pid) => sum + residentKilobytes(pid), 0),
    );
  }, SAMPLE_MS);
  const code = await new Promise((resolve) => shell.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(readFileSync(`${out}.log`, 'utf8'));
  const times = [...(told.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const site = join(work, 'site');
  mkdirSync(site);
  if (spawnSync('tar', ['xzf', out, '-C', site]).status !== 0)
    throw new Error(`tar could not unpack ${out}`);
  const pages = (readdirSync(site, { recursive: true }) as string[]).filter((file) =>
    file.endsWith('.html'),
  );
  return {
    cpuSeconds: times.reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
      0,
    ),
    wallSeconds: (performance.now() - startedAt) / 1000,
    peakMegabytes: peak / 1024,
    pageBytes: pages.map((file) => statSync(join(site, file)).size).sort((a, b) => a - b),
  };
}

function treeOf(pid: number): number[] {
  const found = [pid];
  for (const one of found) {
    for (const thread of list(`/proc/${one}/task`))
      found.push(
        ...read(`/proc/${one}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
      );
  }
  return found;
}

function residentKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
