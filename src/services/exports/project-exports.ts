import type { Actor } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { type ExportJobRow, findUnfinishedExportJob } from '../../db/exports/export-jobs.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import { countAction } from '../analytics/count-action.ts';
import type { Deps } from '../deps.ts';
import { findPermittedSite } from '../sites/find-actor-site.ts';
import { type BundleLink, linkToBundle } from './get-bundle-link.ts';
import { findJob } from './manage-exports.ts';
import { startExport } from './start-export.ts';

export interface ProjectExportRequest {
  /** Project id, identifier or hostname of the site. */
  project: string;
  basePath?: string;
  idempotencyKey?: string;
}

/**
 * Starts the only export that a project may have at a time. A start that is refused for another reason does not count.
 * @param onCounted called with the remaining limit
 * @throws DocentError like `startExport`; `export_in_progress`; `rate_limited`
 */
export async function startProjectExport(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'liveSites' | 'config' | 'limiter'>,
  actor: Actor,
  { project, basePath, idempotencyKey }: ProjectExportRequest,
  onCounted: (state: RateLimitState) => void,
): Promise<ExportJobRow> {
  const site = await findPermittedSite(deps, actor, 'exports.write', project);
  const request = {
    domain: site.slug,
    ...(basePath !== undefined && { basePath }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  return startExport(deps, actor, request, {
    async before(siteId) {
      await requireNoOther(deps.database.queries, siteId);
      await countAction(deps, actor, 'exportsPerOrganisation', onCounted);
    },
    within: requireNoOther,
  });
}

async function requireNoOther(queries: QueryRunner, siteId: string): Promise<void> {
  const other = await findUnfinishedExportJob(queries, siteId);
  if (!other) return;
  throw new DocentError(
    'export_in_progress',
    `The job ${other.id} of this site is queued or running; wait until it ends or cancel it, then start again.`,
  );
}

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
  const site = await findPermittedSite(deps, actor, 'exports.read', project);
  const job = await findJob(deps.database, actor, jobId);
  if (job.siteId !== site.id) throw new DocentError('job_not_found', 'The project has no such export job.');
  return { job, link: await linkToBundle(deps, job) };
}
