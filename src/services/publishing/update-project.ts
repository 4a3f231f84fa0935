import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findLatestDeployment } from '../../db/deployments/deployments.ts';
import type { RateLimitState } from '../../ports/rate-limiter.ts';
import { countAction } from '../analytics/count-action.ts';
import type { Deps } from '../deps.ts';
import { createUlid } from '../ids.ts';
import { findActorSite } from '../sites/find-actor-site.ts';
import { startDeployment } from './start-deployment.ts';

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
  requirePermission(actor, 'projects.write');
  const site = await findActorSite(deps, actor, project);
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
