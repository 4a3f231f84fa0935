import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { loadThemeFiles } from '../../compiler/assets/dist-files.ts';
import { chunksOf, hashed } from '../../compiler/bundle/bundle-file.ts';
import { bundleFiles } from '../../compiler/bundle/bundle-files.ts';
import { createSignatureHash, SIGNATURE_ENDING, signBundle } from '../../compiler/bundle/bundle-signature.ts';
import { packBundle } from '../../compiler/bundle/pack-bundle.ts';
import { readSigningKey, type SigningKey } from '../../compiler/bundle/signing-key.ts';
import { TextSpool } from '../../compiler/bundle/text-spool.ts';
import type { FetchOutside } from '../../compiler/outside/outside.ts';
import { buildOffThread } from '../../compiler/process/build-off-thread.ts';
import { bundleIntegrationsNote } from '../../core/docs-json/settings/integrations.ts';
import { DocentError } from '../../core/errors.ts';
import type { ExportOptions } from '../../core/exports/export-options.ts';
import { selectPages } from '../../core/exports/select-pages.ts';
import type { BuiltPage, FileEntry, SiteBuild } from '../../core/site-build.ts';
import { contentDate, gitFactsOf } from '../git-facts.ts';
import { formatReport, type Output } from '../output.ts';

/** Flags of the commands that create a bundle. */
interface ExportFlags {
  siteVersion?: string;
  language?: string;
  page?: string[];
  omittedLinks?: ExportOptions['omittedLinks'];
  basePath?: string;
  assistantUrl?: string;
  analyticsUrl?: string;
}

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
    createdAt: (await contentDate(folder)) ?? new Date(0),
  });
  for await (const file of files) {
    const target = join(out, file.path);
    const parent = dirname(target);
    if (!made.has(parent)) await mkdir(parent, { recursive: true });
    made.add(parent);
    await writeFile(target, chunksOf(file));
    fileCount++;
  }
  noteReport(build, output);
  output.result(`${fileCount} files in ${out}`, { out, fileCount, report: build.report });
}

export interface ExportCommandOptions extends BuildCommandOptions {
  signingKey?: string;
}

/**
 * `docent export <folder> --out <bundle.tar.gz>`: writes the static site as one archive, whole or not at all, with its hash
 * beside it and, with a key, its signature.
 */
export async function runExport(
  folder: string,
  options: ExportCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<void> {
  const key = options.signingKey === undefined ? undefined : await keyAt(options.signingKey);
  const { build, readFile: readBuilt } = await buildFolder(folder, output, fetchOutside);
  const out = resolve(options.out);
  const archive = packBundle(
    bundleFiles({
      build,
      readFile: readBuilt,
      theme: await loadThemeFiles(),
      origin: options.origin,
      options: exportOptionsOf(options, build.pages),
      createdAt: (await contentDate(folder)) ?? new Date(0),
      onPage: (done, total) => output.progress(`Packing: ${done} of ${total} pages`),
    }),
  );
  const { sizeBytes, sha256, signed } = await writeWhole(archive, out);
  await writeFile(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  if (key) await writeFile(out + SIGNATURE_ENDING, signBundle(signed, key, `file:${basename(out)}\tsha256:${sha256}`));
  noteReport(build, output);
  const { report } = build;
  output.result(`${out}: ${report.pageCount} pages, ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, SHA-256 ${sha256}`, {
    out,
    sizeBytes,
    sha256,
    signed: key !== undefined,
    pageCount: report.pageCount,
    report,
  });
}

function noteReport({ report, config }: SiteBuild, output: Output): void {
  output.note(formatReport(report));
  const note = bundleIntegrationsNote(config);
  if (note !== undefined) output.note(note);
}

async function keyAt(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new DocentError('invalid_setting', `There is no signing key at ${file}.`, { cause });
  });
  return readSigningKey(text);
}

/** Writes to a temporary file first; the previous file stays until the new one is complete. */
async function writeWhole(
  chunks: AsyncIterable<Uint8Array>,
  out: string,
): Promise<{ sizeBytes: number; sha256: string; signed: Buffer }> {
  const unfinished = `${out}.${process.pid}.part`;
  const hash = createHash('sha256');
  const signed = createSignatureHash();
  try {
    await writeFile(unfinished, hashed(chunks, hash, signed), { flush: true });
    const { size: sizeBytes } = await stat(unfinished);
    // The signature of a different archive must never be beside this one.
    await rm(out + SIGNATURE_ENDING, { force: true });
    await rename(unfinished, out);
    return { sizeBytes, sha256: hash.digest('hex'), signed: signed.digest() };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A build made locally, with its files in a temporary folder. */
interface FolderBuild {
  build: SiteBuild;
  readFile: (file: FileEntry) => Promise<Uint8Array>;
}

/**
 * Builds a documentation folder for the commands that need no platform.
 * @param fetchOutside as in `BuildOptions`
 */
async function buildFolder(folder: string, output: Output, fetchOutside?: FetchOutside): Promise<FolderBuild> {
  const root = resolve(folder);
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory()) throw new DocentError('build_failed', `There is no folder ${folder}.`);
  const held = new TextSpool<string>();
  const build = await buildOffThread(root, (bytes, file) => held.add(file.sha256, bytes), {
    threads: availableParallelism(),
    fetchOutside,
    gitFacts: await gitFactsOf(root),
    onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
  });
  return {
    build,
    async readFile(file) {
      if (!held.has(file.sha256)) throw new Error(`The build has no file ${file.sha256}.`);
      return held.readWhole(file.sha256);
    },
  };
}

/** @throws DocentError `invalid_request`, or `invalid_paths` for paths that the site does not have */
function exportOptionsOf(flags: ExportFlags, pages: readonly BuiltPage[]): ExportOptions {
  const { siteVersion, language, page, assistantUrl, analyticsUrl } = flags;
  const wanted = {
    ...(siteVersion !== undefined && { version: siteVersion }),
    ...(language !== undefined && { language }),
    ...(page !== undefined && { paths: page }),
  };
  const paths = selectPages(pages, wanted);
  return {
    ...wanted,
    ...(paths !== null && { paths }),
    omittedLinks: flags.omittedLinks ?? 'live',
    basePath: flags.basePath ?? '',
    ...(assistantUrl !== undefined && { assistantUrl }),
    ...(analyticsUrl !== undefined && { analyticsUrl }),
  };
}
