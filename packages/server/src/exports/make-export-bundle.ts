import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSignatureHash, signBundle } from '@docent/compiler/bundle/bundle-signature.ts';
import { readSigningKey, type SigningKey } from '@docent/compiler/bundle/signing-key.ts';
import { hashed } from '@docent/compiler/files/bundle-file.ts';
import { exportOffThread } from '@docent/compiler/off-thread/export-off-thread.ts';
import { DocentError } from '@docent/format/errors.ts';
import { type ExportReport, exportFailure } from '@docent/format/exports/export-report.ts';
import { mediaTypeOf } from '@docent/format/media-types.ts';
import { noRules } from '@docent/search/search-rules.ts';
import type { Deps } from '../kernel/deps.ts';
import { publicUrlOf } from '../kernel/sites/site-address.ts';
import { findSite, findSiteSettings } from '../kernel/sites/site-queries.ts';
import { readRange } from '../search/search-scripts.ts';
import { type ExportJobRow, findExportSource, optionsOfJob } from './job-queries.ts';
import { type ExportRun, type FinishedBundle, recordExportProgress } from './run-queries.ts';

type BundleDeps = Pick<Deps, 'database' | 'blobs' | 'clock' | 'config' | 'logger'>;

/** The content cannot be exported: a retry would fail the same way. */
export class ExportRefused extends Error {
  readonly report: ExportReport;

  constructor(reason: string, report: ExportReport) {
    super(reason);
    this.report = report;
  }
}

/** Folder of the bundles; each name begins with its job's id. */
export const BUNDLE_FOLDER = 'bundles/';

/** Returns the job of a key under `BUNDLE_FOLDER`. */
export function jobOfBundle(key: string): string | undefined {
  return /^bundles\/(se_[0-9a-f]{16})\./.exec(key)?.[1];
}

/**
 * Packs the deployment that the job was started for, regardless of later publishes, and streams the
 * archive into the blob store, where it appears whole or not at all.
 * @throws ExportRefused if too many pages failed
 */
export async function makeExportBundle(
  deps: BundleDeps,
  job: ExportJobRow,
  run: ExportRun,
  signal: AbortSignal,
): Promise<{ bundle: FinishedBundle; report: ExportReport }> {
  const { blobs, database } = deps;
  const progress = createProgressWriter(deps, run);
  const source = await findExportSource(database.queries, job.deploymentId);
  if (!source) throw new Error(`The deployment ${job.deploymentId} has no build.`);
  const site = await findSite(database.queries, job.siteId);
  if (!site) throw new Error(`The site ${job.siteId} is missing.`);
  let report: ExportReport = { pageCount: 0, failedPages: [], errors: [] };
  const { archive: form = 'tar.gz', ...options } = optionsOfJob(job);
  const start = {
    manifestKey: source.manifestKey,
    form,
    isPrivate: site.access.isPrivate,
    origin: publicUrlOf(site, deps.config),
    security: site.security,
    options,
    createdAt: source.publishedAt,
    searchRules: {
      ...noRules,
      ...(await findSiteSettings(database.queries, site.id, 'assistant_settings')),
    },
    store: blobs.reader,
  };
  const chunks = exportOffThread(start, {
    store: {
      read: ({ key, range }) => (range ? readRange(blobs, key, range) : blobs.read(key)),
      has: async (key) => (await blobs.stat(key)) !== undefined,
    },
    onPage: progress.note,
    onReport: (exportReport) => {
      report = exportReport;
      const failure = exportFailure(exportReport);
      if (failure !== undefined) throw new ExportRefused(failure, exportReport);
    },
    signal,
    memoryMb: deps.config.publishing.budget.memoryMb,
  });
  const signingKey = await readBundleSigningKey(deps.config);
  const archiveHash = createHash('sha256');
  const signatureHash = signingKey && createSignatureHash();
  // Each attempt has its own, so that a slow one replaces nothing.
  const key = `${BUNDLE_FOLDER}${run.jobId}.${run.runId}.${form}`;
  const archive = hashed(chunks, archiveHash, ...(signatureHash ? [signatureHash] : []));
  const { sizeBytes } = await blobs.put(key, archive, { contentType: mediaTypeOf(key), signal });
  await progress.flush();
  const sha256 = archiveHash.digest('hex');
  const signature =
    signingKey && signatureHash
      ? signBundle(signatureHash.digest(), signingKey, `job:${job.id}\tsha256:${sha256}`)
      : null;
  return { bundle: { key, sizeBytes, sha256, signature }, report };
}

/**
 * Returns the operator's key, if there is one.
 * @throws DocentError `invalid_setting` if it cannot be read
 */
export async function readBundleSigningKey({
  exports,
}: Pick<Deps['config'], 'exports'>): Promise<SigningKey | undefined> {
  const { signingKeyFile } = exports;
  if (signingKeyFile === undefined) return undefined;
  const text = await readFile(signingKeyFile, 'utf8').catch((cause) => {
    throw new DocentError(
      'invalid_setting',
      `DOCENT_BUNDLE_SIGNING_KEY: there is no file ${signingKeyFile}.`,
      { cause },
    );
  });
  return readSigningKey(text);
}

/** Minimum interval between progress updates. */
const PROGRESS_INTERVAL_MS = 200;
/** Share of the pages in the progress; the rest is assets and the end of the upload. */
const PAGES_SHARE = 95;

/** Writes the latest progress, one write at a time. A failed write must not fail the export. */
export function createProgressWriter({ database, clock, logger }: BundleDeps, run: ExportRun) {
  let writing: Promise<void> | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    note(done: number, total: number): void {
      if (
        writing !== undefined ||
        (performance.now() - writtenAt < PROGRESS_INTERVAL_MS && done < total)
      )
        return;
      writtenAt = performance.now();
      const progress = Math.floor((done / Math.max(total, 1)) * PAGES_SHARE);
      writing = recordExportProgress(database.queries, run, {
        progress,
        pageCount: done,
        totalPages: total,
        now: clock.now(),
      })
        .catch((error) =>
          logger.warn({ jobId: run.jobId, error: String(error) }, 'progress could not be stored'),
        )
        .finally(() => {
          writing = undefined;
        });
    },
    flush: async () => writing,
  };
}
