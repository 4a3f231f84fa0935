import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import type { ExportStatus } from '../../core/exports/job-state.ts';
import { type ExportJobRow, findOwnExportJob, listExportJobs } from '../../db/exports/export-jobs.ts';
import { failExportJob } from '../../db/exports/export-runs.ts';
import type { Deps } from '../deps.ts';
import { isExportJobId } from '../ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../list-pages.ts';
import { exportSlots } from '../publishing/slots.ts';
import { findActorSite } from '../sites/find-actor-site.ts';

/** Prefix of a canceled job's `error`, for programs that distinguish it from a failure. */
const CANCELLED = 'cancelled: The job was cancelled before it was completed.';

/**
 * Returns an export job of the actor's organization.
 * @throws DocentError `job_not_found`, also for jobs of others
 */
export async function getExport({ database }: Pick<Deps, 'database'>, actor: Actor, jobId: string): Promise<ExportJobRow> {
  requirePermission(actor, 'exports.read');
  return findJob(database, actor, jobId);
}

/** The same without checking a permission, for use cases that have checked theirs. */
export async function findJob(database: Deps['database'], actor: Actor, jobId: string): Promise<ExportJobRow> {
  const job = isExportJobId(jobId) ? await findOwnExportJob(database.queries, actor.organisationId, jobId) : undefined;
  if (!job) throw new DocentError('job_not_found', 'The organization has no such export job.');
  return job;
}

/**
 * Returns the export jobs of the actor's organization, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not create
 */
export async function listExports(
  deps: Pick<Deps, 'config' | 'database'>,
  actor: Actor,
  query: { domain?: string; status?: ExportStatus } & PageRequest,
): Promise<ListPage<ExportJobRow>> {
  requirePermission(actor, 'exports.read');
  const { domain, status } = query;
  const site = domain === undefined ? undefined : await findActorSite(deps, actor, domain);
  return readPage(query, {
    isId: isExportJobId,
    placeOf: byCreation,
    read: (slice) => listExportJobs(deps.database.queries, actor.organisationId, { siteId: site?.id, status, ...slice }),
  });
}

/**
 * Cancels a queued or running job. Its worker notices within a second and leaves nothing behind. Canceling again changes nothing.
 * @throws DocentError `job_not_found`; `job_ended` for one that was completed or had failed
 */
export async function cancelExport(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  actor: Actor,
  jobId: string,
): Promise<ExportJobRow> {
  requirePermission(actor, 'exports.write');
  await findJob(deps.database, actor, jobId);
  await exportSlots.within(deps, actor.organisationId, (transaction) =>
    failExportJob(transaction, jobId, { error: CANCELLED, now: deps.clock.now() }),
  );
  const job = await findJob(deps.database, actor, jobId);
  if (job.error !== CANCELLED) throw new DocentError('job_ended', `The job is ${job.status}; there is nothing to cancel.`);
  return job;
}
