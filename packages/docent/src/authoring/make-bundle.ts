import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { themeFilesOnDisk } from '@docent/compiler/assets/dist-files.ts';
import { bundleFiles } from '@docent/compiler/bundle/bundle-files.ts';
import { bundleNotes } from '@docent/compiler/bundle/bundle-manifest.ts';
import { exportedBuild, visibleIndex } from '@docent/compiler/bundle/exported-build.ts';
import { type KeptParts, openKeptParts } from '@docent/compiler/bundle/kept-parts.ts';
import { type BundleFile, chunksOf } from '@docent/compiler/files/bundle-file.ts';
import { packBundle } from '@docent/compiler/files/pack-bundle.ts';
import { TextSpool } from '@docent/compiler/files/text-spool.ts';
import { buildOffThread } from '@docent/compiler/off-thread/build-off-thread.ts';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import {
  DamagedPack,
  openPackedContents,
  type PackedContents,
  type PagePackFiles,
} from '@docent/compiler/pages/page-pack.ts';
import { PASSING_FAULTS } from '@docent/compiler/pages/page-result.ts';
import type { BuiltPage, SiteBuild } from '@docent/format/build/site-build.ts';
import { type Severities, withSeverities } from '@docent/format/check/severities.ts';
import { canExport } from '@docent/format/exports/export-audience.ts';
import type { ArchiveForm, ExportOptions } from '@docent/format/exports/export-options.ts';
import { selectPages } from '@docent/format/exports/select-pages.ts';
import { localBundleParts, localPagePack } from '@docent/server/start/local-page-pack.ts';
import type { Output } from '../kernel/output.ts';
import type { BuildCommandOptions, BundleInputs, ExportFlags } from './bundle-inputs.ts';
import {
  answerHash,
  type BundleFacts,
  type BundleForm,
  type BundlePiece,
  type FetchedAnswer,
} from './finished-bundle.ts';
import { withLocalPlaces } from './local-sources.ts';

export { DamagedPack };

interface BuiltBundle extends BundleFacts {
  pieces: AsyncIterable<BundlePiece>;
  /** Whether the same inputs and answers give the same bundle again, also on another day. */
  isRepeatable: boolean;
}

interface Command {
  options: BuildCommandOptions;
  output: Output;
  /** As in `BuildOptions`. */
  fetchOutside: FetchOutside | undefined;
}

/**
 * Builds a documentation folder for the commands that need no platform, and passes on its bundle.
 * @throws DamagedPack if something that an earlier command kept is damaged, once that is deleted
 */
export async function makeBundle<Result>(
  inputs: BundleInputs,
  form: BundleForm,
  command: Command,
  use: (bundle: BuiltBundle) => Promise<Result>,
): Promise<Result> {
  const { root } = inputs;
  const pagePack = await localPagePack(process.env, root, 'site', command.options.cache);
  const stored = new BuildFiles(pagePack);
  const kept = await openParts(inputs, form, command.options);
  if (kept?.hasFormer) for (const flag of BRIEF) setFlagsFromString(flag);
  try {
    const { files, ...bundle } = await buildBundle(inputs, command, stored, kept);
    const pieces = form === 'files' ? piecesOf(files) : archivePiece(files, form, kept);
    return await use({ ...bundle, pieces });
  } catch (error) {
    if (error instanceof DamagedPack)
      for (const path of [pagePack?.to, kept?.path])
        if (path !== undefined) rmSync(path, { force: true });
    throw error;
  } finally {
    kept?.close();
    stored.close();
  }
}

/**
 * What copies most of a bundle needs little memory, and ends soon: it need not collect garbage as
 * often as `scripts/launch.mjs` has it, and optimizes only what runs long enough to gain from it.
 */
const BRIEF = [
  '--heap-growing-percent=0',
  '--invocation-count-for-maglev=2000',
  '--invocation-count-for-turbofan=12000',
];

/** Undefined if nothing is kept: the parts of an archive are those of gzip alone. */
async function openParts(
  { name, program }: BundleInputs,
  form: BundleForm,
  { cache }: BuildCommandOptions,
): Promise<KeptParts | undefined> {
  if (cache === false || form !== 'tar.gz') return undefined;
  const path = await localBundleParts(process.env, name);
  return path === undefined ? undefined : openKeptParts(path, program);
}

/**
 * The files of a build: those that it sends, in a temporary file; and pages of the last build, where
 * they are.
 */
class BuildFiles {
  readonly pagePack: PagePackFiles | undefined;
  readonly #kept: PackedContents | undefined;
  readonly #spool = new TextSpool<string>();

  constructor(pagePack: PagePackFiles | undefined) {
    this.pagePack = pagePack;
    this.#kept = pagePack?.from === undefined ? undefined : openPackedContents(pagePack.from);
  }

  async add(sha256: string, bytes: Uint8Array): Promise<void> {
    this.#spool.add(sha256, bytes);
  }

  isKept(sha256: string): boolean {
    return this.#kept?.has(sha256) ?? false;
  }

  async read(sha256: string): Promise<Uint8Array> {
    return this.#kept?.has(sha256) ? this.#kept.read(sha256) : this.#spool.readWhole(sha256);
  }

  close(): void {
    this.#kept?.close();
    this.#spool.close();
  }
}

async function* piecesOf(files: AsyncIterable<BundleFile>): AsyncGenerator<BundlePiece> {
  for await (const file of files) yield { path: file.path, chunks: chunksOf(file) };
}

async function* archivePiece(
  files: AsyncIterable<BundleFile>,
  form: ArchiveForm,
  kept: KeptParts | undefined,
): AsyncGenerator<BundlePiece> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* packBundle(files, form, kept?.runs);
    kept?.finish();
  }
  yield { path: '', chunks: chunks() };
}

async function buildBundle(
  { root, gitFacts, parts, createdAt }: BundleInputs,
  { options, output, fetchOutside }: Command,
  stored: BuildFiles,
  kept: KeptParts | undefined,
): Promise<Omit<BuiltBundle, 'pieces'> & { files: AsyncIterable<BundleFile> }> {
  const { audience = 'public' } = options;
  const fetched: FetchedAnswer[] = [];
  const whole = await buildOffThread(root, (bytes, file) => stored.add(file.sha256, bytes), {
    threads: availableParallelism(),
    fetchOutside: fetchOutside && recorded(fetchOutside, fetched),
    gitFacts,
    parts,
    canSignIn: audience !== 'public',
    pagePack: stored.pagePack,
    hasFile: async ({ sha256 }) => stored.isKept(sha256),
    onProgress: (done, total) => output.progress(`Building: ${done} of ${total} pages`),
  });
  const isRepeatable = isRepeatableBuild(whole);
  whole.report.diagnostics = withSeverities(whole.report.diagnostics, options.rule);
  const build =
    audience === 'public' ? whole : exportedBuild(whole, canExport(audience, { isPrivate: false }));
  const files = bundleFiles({
    build,
    readFile: (file) =>
      file === build.searchIndex ? readIndex(build, stored) : stored.read(file.sha256),
    theme: await themeFilesOnDisk(),
    origin: options.origin,
    options: { ...exportOptionsOf(options, build.pages), audience },
    createdAt: createdAt ?? new Date(0),
    kept,
    onPage: (done, total) => output.progress(`Writing: ${done} of ${total} pages`),
  });
  const diagnostics = withLocalPlaces(build.report.diagnostics, root, parts);
  const report = { ...build.report, diagnostics };
  return { report, notes: bundleNotes(build), fetched, isRepeatable, files };
}

/** Remembers what was fetched. */
function recorded(fetchOutside: FetchOutside, fetched: FetchedAnswer[]): FetchOutside {
  return async (url, request) => {
    const answer = await fetchOutside(url, request);
    fetched.push({ url, request, sha256: answerHash(answer) });
    return answer;
  };
}

/** A page that ran out of time may succeed the next time; rules may hide that it did. */
function isRepeatableBuild({ report, config }: SiteBuild): boolean {
  const { checks = {} }: { checks?: Severities } = config;
  return (
    !report.diagnostics.some(({ code }) => PASSING_FAULTS.has(code)) &&
    ![...PASSING_FAULTS].some((code) => Object.hasOwn(checks, code))
  );
}

async function readIndex(build: SiteBuild, stored: BuildFiles): Promise<Uint8Array> {
  const { partOf, sha256 } = build.searchIndex;
  return partOf ? visibleIndex(await stored.read(partOf.sha256), build) : stored.read(sha256);
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
