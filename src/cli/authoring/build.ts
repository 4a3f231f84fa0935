import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { loadThemeFiles } from '../../compiler/assets/dist-files.ts';
import { chunksOf } from '../../compiler/bundle/bundle-file.ts';
import { bundleFiles } from '../../compiler/bundle/bundle-files.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { bundleIntegrationsNote } from '../../core/docs-json/settings/integrations.ts';
import { formatReport, type Output } from '../output.ts';
import { buildFolder } from './build-folder.ts';
import { contentDate, type ExportFlags, exportOptionsOf } from './export-flags.ts';

export interface BuildCommandOptions extends ExportFlags {
  out: string;
  /** Absolute address of the published site, for canonical links and the sitemap. */
  origin: string;
}

/** `docent build <folder> --out <folder>`: writes the static site as files. */
export async function runBuild(
  folder: string,
  options: BuildCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<void> {
  const { build, readFile } = await buildFolder(folder, output, fetchOutside);
  const out = resolve(options.out);
  const made = new Set<string>();
  let fileCount = 0;
  const theme = await loadThemeFiles();
  const files = bundleFiles({
    build,
    readFile,
    theme,
    origin: options.origin,
    options: exportOptionsOf(options, build.pages),
    createdAt: await contentDate(folder),
  });
  for await (const file of files) {
    const target = join(out, file.path);
    const parent = dirname(target);
    if (!made.has(parent)) await mkdir(parent, { recursive: true });
    made.add(parent);
    await writeFile(target, chunksOf(file));
    fileCount++;
  }
  output.note(formatReport(build.report));
  const note = bundleIntegrationsNote(build.config);
  if (note !== undefined) output.note(note);
  output.print(`${fileCount} files in ${out}`);
  output.json({ out, fileCount, report: build.report });
}
