import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { type ExportJobRow, findOwnExportJob } from '../../db/exports/export-jobs.ts';
import type { Deps } from '../deps.ts';
import { isExportJobId } from '../ids.ts';

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
