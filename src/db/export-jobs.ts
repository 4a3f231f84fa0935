import { type SelectQueryBuilder, sql } from 'kysely';
import { statesBefore } from '../core/exports/job-state.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { ExportStatus, Tables } from './tables.ts';

export interface ExportJobRow {
  id: string;
  organisationId: string;
  siteId: string;
  deploymentId: string;
  domain: string;
  version: string | null;
  paths: string[] | null;
  status: ExportStatus;
  progress: number;
  pageCount: number;
  totalPages: number | null;
  error: string | null;
  bundleKey: string | null;
  bundleSizeBytes: number | null;
  bundleSha256: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface FinishedBundle {
  key: string;
  sizeBytes: number;
  sha256: string;
}

const columns = [
  'id',
  'organisation_id as organisationId',
  'site_id as siteId',
  'deployment_id as deploymentId',
  'domain',
  'version',
  'paths',
  'status',
  'progress',
  'page_count as pageCount',
  'total_pages as totalPages',
  'error',
  'bundle_key as bundleKey',
  'bundle_size_bytes as bundleSizeBytes',
  'bundle_sha256 as bundleSha256',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

export interface NewExportJob {
  id: string;
  organisationId: string;
  siteId: string;
  deploymentId: string;
  domain: string;
  version: string | null;
  paths: string[] | null;
  idempotencyKey: string | null;
  createdAt: Date;
}

/** Adds a queued job; `undefined` where the organisation used the idempotency key before. */
export async function insertExportJob(queries: QueryRunner, job: NewExportJob): Promise<ExportJobRow | undefined> {
  return queries
    .insertInto('export_jobs')
    .values({
      id: job.id,
      organisation_id: job.organisationId,
      site_id: job.siteId,
      deployment_id: job.deploymentId,
      domain: job.domain,
      version: job.version,
      paths: JSON.stringify(job.paths),
      status: 'queued',
      progress: 0,
      page_count: 0,
      total_pages: null,
      error: null,
      bundle_key: null,
      bundle_size_bytes: null,
      bundle_sha256: null,
      idempotency_key: job.idempotencyKey,
      created_at: job.createdAt,
      updated_at: job.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function findExportJobByIdempotencyKey(
  queries: QueryRunner,
  organisationId: string,
  idempotencyKey: string,
): Promise<ExportJobRow | undefined> {
  return queries
    .selectFrom('export_jobs')
    .select(columns)
    .where('organisation_id', '=', organisationId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

/** A job of that organisation; those of others are as if they did not exist. */
export async function findOwnExportJob(
  queries: QueryRunner,
  organisationId: string,
  id: string,
): Promise<ExportJobRow | undefined> {
  return queries
    .selectFrom('export_jobs')
    .select(columns)
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A page of an organisation's jobs, newest first. `after` is the last job of the page before. */
export async function listExportJobs(
  queries: QueryRunner,
  organisationId: string,
  page: { siteId?: string; after?: { createdAt: Date; id: string }; limit: number },
): Promise<ExportJobRow[]> {
  const { siteId, after } = page;
  let query: SelectQueryBuilder<Tables, 'export_jobs', object> = queries
    .selectFrom('export_jobs')
    .where('organisation_id', '=', organisationId);
  if (siteId !== undefined) query = query.where('site_id', '=', siteId);
  if (after) {
    query = query.where((where) =>
      where.or([
        where('created_at', '<', after.createdAt),
        where.and([where('created_at', '=', after.createdAt), where('id', '<', after.id)]),
      ]),
    );
  }
  return query.select(columns).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(page.limit).execute();
}

/**
 * Takes a job to do it; also one that was begun before, by a process that died.
 * @returns `undefined` where it is finished already
 */
export async function claimExportJob(queries: QueryRunner, id: string, now: Date): Promise<ExportJobRow | undefined> {
  return queries
    .updateTable('export_jobs')
    .set({ status: 'running', updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', statesBefore('running'))
    .returning(columns)
    .executeTakeFirst();
}

/**
 * Notes how far a running job is. Nothing falls: a job that begins again from the start shows its old numbers until it
 * has passed them.
 */
export async function recordExportProgress(
  queries: QueryRunner,
  id: string,
  done: { progress: number; pageCount: number; totalPages: number; now: Date },
): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({
      progress: sql<number>`greatest(progress, least(100, ${done.progress}::double precision))`,
      page_count: sql<number>`greatest(page_count, ${done.pageCount}::integer)`,
      total_pages: done.totalPages,
      updated_at: done.now,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

export async function completeExportJob(
  queries: QueryRunner,
  id: string,
  done: { bundle: FinishedBundle; pageCount: number; now: Date },
): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({
      status: 'completed',
      progress: 100,
      page_count: done.pageCount,
      total_pages: done.pageCount,
      bundle_key: done.bundle.key,
      bundle_size_bytes: done.bundle.sizeBytes,
      bundle_sha256: done.bundle.sha256,
      updated_at: done.now,
    })
    .where('id', '=', id)
    .where('status', 'in', statesBefore('completed'))
    .execute();
}

/** @param error one sentence, safe to show */
export async function failExportJob(queries: QueryRunner, id: string, failed: { error: string; now: Date }): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({ status: 'failed', error: failed.error, updated_at: failed.now })
    .where('id', '=', id)
    .where('status', 'in', statesBefore('failed'))
    .execute();
}
