import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { bundleFiles } from '../build/bundle-files.ts';
import { packBundle } from '../build/pack-bundle.ts';
import { loadThemeFiles } from '../build/theme-files.ts';
import type { BuildCommandOptions } from './build.ts';
import { buildFolder } from './build-folder.ts';
import { formatReport, type Output } from './output.ts';

/** `docent export <folder> --out <bundle.tar.gz>`: the static site as one archive, whole or not at all. */
export async function runExport(folder: string, options: BuildCommandOptions, output: Output): Promise<void> {
  const { build, readFile } = await buildFolder(folder, output);
  const out = resolve(options.out);
  const unfinished = `${out}.${process.pid}.part`;
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const archive = packBundle(
    bundleFiles({
      build,
      readFile,
      theme: await loadThemeFiles(),
      origin: options.origin,
      onPage: (done, total) => output.progress(`Packing: ${done} of ${total} pages`),
    }),
  );
  const file = await open(unfinished, 'w');
  try {
    for await (const chunk of archive) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      await file.write(chunk);
    }
    await file.sync();
    await file.close();
    await rename(unfinished, out);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
  const sha256 = hash.digest('hex');
  output.note(formatReport(build.report));
  output.print(`${out}: ${build.report.pageCount} pages, ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, SHA-256 ${sha256}`);
  output.json({ out, sizeBytes, sha256, pageCount: build.report.pageCount, report: build.report });
}
