import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import type { ExportJobRow } from '../../db/exports/export-jobs.ts';
import type { Deps } from '../deps.ts';
import { findActorSite } from '../sites/find-actor-site.ts';
import { type BundleLink, linkToBundle } from './get-bundle-link.ts';
import { findJob } from './get-export.ts';

/**
 * Returns an export job of a project, with a new link if it is completed and its bundle still exists.
 * @throws DocentError `site_not_found`; `job_not_found`, also for jobs of other projects
 */
export async function getProjectExport(
  deps: Pick<Deps, 'database' | 'blobs' | 'config'>,
  actor: Actor,
  project: string,
  jobId: string,
): Promise<{ job: ExportJobRow; link: BundleLink | undefined }> {
  requirePermission(actor, 'exports.read');
  const site = await findActorSite(deps, actor, project);
  const job = await findJob(deps.database, actor, jobId);
  if (job.siteId !== site.id) throw new DocentError('job_not_found', 'The project has no such export job.');
  return { job, link: await linkToBundle(deps, job) };
}
