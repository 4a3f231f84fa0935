import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findLatestDeployment } from '../../db/deployments/deployments.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import { countAction } from '../analytics/count-action.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { startDeployment } from '../publishing/start-deployment.ts';
import { openPreview } from './manage-previews.ts';

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
