import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  callsDescription,
  ledgerDescription,
  modelsDescription,
} from './api-description/descriptions.ts';
import { measureExport } from './api-description/measure-export.ts';
import { checkFolder } from './completeness/check-folder.ts';

/*
 * Exports sites that consist of one large API description each, like `docent export`, and prints
 * the cost (CPU time and memory of all processes), the size of the pages, and whether they show
 * every parameter, field and enum value.
 *
 *   node bench/api-description.ts [<description.json|yaml> …] [--operations 300] [--skip-completeness]
 *
 * Without files: three generated descriptions in the style of large public APIs. Exits with 1 if
 * something is missing. Linux only. Machines differ: compare runs on one machine, and mind what
 * else runs on it.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string', default: '300' },
    'skip-completeness': { type: 'boolean', default: false },
  },
});

interface Site {
  name: string;
  file: string;
  write(path: string): void;
}

const count = Number(values.operations);
const sites: Site[] =
  positionals.length > 0
    ? positionals.map((path) => ({
        name: basename(path, extname(path)),
        file: `openapi${extname(path)}`,
        write: (to) => copyFileSync(resolve(path), to),
      }))
    : [ledgerDescription(count), callsDescription(count), modelsDescription(count)].map(
        ({ name, document }) => ({
          name,
          file: 'openapi.json',
          write: (to) => writeFileSync(to, JSON.stringify(document)),
        }),
      );

process.stdout.write(`Node.js ${process.versions.node}\n`);
for (const site of sites) await measure(site);

async function measure({ name, file, write }: Site): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'docent-bench-api-'));
  try {
    const folder = join(work, 'source');
    mkdirSync(folder);
    write(join(folder, file));
    const config = {
      theme: 'mint',
      name,
      colors: { primary: '#0f766e' },
      navigation: { tabs: [{ tab: 'API', openapi: file }] },
    };
    writeFileSync(join(folder, 'docs.json'), JSON.stringify(config));
    const { cpuSeconds, wallSeconds, peakMegabytes, pageBytes } = await measureExport(folder, work);
    const kilobytes = (bytes = 0) => Math.round(bytes / 1000);
    const median = kilobytes(pageBytes[pageBytes.length >> 1]);
    process.stdout.write(
      `${name}: CPU ${cpuSeconds.toFixed(1)} s, wall ${wallSeconds.toFixed(1)} s, peak ${Math.round(peakMegabytes)} MB, ` +
        `HTML median ${median} kB, max ${kilobytes(pageBytes.at(-1))} kB\n`,
    );
    if (values['skip-completeness']) return;
    const { pageCount, itemCounts, missing } = await checkFolder(folder);
    process.stdout.write(
      `  ${pageCount} pages, ${missing.length} of ${itemCounts.operation ?? 0} names and values missing\n`,
    );
    for (const { file, pieces } of missing.slice(0, 10))
      process.stdout.write(`    ${file}: ${pieces.join(' ')}\n`);
    if (missing.length > 0) process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
