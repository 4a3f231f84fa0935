import {
  type Actor,
  reachesSite,
  requirePermission,
  siteIdsOf,
} from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { archiveFormOf } from '@docent/format/exports/export-options.ts';
import { type ExportStatus, exportStatuses } from '@docent/format/exports/job-state.ts';
import { sql } from 'kysely';
import type { Deps } from '../kernel/deps.ts';
import { isExportJobId } from '../kernel/ids.ts';
import { exportSlots } from '../kernel/jobs/slots.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findActorSite } from '../kernel/sites/find-site.ts';
import { findSite } from '../kernel/sites/site-queries.ts';
import type { QueryRunner } from '../ports/database.ts';
import {
  type ExportJobRow,
  findOwnExportJob,
  listExportJobs,
  releaseBundle,
  type ShownExportJob,
} from './job-queries.ts';
import { failExportJob } from './run-queries.ts';

/**
 * Returns an export job of the actor's organization.
 * @throws DocentError `job_not_found`, also for jobs of others
 */
export async function getExport(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  jobId: string,
): Promise<ShownExportJob> {
  requirePermission(actor, 'exports.read');
  return findJob(database, actor, jobId);
}

/** The same without checking a permission, for use cases that have checked theirs. */
export async function findJob(
  database: Deps['database'],
  actor: Actor,
  jobId: string,
): Promise<ShownExportJob> {
  const job = isExportJobId(jobId)
    ? await findOwnExportJob(database.queries, actor.organizationId, jobId)
    : undefined;
  if (!job || !reachesSite(actor, job.siteId))
    throw new DocentError('job_not_found', 'The organization has no such export job.');
  return job;
}

/**
 * Returns the export jobs of the actor's organization, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listExports(
  deps: Pick<Deps, 'config' | 'database'>,
  actor: Actor,
  query: { domain?: string; status?: ExportStatus } & PageRequest,
): Promise<ListPage<ShownExportJob>> {
  requirePermission(actor, 'exports.read');
  const { domain, status } = query;
  const site = domain === undefined ? undefined : await findActorSite(deps, actor, domain);
  const filter = { siteIds: site ? [site.id] : siteIdsOf(actor), status };
  return readPage(
    query,
    (slice) => listExportJobs(deps.database.queries, actor.organizationId, { ...filter, ...slice }),
    byCreation,
  );
}

/**
 * Cancels a queued or running job. Its worker notices within a second and leaves nothing behind.
 * Canceling again changes nothing.
 * @throws DocentError `job_not_found`; `job_ended` for one that was completed or had failed
 */
export async function cancelExport(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  actor: Actor,
  jobId: string,
): Promise<ShownExportJob> {
  requirePermission(actor, 'exports.write');
  await findJob(deps.database, actor, jobId);
  await exportSlots.within(deps, actor.organizationId, (transaction) =>
    failExportJob(transaction, jobId, {
      error: 'The job was canceled before it was completed.',
      endReason: 'canceled',
      now: deps.clock.now(),
    }),
  );
  const job = await findJob(deps.database, actor, jobId);
  if (job.endReason !== 'canceled')
    throw new DocentError('job_ended', `The job is ${job.status}; there is nothing to cancel.`);
  return job;
}

type LinkDeps = Pick<Deps, 'database' | 'blobs' | 'config'>;

/**
 * Creates a new link to the bundle of a completed job.
 * @throws DocentError `job_not_found`, `job_not_completed`; `bundle_deleted`
 */
export async function getBundleLink(deps: LinkDeps, actor: Actor, jobId: string) {
  requirePermission(actor, 'exports.write');
  const job = await findJob(deps.database, actor, jobId);
  if (job.bundleDeletedAt !== null) {
    const day = job.bundleDeletedAt.toISOString().slice(0, 10);
    throw new DocentError(
      'bundle_deleted',
      `The bundle was deleted on ${day}, by someone or after ${deps.config.exports.retentionDays} days; start a new export.`,
    );
  }
  const link = await linkToBundle(deps, job);
  if (link) return link;
  const remedy =
    job.status === 'failed' ? 'start a new export' : 'poll it until its status is "completed"';
  throw new DocentError(
    'job_not_completed',
    `The job is ${job.status}, so it has no bundle; ${remedy}.`,
  );
}

/**
 * Deletes the bundle of a completed job, so that its links end now. The job stays. Deleting again
 * changes nothing.
 * @throws DocentError `job_not_found`, `job_not_completed`
 */
export async function deleteBundle(
  { database, blobs, clock }: Pick<Deps, 'database' | 'blobs' | 'clock'>,
  actor: Actor,
  jobId: string,
): Promise<void> {
  requirePermission(actor, 'exports.write');
  const { status, bundleKey } = await findJob(database, actor, jobId);
  if (status !== 'completed' || bundleKey === null)
    throw new DocentError('job_not_completed', `The job is ${status}, so it has no bundle.`);
  // In this order: a job without a bundle is not offered, and a file without a job is cleaned up.
  await releaseBundle(database.queries, jobId, clock.now());
  await blobs.delete(bundleKey);
}

/**
 * Creates a new link; `undefined` if the job has no bundle. The file name contains the day on which
 * the export started.
 */
export async function linkToBundle({ database, blobs, config }: LinkDeps, job: ExportJobRow) {
  const { bundleKey, bundleSizeBytes, bundleSha256 } = job;
  if (job.status !== 'completed' || job.bundleDeletedAt !== null) return undefined;
  if (bundleKey === null || bundleSizeBytes === null || bundleSha256 === null) return undefined;
  const site = await findSite(database.queries, job.siteId);
  const link = await blobs.presign(bundleKey, {
    expiresInSeconds: config.bundleLinkSeconds,
    filename: `${site?.slug ?? 'site'}-export-${job.createdAt.toISOString().slice(0, 10)}.${archiveFormOf(bundleKey)}`,
  });
  return {
    jobId: job.id,
    bundleUrl: link.url,
    sizeBytes: bundleSizeBytes,
    expiresAt: link.expiresAt,
    sha256: bundleSha256,
    /** Content of a `.minisig` file, if the operator signs bundles. */
    signature: job.bundleSignature ?? undefined,
  };
}

/** Returns the number of jobs by status across all organizations, for metrics. */
export async function countExportJobs(
  queries: QueryRunner,
): Promise<{ status: ExportStatus; count: number }[]> {
  const rows = await queries
    .selectFrom('export_jobs')
    .select(['status', sql<number>`count(*)::integer`.as('count')])
    .groupBy('status')
    .execute();
  const counts = new Map(rows.map((row) => [row.status, row.count]));
  return exportStatuses.map((status) => ({ status, count: counts.get(status) ?? 0 }));
}
