import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { themeFilesOnDisk } from '@docent/compiler/assets/dist-files.ts';
import { bundleFiles } from '@docent/compiler/bundle/bundle-files.ts';
import { bundleNotes } from '@docent/compiler/bundle/bundle-manifest.ts';
import {
  createSignatureHash,
  SIGNATURE_ENDING,
  signBundle,
} from '@docent/compiler/bundle/bundle-signature.ts';
import { exportedBuild, visibleIndex } from '@docent/compiler/bundle/exported-build.ts';
import { readSigningKey, type SigningKey } from '@docent/compiler/bundle/signing-key.ts';
import { type BundleFile, chunksOf, hashed } from '@docent/compiler/files/bundle-file.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { TextSpool } from '@docent/compiler/files/text-spool.ts';
import { buildOffThread } from '@docent/compiler/off-thread/build-off-thread.ts';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import type { BuildReport, BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { hasFailed, type Severities, withSeverities } from '@docent/format/check/severities.ts';
import { DocentError } from '@docent/format/errors.ts';
import { canExport } from '@docent/format/exports/export-audience.ts';
import {
  archiveFormOf,
  type ExportAudience,
  type ExportOptions,
} from '@docent/format/exports/export-options.ts';
import { selectPages } from '@docent/format/exports/select-pages.ts';
import { contentDate, gitFactsOf } from '@docent/server/start/git-facts.ts';
import { localPagePack } from '@docent/server/start/local-page-pack.ts';
import { formatReport, type Output } from '../kernel/output.ts';
import { openLocalSources, type SourceFlag, withLocalPlaces } from './local-sources.ts';

/** Flags of the commands that create a bundle. */
interface ExportFlags {
  siteVersion?: string;
  language?: string;
  page?: string[];
  audience?: ExportAudience;
  omittedLinks: ExportOptions['omittedLinks'];
  basePath: string;
  assistantUrl?: string;
  analyticsUrl?: string;
}

export interface BuildCommandOptions extends ExportFlags, SourceFlag {
  out: string;
  /** `false`: the pages of the last build are not used, and those of this one not kept. */
  cache?: boolean;
  /** Fail on warnings, and then write nothing. */
  strict?: boolean;
  /** Severities by code; they take precedence over those of docs.json. */
  rule?: Severities;
  /** Absolute address of the published site, for canonical links and the sitemap. */
  origin: string;
}

/**
 * `docent build <folder> --out <folder>`: writes the static site as files. @returns exit code: 1 if `strict` refuses it
 */
export async function runBuild(
  folder: string,
  options: BuildCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<number> {
  return withBundle(folder, options, output, fetchOutside, (bundle) =>
    writeSite(bundle, options, output),
  );
}

async function writeSite(
  { build, report, files }: BuiltBundle,
  options: BuildCommandOptions,
  output: Output,
): Promise<number> {
  if (isRefused(report, options, output)) return 1;
  const out = resolve(options.out);
  let fileCount = 0;
  for await (const file of files) {
    const target = join(out, file.path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, chunksOf(file));
    fileCount++;
  }
  noteReport(build, report, output);
  output.result(`${fileCount} files in ${out}`, { out, fileCount, report });
  return 0;
}

export interface ExportCommandOptions extends BuildCommandOptions {
  signingKey?: string;
}

/**
 * `docent export <folder> --out <bundle.tar.gz>`, or `.tar.zst`: writes the static site as one archive, whole or not at all, with its hash
 * beside it and, with a key, its signature.
 * @returns exit code: 1 if `strict` refuses it
 */
export async function runExport(
  folder: string,
  options: ExportCommandOptions,
  output: Output,
  fetchOutside?: FetchOutside,
): Promise<number> {
  const key = options.signingKey === undefined ? undefined : await keyAt(options.signingKey);
  return withBundle(folder, options, output, fetchOutside, (bundle) =>
    writeArchive(bundle, options, output, key),
  );
}

async function writeArchive(
  { build, report, files }: BuiltBundle,
  options: ExportCommandOptions,
  output: Output,
  key: SigningKey | undefined,
): Promise<number> {
  if (isRefused(report, options, output)) return 1;
  const out = resolve(options.out);
  const { sizeBytes, sha256, signed } = await writeWhole(
    packBundle(files, archiveFormOf(out)),
    out,
  );
  await writeFile(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  if (key)
    await writeFile(
      out + SIGNATURE_ENDING,
      signBundle(signed, key, `file:${basename(out)}\tsha256:${sha256}`),
    );
  noteReport(build, report, output);
  output.result(
    `${out}: ${report.pageCount} pages, ${(sizeBytes / 1024 / 1024).toFixed(1)} MB, SHA-256 ${sha256}`,
    {
      out,
      sizeBytes,
      sha256,
      signed: key !== undefined,
      pageCount: report.pageCount,
      report,
    },
  );
  return 0;
}

function isRefused(
  report: BuildReport,
  { strict = false }: BuildCommandOptions,
  output: Output,
): boolean {
  if (!strict || !hasFailed(report.diagnostics, strict)) return false;
  output.note(formatReport(report));
  output.note('Nothing was written: correct this, or run it without --strict.');
  return true;
}

function noteReport(build: SiteBuild, report: BuildReport, output: Output): void {
  output.note(formatReport(report));
  for (const note of bundleNotes(build)) output.note(note);
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

interface BuiltBundle {
  build: SiteBuild;
  /** Names files where they are on disk, which is nobody else's business. */
  report: BuildReport;
  files: AsyncIterable<BundleFile>;
}

/**
 * Builds a documentation folder for the commands that need no platform, and passes on the files of
 * its bundle. Those of the build are in a temporary file, which is gone afterwards.
 * @param fetchOutside as in `BuildOptions`
 */
async function withBundle<Result>(
  folder: string,
  options: BuildCommandOptions,
  output: Output,
  fetchOutside: FetchOutside | undefined,
  use: (bundle: BuiltBundle) => Promise<Result>,
): Promise<Result> {
  const spool = new TextSpool<string>();
  try {
    return await use(await buildBundle(folder, options, output, fetchOutside, spool));
  } finally {
    await spool.close();
  }
}

async function buildBundle(
  folder: string,
  options: BuildCommandOptions,
  output: Output,
  fetchOutside: FetchOutside | undefined,
  spool: TextSpool<string>,
): Promise<BuiltBundle> {
  const root = resolve(folder);
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory()) throw new DocentError('build_failed', `There is no folder ${folder}.`);
  const { audience = 'public' } = options;
  const parts = await openLocalSources(options, folder);
  const whole = await buildOffThread(root, (bytes, file) => spool.add(file.sha256, bytes), {
    threads: availableParallelism(),
    fetchOutside,
    gitFacts: await gitFactsOf(root),
    parts,
    canSignIn: audience !== 'public',
    pagePack: await localPagePack(process.env, root, 'site', options.cache),
    onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
  });
  whole.report.diagnostics = withSeverities(whole.report.diagnostics, options.rule);
  const build =
    audience === 'public' ? whole : exportedBuild(whole, canExport(audience, { isPrivate: false }));
  const files = bundleFiles({
    build,
    readFile: (file) =>
      file === build.searchIndex ? readIndex(build, spool) : spool.readWhole(file.sha256),
    theme: await themeFilesOnDisk(),
    origin: options.origin,
    options: { ...exportOptionsOf(options, build.pages), audience },
    createdAt: (await contentDate(folder)) ?? new Date(0),
    onPage: (done, total) => output.progress(`Writing: ${done} of ${total} pages`),
  });
  const diagnostics = withLocalPlaces(build.report.diagnostics, root, parts);
  return { build, report: { ...build.report, diagnostics }, files };
}

async function readIndex(build: SiteBuild, spool: TextSpool<string>): Promise<Uint8Array> {
  const { partOf, sha256 } = build.searchIndex;
  return partOf
    ? visibleIndex(await spool.readWhole(partOf.sha256), build)
    : spool.readWhole(sha256);
}

/**
 * @throws DocentError `invalid_request`, or `invalid_paths` for paths that the site does not have
 */
function exportOptionsOf(flags: ExportFlags, pages: readonly BuiltPage[]): ExportOptions {
  const {
    siteVersion: version,
    language,
    page,
    omittedLinks,
    basePath,
    assistantUrl,
    analyticsUrl,
  } = flags;
  const paths = selectPages(pages, { version, language, paths: page }) ?? undefined;
  return { version, language, paths, omittedLinks, basePath, assistantUrl, analyticsUrl };
}
