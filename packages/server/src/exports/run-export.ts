import { randomBytes } from 'node:crypto';
import { DEPENDENCIES } from '@docent/format/dependencies.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { outageOf } from '@docent/format/outages.ts';
import { requireRoomForBundle } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { retry } from '../kernel/jobs/retry.ts';
import { type Attempt, runAttempt } from '../kernel/jobs/run-attempt.ts';
import { exportSlots } from '../kernel/jobs/slots.ts';
import type { Transaction } from '../ports/database.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { type EmitDeps, emitEvent } from '../webhooks-out/emit/emit-event.ts';
import { type ExportJobRow, findPlaceOfExport } from './job-queries.ts';
import { ExportRefused, makeExportBundle } from './make-export-bundle.ts';
import {
  claimExportJob,
  completeExportJob,
  countExportFailure,
  type ExportRun,
  failExportJob,
  isBundleOfJob,
  ownsExportJob,
  postponeExport,
  touchExportJob,
} from './run-queries.ts';

type ExportDeps = Pick<Deps, 'database' | 'blobs' | 'clock' | 'config' | 'logger' | 'jobs'>;

const MAX_FAILURES = 5;
const COMPLETE_FOR_MS = 30_000;

/**
 * Exports a site as one archive. May run again from the beginning at any time, even while another
 * process works on the same job: the last to start holds it, each writes its archive to its own
 * key, and only the row of a completed job refers to one.
 */
export async function runExport(
  deps: ExportDeps,
  jobId: string,
  context: JobContext,
): Promise<void> {
  const run: ExportRun = { jobId, runId: randomBytes(6).toString('hex') };
  const job = await claimExportJob(deps.database.queries, run, deps.clock.now());
  if (!job) return;
  await runAttempt(attemptOf(deps, job, run), context, deps.logger);
}

function attemptOf(deps: ExportDeps, job: ExportJobRow, run: ExportRun): Attempt {
  const { database, clock, logger } = deps;
  const ids = { ...idsOf(job), attempt: job.attempts };
  return {
    work: (signal) => exportOnce(deps, job, run, signal),
    beat: heartbeatOf(deps, run),
    beatFailure: `the state of the export ${run.jobId} could not be read`,
    onLost: () =>
      logger.info(ids, 'an export was stopped: it was canceled, or another worker has it'),
    async postpone(waitingFor, waitSeconds, cause) {
      logger.warn({ ...ids, waitingFor, waitSeconds, error: errorMessage(cause) }, 'export waits');
      const now = clock.now();
      const until = new Date(now.getTime() + waitSeconds * 1000);
      await postponeExport(database.queries, run, { waitingFor, until, now });
    },
    isFinal: (error) => error instanceof ExportRefused || isPastQuota(error),
    countFailure(error) {
      logger.error({ ...ids, error: errorMessage(error) }, 'export failed');
      return countExportFailure(database.queries, run, clock.now());
    },
    maxFailures: MAX_FAILURES,
    fail: (error) => endFailed(deps, job, error, run.runId),
  };
}

async function exportOnce(
  deps: ExportDeps,
  job: ExportJobRow,
  run: ExportRun,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, blobs, logger } = deps;
  await requireRoomForBundle(deps, database.queries, job.organizationId);
  const exportResult = await makeExportBundle(deps, job, run, signal);
  const { bundle, report } = exportResult;
  const complete = () =>
    exportSlots.within(deps, job.organizationId, async (transaction) => {
      const isDone = await completeExportJob(transaction, run, {
        ...exportResult,
        now: clock.now(),
      });
      if (isDone) await emitExport(deps, transaction, 'completed', job);
      return isDone;
    });
  // Minutes of work are not discarded because the database is unavailable for a moment.
  const isNow = await retry(complete, { forMs: COMPLETE_FOR_MS, signal });
  // A lost answer may have been a yes.
  const isOurs = isNow || (await isBundleOfJob(database.queries, job.id, bundle.key));
  if (isOurs)
    logger.info(
      { ...idsOf(job), pages: report.pageCount, sizeBytes: bundle.sizeBytes },
      'export completed',
    );
  else await blobs.delete(bundle.key);
}

/** Marks a job as failed, unless it has ended, and starts the next of its organization. */
async function endFailed(
  deps: Pick<Deps, 'database' | 'clock' | 'jobs' | 'config'>,
  job: Pick<ExportJobRow, 'id' | 'siteId' | 'organizationId'>,
  reason: unknown,
  runId?: string,
): Promise<void> {
  const failure = describeFailure(reason);
  const failed = { ...failure, now: deps.clock.now(), ...(runId !== undefined && { runId }) };
  await exportSlots.within(deps, job.organizationId, async (transaction) => {
    if (await failExportJob(transaction, job.id, failed))
      await emitExport(deps, transaction, 'failed', job, failed.error);
  });
}

async function emitExport(
  deps: EmitDeps,
  transaction: Transaction,
  outcome: 'completed' | 'failed',
  { id: jobId, siteId }: Pick<ExportJobRow, 'id' | 'siteId'>,
  error: string | null = null,
): Promise<void> {
  const event = {
    type: `export.${outcome}` as const,
    siteId,
    title: error ?? jobId,
    path: 'exports',
    details: { jobId, error },
  };
  await emitEvent(deps, transaction, event);
}

/** Returns the fields of every line of the log about a job. */
function idsOf({ id, siteId, requestId }: Pick<ExportJobRow, 'id' | 'siteId' | 'requestId'>) {
  return { jobId: id, siteId, requestId };
}

function isPastQuota(error: unknown): error is DocentError {
  return error instanceof DocentError && error.code === 'quota_exceeded';
}

/** Returns one sentence that is safe to show, and the report if there is one. */
function describeFailure(error: unknown): { error: string; report?: ExportReport } {
  if (error instanceof ExportRefused) return { error: error.message, report: error.report };
  if (isPastQuota(error)) return { error: error.message };
  const outage = outageOf(error);
  if (outage === 'disk')
    return { error: 'The storage for bundles is full; free some space, then start a new job.' };
  if (outage)
    return {
      error: `Waited for ${DEPENDENCIES[outage]} for too long; start a new job when that is over.`,
    };
  return { error: 'The server failed while packing the bundle; start a new job.' };
}

/**
 * Ends a job whose last attempt was killed, so that nobody waits for it. Does nothing if it has
 * ended.
 */
export async function failKilledExport(
  deps: Pick<Deps, 'database' | 'clock' | 'jobs' | 'config'>,
  jobId: string,
): Promise<void> {
  const job = await findPlaceOfExport(deps.database.queries, jobId);
  if (job) await endFailed(deps, job, undefined);
}

/** Heartbeat interval. */
const TOUCH_INTERVAL_MS = 10_000;

/** Sends heartbeats of an attempt; each call returns whether it still holds its job. */
function heartbeatOf({ database, clock }: ExportDeps, run: ExportRun): () => Promise<boolean> {
  let touchedAt = performance.now();
  return async () => {
    const isDue = performance.now() - touchedAt >= TOUCH_INTERVAL_MS;
    if (!isDue) return ownsExportJob(database.queries, run);
    touchedAt = performance.now();
    return touchExportJob(database.queries, run, clock.now());
  };
}
