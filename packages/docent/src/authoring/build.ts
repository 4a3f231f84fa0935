import { createHash, type Hash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  createSignatureHash,
  SIGNATURE_ENDING,
  signBundle,
} from '@docent/compiler/bundle/bundle-signature.ts';
import { readSigningKey, type SigningKey } from '@docent/compiler/bundle/signing-key.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import type { FetchOutside } from '@docent/compiler/outside/outside.ts';
import type { BuildReport } from '@docent/format/build/site-build.ts';
import { hasFailed } from '@docent/format/check/severities.ts';
import { DocentError } from '@docent/format/errors.ts';
import { archiveFormOf } from '@docent/format/exports/export-options.ts';
import { localBundle } from '@docent/server/start/local-page-pack.ts';
import { formatReport, type Output } from '../kernel/output.ts';
import { type BuildCommandOptions, readBundleInputs } from './bundle-inputs.ts';
import {
  answerHash,
  type BundleFacts,
  type BundleForm,
  BundleKeeper,
  type BundlePiece,
  DamagedBundle,
  type FinishedBundle,
  openFinishedBundle,
} from './finished-bundle.ts';

/** Runs what needs the fetchers, opened for as long as that takes; they take long to load. */
export type WithOutside = <Value>(
  run: (fetchOutside: FetchOutside | undefined) => Promise<Value>,
) => Promise<Value>;

const FETCH_NOTHING: WithOutside = (run) => run(undefined);

/**
 * `docent build <folder> --out <folder>`: writes the static site as files. @returns exit code: 1 if `strict` refuses it
 */
export async function runBuild(
  folder: string,
  options: BuildCommandOptions,
  output: Output,
  withOutside = FETCH_NOTHING,
): Promise<number> {
  return withBundle(folder, 'files', { options, output, withOutside }, (bundle) =>
    writeSite(bundle, options, output),
  );
}

async function writeSite(
  { report, notes, pieces }: Bundle,
  options: BuildCommandOptions,
  output: Output,
): Promise<number> {
  if (isRefused(report, options, output)) return 1;
  const out = resolve(options.out);
  let fileCount = 0;
  for await (const { path, chunks } of pieces) {
    const target = join(out, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, chunks);
    fileCount++;
  }
  noteReport(report, notes, output);
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
  withOutside = FETCH_NOTHING,
): Promise<number> {
  const key = options.signingKey === undefined ? undefined : await keyAt(options.signingKey);
  const form = archiveFormOf(resolve(options.out));
  return withBundle(folder, form, { options, output, withOutside }, (bundle) =>
    writeArchive(bundle, options, output, key),
  );
}

async function writeArchive(
  { report, notes, pieces }: Bundle,
  options: ExportCommandOptions,
  output: Output,
  key: SigningKey | undefined,
): Promise<number> {
  if (isRefused(report, options, output)) return 1;
  const out = resolve(options.out);
  const signed = key && createSignatureHash();
  const { sizeBytes, sha256 } = await writeWhole(onlyOf(pieces), out, signed);
  await writeFile(`${out}.sha256`, `${sha256}  ${basename(out)}\n`);
  if (key && signed)
    await writeFile(
      out + SIGNATURE_ENDING,
      signBundle(signed.digest(), key, `file:${basename(out)}\tsha256:${sha256}`),
    );
  noteReport(report, notes, output);
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

function noteReport(report: BuildReport, notes: readonly string[], output: Output): void {
  output.note(formatReport(report));
  for (const note of notes) output.note(note);
}

/** The chunks of the archive. */
async function* onlyOf(pieces: AsyncIterable<BundlePiece>): AsyncGenerator<Uint8Array> {
  for await (const { chunks } of pieces) yield* chunks;
}

async function keyAt(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new DocentError('invalid_setting', `There is no signing key at ${file}.`, { cause });
  });
  return readSigningKey(text);
}

/**
 * Writes to a temporary file first; the previous file stays until the new one is complete.
 * @param signed receives every byte
 */
async function writeWhole(
  chunks: AsyncIterable<Uint8Array>,
  out: string,
  signed: Hash | undefined,
): Promise<{ sizeBytes: number; sha256: string }> {
  const unfinished = `${out}.${process.pid}.part`;
  const hash = createHash('sha256');
  try {
    const hashes = signed ? [hash, signed] : [hash];
    await writeFile(unfinished, hashed(chunks, ...hashes), { flush: true });
    const { size: sizeBytes } = await stat(unfinished);
    // The signature of a different archive must never be beside this one.
    await rm(out + SIGNATURE_ENDING, { force: true });
    await rename(unfinished, out);
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A bundle that a command writes, just built or finished before. */
interface Bundle extends Pick<BundleFacts, 'notes'> {
  /** Names files where they are on disk, which is nobody else's business. */
  report: BuildReport;
  pieces: AsyncIterable<BundlePiece>;
}

interface Command {
  options: BuildCommandOptions;
  output: Output;
  withOutside: WithOutside;
}

/**
 * Passes on the bundle of a documentation folder to be written: the finished one of the last such
 * command if a build would give the same, otherwise a new one, which it keeps. Loads what builds only
 * if there is something to build.
 * @param write returns the exit code of the command
 */
async function withBundle(
  folder: string,
  form: BundleForm,
  command: Command,
  write: (bundle: Bundle) => Promise<number>,
): Promise<number> {
  const startedAt = performance.now();
  const { options, output, withOutside } = command;
  const root = resolve(folder);
  const stats = await stat(root).catch(() => undefined);
  if (!stats?.isDirectory()) throw new DocentError('build_failed', `There is no folder ${folder}.`);
  const inputs = await readBundleInputs(root, form, options, process.env);
  const place = inputs.key && (await localBundle(process.env, inputs.name));
  const finished = place && openFinishedBundle(place, inputs.key as string);
  if (finished) {
    const code = await writeFinished(finished, withOutside, startedAt, write);
    if (code !== undefined) return code;
  }
  const { DamagedPack, makeBundle } = await import('./make-bundle.ts');
  const make = async () => {
    const keeper = place ? new BundleKeeper(place) : undefined;
    try {
      return await withOutside((fetchOutside) =>
        makeBundle(inputs, form, { options, output, fetchOutside }, async (bundle) => {
          const pieces = keeper?.copied(bundle.pieces) ?? bundle.pieces;
          const code = await write({ ...bundle, pieces });
          const isKept = code === 0 && bundle.isRepeatable && inputs.areSame();
          if (isKept && inputs.key !== undefined) keeper?.finish(inputs.key, bundle);
          return code;
        }),
      );
    } finally {
      keeper?.close();
    }
  };
  try {
    return await make();
  } catch (error) {
    // It is deleted.
    if (error instanceof DamagedPack) return make();
    throw error;
  }
}

/** @returns undefined if a build is needed: it would fetch something else, or the file is damaged */
async function writeFinished(
  finished: FinishedBundle,
  withOutside: WithOutside,
  startedAt: number,
  write: (bundle: Bundle) => Promise<number>,
): Promise<number | undefined> {
  try {
    if (!(await fetchesTheSame(finished, withOutside))) return undefined;
    const durationMs = Math.round(performance.now() - startedAt);
    return await write({ ...finished, report: { ...finished.report, durationMs } });
  } catch (error) {
    if (error instanceof DamagedBundle) return undefined;
    throw error;
  } finally {
    finished.close();
  }
}

async function fetchesTheSame(
  { fetched }: BundleFacts,
  withOutside: WithOutside,
): Promise<boolean> {
  if (fetched.length === 0) return true;
  return withOutside(async (fetchOutside) => {
    if (!fetchOutside) return false;
    const answers = fetched.map(async ({ url, request, sha256 }) => {
      return answerHash(await fetchOutside(url, request)) === sha256;
    });
    return (await Promise.all(answers)).every(Boolean);
  });
}
