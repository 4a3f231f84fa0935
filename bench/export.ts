import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { type BundleInput, bundleFiles } from '@docent/compiler/bundle/bundle-files.ts';
import { chunksOf } from '@docent/compiler/files/bundle-file.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { buildOffThread } from '@docent/compiler/off-thread/build-off-thread.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { defaultExportOptions } from '@docent/format/exports/export-options.ts';
import { cpuMsOf, cpuMsSince } from './measure.ts';

/*
 * Exports a built site as a job does, at several sizes, each in a separate process. Prints for
 * each: CPU of creating the files (everything but compression); CPU including the archive, wall
 * time, peak resident memory, size of the archive. For comparison, the CPU of SHA-256 over as many
 * bytes, measured in the same process right after: machines differ, and every byte of a bundle is
 * hashed once.
 *
 *   node bench/export.ts <folder> [--pages 500,1000,2000,4000]
 *
 * The folder contains pages in folders; larger sites are copies of it side by side.
 */

type Kind = 'files' | 'archive';

interface Measured {
  pages: number;
  filesCpuSeconds: number;
  hashCpuSeconds: number;
  archiveCpuSeconds: number;
  wallSeconds: number;
  peakMegabytes: number;
  archiveMegabytes: number;
}

const args = process.argv.slice(2);
if (args[0] === '--build') await buildHere(args[1] as string, args[2] as string);
else if (args[0] === '--export') await exportHere(args[1] as string, args[2] as Kind);
else if (args.length === 0)
  process.stdout.write('usage: node bench/export.ts <folder> [--pages 500,1000,2000,4000]\n');
else
  compare(
    resolve(args[0] as string),
    (args[args.indexOf('--pages') + 1] ?? '').split(',').map(Number).filter(Boolean),
  );

/** The first child process builds, and leaves what a deployment consists of. */
async function buildHere(folder: string, out: string): Promise<void> {
  mkdirSync(join(out, 'files'), { recursive: true });
  const build = await buildOffThread(
    folder,
    (bytes, file) => writeFile(join(out, 'files', file.sha256), bytes),
    { threads: 2 },
  );
  writeFileSync(join(out, 'build.json'), JSON.stringify(build));
}

/** The second one exports, measured by its own process counters. */
async function exportHere(out: string, kind: Kind): Promise<void> {
  const theme = await loadThemeFiles();
  const build = JSON.parse(readFileSync(join(out, 'build.json'), 'utf8')) as SiteBuild;
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const input: BundleInput = {
    build,
    readFile: (file) => readFile(join(out, 'files', file.sha256)),
    theme,
    origin: 'https://docs.example.com',
    options: defaultExportOptions,
    createdAt: new Date(0),
  };
  let sizeBytes = 0;
  if (kind === 'archive')
    for await (const chunk of packBundle(bundleFiles(input))) sizeBytes += chunk.byteLength;
  else
    for await (const file of bundleFiles(input))
      for await (const chunk of chunksOf(file)) sizeBytes += chunk.byteLength;
  const cpuSeconds = cpuMsSince(before) / 1000;
  process.stdout.write(
    JSON.stringify({
      cpuSeconds,
      wallSeconds: (performance.now() - startedAt) / 1000,
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      megabytes: sizeBytes / 1024 / 1024,
      hashCpuSeconds: hashCpuSeconds(sizeBytes),
    }),
  );
}

/** Measures SHA-256 over this many bytes. */
function hashCpuSeconds(sizeBytes: number): number {
  const chunk = Buffer.alloc(1024 * 1024, 'a');
  const hash = createHash('sha256');
  const hashAll = () => {
    for (let left = sizeBytes; left > 0; left -= chunk.byteLength) hash.update(chunk);
    hash.digest();
  };
  return cpuMsOf(hashAll) / 1000;
}

function child(...words: string[]): string {
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

/**
 * Creates a site with that many pages: copies of the folder's pages, each copy in its own folder.
 */
function makeSite(folder: string, pages: number, to: string): void {
  const sources = (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.mdx'))
    .sort();
  const names: string[] = [];
  for (let copy = 0; names.length < pages; copy++) {
    for (const file of sources.slice(0, pages - names.length)) {
      const path = join(`copy-${copy}`, file);
      mkdirSync(dirname(join(to, path)), { recursive: true });
      cpSync(join(folder, file), join(to, path));
      names.push(path.replace(/\.mdx$/, ''));
    }
  }
  // One tab per top-level folder, as large sites have.
  const tabs = [...Map.groupBy(names, (name) => name.split('/').slice(0, 2).join('/'))];
  const config = {
    theme: 'mint',
    name: 'Bench',
    colors: { primary: '#0f766e' },
    navigation: {
      tabs: tabs.map(([tab, pages]) => ({ tab, groups: [{ group: 'Pages', pages }] })),
    },
  };
  writeFileSync(join(to, 'docs.json'), JSON.stringify(config));
}

function measure(folder: string, pages: number): Measured {
  const work = mkdtempSync(join(tmpdir(), 'docent-bench-export-'));
  try {
    makeSite(folder, pages, join(work, 'site'));
    child('--build', join(work, 'site'), join(work, 'built'));
    const read = (kind: Kind) =>
      JSON.parse(child('--export', join(work, 'built'), kind)) as Record<string, number>;
    const archive = read('archive');
    const files = read('files');
    return {
      pages,
      filesCpuSeconds: files.cpuSeconds as number,
      hashCpuSeconds: files.hashCpuSeconds as number,
      archiveCpuSeconds: archive.cpuSeconds as number,
      wallSeconds: archive.wallSeconds as number,
      peakMegabytes: archive.peakMegabytes as number,
      archiveMegabytes: archive.megabytes as number,
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function compare(folder: string, sizes: number[]): void {
  process.stdout.write(
    `Node.js ${process.versions.node}\npages  CPU s files    SHA-256  with archive   wall s     peak MB  archive MB\n`,
  );
  for (const pages of sizes.length > 0 ? sizes : [500, 1000, 2000, 4000]) {
    const one = measure(folder, pages);
    const cells = [
      one.filesCpuSeconds,
      one.hashCpuSeconds,
      one.archiveCpuSeconds,
      one.wallSeconds,
      one.peakMegabytes,
      one.archiveMegabytes,
    ];
    process.stdout.write(
      `${String(one.pages).padStart(5)}  ${cells.map((cell) => cell.toFixed(2).padStart(10)).join('  ')}\n`,
    );
  }
}
