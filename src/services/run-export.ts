import { createHash } from 'node:crypto';
import { bundleFiles } from '../build/bundle-files.ts';
import { fileKey } from '../build/file-sink.ts';
import { packBundle } from '../build/pack-bundle.ts';
import { loadThemeFiles } from '../build/theme-files.ts';
import type { BuiltPage, SiteBuild } from '../core/site-build.ts';
import {
  claimExportJob,
  completeExportJob,
  type ExportJobRow,
  type FinishedBundle,
  failExportJob,
  recordExportProgress,
} from '../db/export-jobs.ts';
import { findManifestKey } from '../db/live-sites.ts';
import type { JobContext } from '../ports/job-queue.ts';
import type { Deps } from './deps.ts';
import { publicUrlOfSite } from './site-address.ts';

type ExportDeps = Pick<Deps, 'database' | 'blobs' | 'clock' | 'config' | 'logger'>;

/** Progress is written no more often than this. */
const PROGRESS_INTERVAL_MS = 200;
/** Part of the progress that the pages are; the rest is assets and the end of the upload. */
const PAGES_SHARE = 95;

/**
 * Exports a site as one archive. May run again from the beginning at any time: the archive appears in the store whole,
 * and only the row of a completed job leads to it.
 */
export async function runExport(deps: ExportDeps, jobId: string, context: JobContext): Promise<void> {
  const { database, clock, logger } = deps;
  const job = await claimExportJob(database.queries, jobId, clock.now());
  if (!job) return;
  try {
    const { bundle, pageCount } = await makeBundle(deps, job, context.signal);
    await completeExportJob(database.queries, jobId, { bundle, pageCount, now: clock.now() });
    logger.info({ jobId, pages: pageCount, sizeBytes: bundle.sizeBytes }, 'export completed');
  } catch (error) {
    logger.error(
      { jobId, attempt: context.attempt, error: error instanceof Error ? error.message : String(error) },
      'export failed',
    );
    if (context.signal.aborted || !context.lastAttempt) throw error;
    await giveUpExport(deps, jobId);
  }
}

/** Ends a job that was tried often enough, so that nobody waits for it. Nothing happens where it has ended. */
export async function giveUpExport({ database, clock }: Pick<Deps, 'database' | 'clock'>, jobId: string): Promise<void> {
  await failExportJob(database.queries, jobId, {
    error: 'The server failed while it packed the bundle; start a new job.',
    now: clock.now(),
  });
}

async function makeBundle(
  deps: ExportDeps,
  job: ExportJobRow,
  signal: AbortSignal,
): Promise<{ bundle: FinishedBundle; pageCount: number }> {
  const { blobs } = deps;
  const build = await readManifest(deps, job.deploymentId);
  const progress = createProgressWriter(deps, job.id);
  let pageCount = 0;
  const archive = packBundle(
    bundleFiles({
      build,
      readFile: async (file) => {
        signal.throwIfAborted();
        const bytes = await blobs.read(fileKey(file));
        if (!bytes) throw new Error(`The file ${file.sha256} is missing from the blob store.`);
        return bytes;
      },
      theme: await loadThemeFiles(),
      origin: await publicUrlOfSite(deps, job.siteId),
      select: selectionOf(job),
      onPage: (done, total) => {
        pageCount = done;
        progress.note(done, total);
      },
    }),
  );
  const hash = createHash('sha256');
  const key = `bundles/${job.id}.tar.gz`;
  const { sizeBytes } = await blobs.put(key, hashed(archive, hash), { contentType: 'application/gzip', signal });
  await progress.flush();
  return { bundle: { key, sizeBytes, sha256: hash.digest('hex') }, pageCount };
}

async function readManifest({ database, blobs }: ExportDeps, deploymentId: string): Promise<SiteBuild> {
  const key = await findManifestKey(database.queries, deploymentId);
  const bytes = key === undefined ? undefined : await blobs.read(key);
  if (!bytes) throw new Error(`The manifest of deployment ${deploymentId} is missing.`);
  return JSON.parse(new TextDecoder().decode(bytes)) as SiteBuild;
}

/** Pages of the version that was asked for (and those that belong to none), and of the paths that were asked for. */
function selectionOf({ version, paths }: ExportJobRow): (page: BuiltPage) => boolean {
  const wanted = paths === null ? undefined : new Set(paths.map((path) => path.replace(/^\/+/, '')));
  return (page) => {
    if (version !== null && page.version !== undefined && page.version !== version) return false;
    return wanted === undefined || wanted.has(page.path) || wanted.has(page.href.slice(1));
  };
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Writes the newest progress, one write at a time. A write that fails is no reason to fail the export. */
function createProgressWriter({ database, clock, logger }: ExportDeps, jobId: string) {
  let writing: Promise<void> = Promise.resolve();
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    note(done: number, total: number): void {
      if (performance.now() - writtenAt < PROGRESS_INTERVAL_MS && done < total) return;
      writtenAt = performance.now();
      const progress = Math.floor((done / Math.max(total, 1)) * PAGES_SHARE);
      writing = writing.then(() =>
        recordExportProgress(database.queries, jobId, { progress, pageCount: done, totalPages: total, now: clock.now() }).catch(
          (error) => logger.warn({ jobId, error: String(error) }, 'progress was not written'),
        ),
      );
    },
    flush: () => writing,
  };
}
