import type { ExportJobOptions } from '@docent/format/exports/export-options.ts';
import type { ExportStatus } from '@docent/format/exports/job-state.ts';
import { type Selectable, sql } from 'kysely';
import { actorIn, type NamedActor } from '../kernel/access/named-actors.ts';
import {
  allOf,
  columnsOf,
  type Fields,
  firstOf,
  given,
  type ListSlice,
  onPage,
} from '../kernel/db/query-parts.ts';
import { EXPORT_ROWS, queuePosition } from '../kernel/jobs/slot-queries.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export type ExportJobRow = Fields<Selectable<Tables['export_jobs']>>;

/** A job, with who started it, and how many come before it while it is queued. */
export type ShownExportJob = ExportJobRow & {
  maker: NamedActor | null;
  queuePosition: number | null;
};

/** The requested options of an export as one value. */
export function optionsOfJob({
  version,
  paths,
  options,
}: Pick<ExportJobRow, 'version' | 'paths' | 'options'>): ExportJobOptions {
  return { ...options, ...(version !== null && { version }), ...(paths !== null && { paths }) };
}

/** `waiting`: whether it waits for a free slot before it goes into the job queue. */
export type NewExportJob = { options: ExportJobOptions } & Pick<
  ExportJobRow,
  | 'id'
  | 'organizationId'
  | 'siteId'
  | 'deploymentId'
  | 'domain'
  | 'waiting'
  | 'idempotencyKey'
  | 'madeBy'
  | 'createdAt'
> & { requestId?: string | undefined };

/**
 * Adds a queued job. The caller checks first, under the organization's lock, whether the
 * idempotency key was used before.
 */
export async function insertExportJob(
  queries: QueryRunner,
  job: NewExportJob,
): Promise<ShownExportJob> {
  const { options: requested, ...row } = job;
  const { version = null, paths = null, ...options } = requested;
  await queries
    .insertInto('export_jobs')
    .values({
      ...columnsOf({ ...row, version, updatedAt: job.createdAt }),
      paths: JSON.stringify(paths),
      options: JSON.stringify(options),
      status: 'queued',
    })
    .execute();
  return (await findOwnExportJob(queries, job.organizationId, job.id)) as ShownExportJob;
}

function jobsOf(queries: QueryRunner, organizationId: string) {
  return queries
    .selectFrom('export_jobs')
    .selectAll()
    .select([actorIn('made_by').as('maker'), queuePosition(EXPORT_ROWS).as('queuePosition')])
    .where('organization_id', '=', organizationId);
}

export async function findExportJobByIdempotencyKey(
  queries: QueryRunner,
  organizationId: string,
  idempotencyKey: string,
) {
  return firstOf(jobsOf(queries, organizationId).where('idempotency_key', '=', idempotencyKey));
}

/** Returns a job of that organization; jobs of others are treated as missing. */
export async function findOwnExportJob(queries: QueryRunner, organizationId: string, id: string) {
  return firstOf(jobsOf(queries, organizationId).where('id', '=', id));
}

/** Returns a job of any organization, with the site and the organization that it is of. */
export async function findPlaceOfExport(queries: QueryRunner, id: string) {
  return firstOf(
    queries
      .selectFrom('export_jobs')
      .select(['id', 'site_id', 'organization_id'])
      .where('id', '=', id),
  );
}

/** Returns the unfinished job of a site, if there is one. */
export async function findUnfinishedExportJob(
  queries: QueryRunner,
  siteId: string,
): Promise<{ id: string } | undefined> {
  return queries
    .selectFrom('export_jobs')
    .select('id')
    .where('site_id', '=', siteId)
    .where('status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
}

/**
 * Returns a page of an organization's jobs, newest first. `after` is the last job of the previous
 * page.
 * @param siteIds only jobs of these sites; empty: all
 */
export async function listExportJobs(
  queries: QueryRunner,
  organizationId: string,
  {
    siteIds,
    status,
    after,
    limit,
  }: ListSlice & { siteIds: readonly string[]; status?: ExportStatus | undefined },
): Promise<ShownExportJob[]> {
  const query = jobsOf(queries, organizationId)
    .where(({ and }) => and(given({ status })))
    .$if(siteIds.length > 0, (jobs) => jobs.where('site_id', 'in', siteIds));
  return allOf(query.$call(onPage({ after, limit }, ['created_at', 'id'])));
}

/**
 * Removes the bundles of jobs that were completed before a time; from now on nobody gets a link to
 * them.
 * @returns number of jobs
 */
export async function releaseOldBundles(
  queries: QueryRunner,
  completedBefore: Date,
  now: Date,
): Promise<number> {
  const rows = await queries
    .updateTable('export_jobs')
    .set({ bundle_deleted_at: now })
    .where('status', '=', 'completed')
    .where('bundle_deleted_at', 'is', null)
    .where(sql<Date>`coalesce(ended_at, updated_at)`, '<', completedBefore)
    .returning('id')
    .execute();
  return rows.length;
}

/** Removes the bundle of a job; from now on nobody gets a link to it. */
export async function releaseBundle(queries: QueryRunner, jobId: string, now: Date): Promise<void> {
  await queries
    .updateTable('export_jobs')
    .set({ bundle_deleted_at: now })
    .where('id', '=', jobId)
    .where('bundle_deleted_at', 'is', null)
    .execute();
}

/**
 * Returns the files of these jobs that must be kept: all files of unfinished jobs, which may be
 * writing, and the bundle of each job that has one, or had one after `releasedAfter`, so that
 * existing links still work.
 */
export async function findKeptBundles(
  queries: QueryRunner,
  jobIds: readonly string[],
  releasedAfter: Date,
) {
  const rows = await queries
    .selectFrom('export_jobs')
    .select(['id', 'status', 'bundle_key', 'bundle_deleted_at'])
    .where('id', 'in', jobIds)
    .execute();
  const unfinished = rows.filter((row) => row.status === 'queued' || row.status === 'running');
  const kept = rows.filter(
    (row) => row.bundle_deleted_at === null || row.bundle_deleted_at > releasedAfter,
  );
  return {
    unfinishedJobs: new Set(unfinished.map((row) => row.id)),
    keys: new Set(kept.map((row) => row.bundle_key).filter((key) => key !== null)),
  };
}

/**
 * Returns what an export of a deployment is built from. `publishedAt` is when the site first had
 * this content: publishing the same content again does not change it.
 * @returns `undefined` if the deployment was not built, or its build was deleted
 */
export async function findExportSource(queries: QueryRunner, deploymentId: string) {
  const row = await queries
    .selectFrom('deployments')
    .select(['site_id', 'manifest_key', 'build_id', 'created_at'])
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  if (!row?.manifest_key || row.build_id === null) return undefined;
  const first = await queries
    .selectFrom('deployments')
    .select('created_at')
    .where('site_id', '=', row.site_id)
    .where('build_id', '=', row.build_id)
    .where('preview_id', 'is', null)
    .where('status', '=', 'success')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return {
    manifestKey: row.manifest_key,
    buildId: row.build_id,
    publishedAt: first?.created_at ?? row.created_at,
  };
}
