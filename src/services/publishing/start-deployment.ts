import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findLatestDeployment, insertDeployment } from '../../db/deployments/deployments.ts';
import { supersedeQueued } from '../../db/deployments/publishing.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import { countAction, pastStorageQuota, roomOf } from '../access/quotas.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { findPermittedSite } from '../sites/find-site.ts';
import { openPreview } from '../sites/previews.ts';
import { publishSlots } from './slots.ts';

/**
 * Adds a deployment; its build starts when the organization has a free slot. An older deployment of the site that is still queued
 * ends, because its build is no longer needed, and this one takes its place: frequent publishing must not postpone the build
 * forever.
 * @throws DocentError `quota_exceeded` if the source does not fit
 */
export async function startDeployment(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  deployment: {
    id: string;
    organisationId: string;
    siteId: string;
    previewId?: string | undefined;
    sourceKey: string;
    sourceBytes?: number;
  },
): Promise<void> {
  const { organisationId, ...row } = deployment;
  const now = deps.clock.now();
  await publishSlots.within(deps, organisationId, async (transaction) => {
    // Other uploads may have used up the room meanwhile.
    const { sourceBytes = 0 } = deployment;
    if (sourceBytes > 0 && sourceBytes > (await roomOf(transaction, deps.config, organisationId)))
      throw pastStorageQuota(deps.config, 'This upload');
    const place = await supersedeQueued(transaction, deployment, now);
    await insertDeployment(transaction, { ...row, createdAt: now, waiting: true, ...place });
  });
}

/**
 * Rebuilds a site from the last uploaded source.
 * @param onCounted called with the remaining limit
 * @returns id of the new deployment
 * @throws DocentError `site_not_found`; `rate_limited`; `source_missing` if nothing was uploaded yet
 */
export async function updateProject(
  deps: Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'limiter'>,
  actor: Actor,
  project: string,
  onCounted: (state: RateLimitState) => void,
): Promise<string> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const latest = await findLatestDeployment(deps.database.queries, site.id);
  if (!latest || !(await deps.blobs.stat(latest.sourceKey))) {
    throw new DocentError(
      'source_missing',
      `Nothing has been uploaded to this site yet; send a source with PUT /v1/project/${site.slug}/source.`,
    );
  }
  await countAction(deps, actor, 'publishesPerOrganisation', onCounted);
  const id = createUlid(deps.clock.now());
  await startDeployment(deps, { id, organisationId: actor.organisationId, siteId: site.id, sourceKey: latest.sourceKey });
  return id;
}

/**
 * Rebuilds the preview of a branch from the source that was last uploaded for it; without one, from the last source of the site.
 * @param onCounted called with the remaining limit
 * @throws DocentError `site_not_found`, `invalid_request`, `quota_exceeded`, `rate_limited`; `source_missing` if nothing was
 *   uploaded yet
 */
export async function startPreview(
  deps: Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'limiter'>,
  actor: Actor,
  project: string,
  branch: string,
  onCounted: (state: RateLimitState) => void,
): Promise<{ statusId: string; previewUrl: string }> {
  requirePermission(actor, 'projects.write');
  const { id: previewId, siteId, url } = await openPreview(deps, actor, project, branch);
  const { queries } = deps.database;
  const latest = (await findLatestDeployment(queries, siteId, previewId)) ?? (await findLatestDeployment(queries, siteId));
  if (!latest || !(await deps.blobs.stat(latest.sourceKey))) {
    throw new DocentError(
      'source_missing',
      'Nothing has been uploaded to this site yet; send the source of the preview with PUT /v1/project/{projectId}/source?preview={branch}.',
    );
  }
  await countAction(deps, actor, 'publishesPerOrganisation', onCounted);
  const id = createUlid(deps.clock.now());
  const { organisationId } = actor;
  await startDeployment(deps, { id, organisationId, siteId, previewId, sourceKey: latest.sourceKey });
  return { statusId: id, previewUrl: url };
}
