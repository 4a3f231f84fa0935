import type { Dependency } from '@docent/format/dependencies.ts';
import type { ExportReport } from '@docent/format/exports/export-report.ts';
import { statesBefore } from '@docent/format/exports/job-state.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { firstOf, hasRow } from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

/** One attempt of a job. It cannot change a job that another attempt holds by now. */
export interface ExportRun {
  jobId: string;
  runId: string;
}

const isHeldBy =
  ({ jobId, runId }: ExportRun) =>
  (where: ExpressionBuilder<Tables, 'export_jobs'>) =>
    where.and({ id: jobId, run_id: runId, status: 'running' });

export interface FinishedBundle {
  key: string;
  sizeBytes: number;
  sha256: string;
  /** Content of a `.minisig` file. */
  signature: string | null;
}

/**
 * Claims a job to run it, even if a process that died had started it. From then on the earlier
 * attempt holds nothing.
 * @returns `undefined` if the job has already ended
 */
export async function claimExportJob(queries: QueryRunner, { jobId, runId }: ExportRun, now: Date) {
  const claimed = queries
    .updateTable('export_jobs')
    .set({
      status: 'running',
      run_id: runId,
      waiting: false,
      waiting_for: null,
      attempts: sql<number>`attempts + 1`,
      started_at: sql<Date>`coalesce(started_at, ${now})`,
      seen_at: now,
      updated_at: now,
    })
    .where('id', '=', jobId)
    .where('status', 'in', statesBefore('running'))
    .returningAll();
  return firstOf(claimed);
}

/**
 * Returns whether this attempt still holds its job: it was neither canceled nor given to another.
 */
export async function ownsExportJob(queries: QueryRunner, run: ExportRun): Promise<boolean> {
  return hasRow(queries.selectFrom('export_jobs').select('id').where(isHeldBy(run)));
}

/**
 * Records that something which an attempt needs is unavailable, so that the job is run again later.
 * @param until nobody takes the job for abandoned before
 */
export async function postponeExport(
  queries: QueryRunner,
  run: ExportRun,
  { waitingFor, until, now }: { waitingFor: Dependency; until: Date; now: Date },
): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({ waiting_for: waitingFor, seen_at: until, updated_at: now })
    .where(isHeldBy(run))
    .execute();
}

/** Records a heartbeat of an attempt. @returns whether it still holds its job */
export async function touchExportJob(
  queries: QueryRunner,
  run: ExportRun,
  now: Date,
): Promise<boolean> {
  const touched = queries.updateTable('export_jobs').set({ seen_at: now }).where(isHeldBy(run));
  return hasRow(touched.returning('id'));
}

/**
 * Records the progress of a running job. Numbers never decrease: a job that restarts shows its old
 * numbers until it has passed them.
 */
export async function recordExportProgress(
  queries: QueryRunner,
  run: ExportRun,
  done: { progress: number; pageCount: number; totalPages: number; now: Date },
): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({
      progress: sql<number>`greatest(progress, least(100, ${done.progress}::double precision))`,
      page_count: sql<number>`greatest(page_count, ${done.pageCount}::integer)`,
      total_pages: done.totalPages,
      seen_at: done.now,
      updated_at: done.now,
    })
    .where(isHeldBy(run))
    .execute();
}

/** @returns whether the attempt still held the job, so that the bundle now belongs to it */
export async function completeExportJob(
  queries: QueryRunner,
  run: ExportRun,
  done: { bundle: FinishedBundle; report: ExportReport; now: Date },
): Promise<boolean> {
  return hasRow(
    queries
      .updateTable('export_jobs')
      .set({
        status: 'completed',
        progress: 100,
        page_count: done.report.pageCount,
        total_pages: done.report.pageCount,
        bundle_key: done.bundle.key,
        bundle_size_bytes: done.bundle.sizeBytes,
        bundle_sha256: done.bundle.sha256,
        bundle_signature: done.bundle.signature,
        report: JSON.stringify(done.report),
        ended_at: done.now,
        updated_at: done.now,
      })
      .where(isHeldBy(run))
      .returning('id'),
  );
}

/** Returns whether a completed job has that bundle. */
export async function isBundleOfJob(
  queries: QueryRunner,
  jobId: string,
  bundleKey: string,
): Promise<boolean> {
  return hasRow(
    queries
      .selectFrom('export_jobs')
      .select('id')
      .where('id', '=', jobId)
      .where('status', '=', 'completed')
      .where('bundle_key', '=', bundleKey),
  );
}

/**
 * Marks a job as failed.
 * @param failed.runId only if this attempt still holds it
 * @param failed.error one sentence, safe to show
 * @returns whether the job was unfinished before
 */
export async function failExportJob(
  queries: QueryRunner,
  jobId: string,
  failed: {
    runId?: string;
    error: string;
    endReason?: 'canceled';
    report?: ExportReport;
    now: Date;
  },
): Promise<boolean> {
  let query = queries
    .updateTable('export_jobs')
    .set({
      status: 'failed',
      error: failed.error,
      ...(failed.endReason && { end_reason: failed.endReason }),
      waiting: false,
      waiting_for: null,
      ended_at: failed.now,
      updated_at: failed.now,
      ...(failed.report && { report: JSON.stringify(failed.report) }),
    })
    .where('id', '=', jobId)
    .where('status', 'in', statesBefore('failed'));
  if (failed.runId !== undefined) query = query.where('run_id', '=', failed.runId);
  return hasRow(query.returning('id'));
}

/**
 * Counts a failed attempt. @returns the number of failed attempts; `undefined` if another attempt
 * holds the job
 */
export async function countExportFailure(queries: QueryRunner, run: ExportRun, now: Date) {
  const row = await queries
    .updateTable('export_jobs')
    .set({ failures: sql<number>`failures + 1`, seen_at: now, updated_at: now })
    .where(isHeldBy(run))
    .returning('failures')
    .executeTakeFirst();
  return row?.failures;
}

/**
 * Returns running jobs whose worker has sent no heartbeat since `before`. Sets their heartbeat to
 * `now`, so that only one of several callers gets each job.
 */
export async function takeAbandonedExports(
  queries: QueryRunner,
  before: Date,
  now: Date,
): Promise<string[]> {
  const rows = await queries
    .updateTable('export_jobs')
    .set({ seen_at: now })
    .where('status', '=', 'running')
    .where(sql<Date>`coalesce(seen_at, updated_at)`, '<', before)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
