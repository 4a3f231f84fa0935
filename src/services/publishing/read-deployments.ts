import { type Actor, requirePermission } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import {
  type DeploymentDetails,
  type DeploymentFilter,
  type DeploymentProgress,
  type DeploymentSummary,
  findDeploymentDetails,
  findProgress,
  listDeployments,
} from '../../db/deployments/deployment-lists.ts';
import { findPreview } from '../../db/deployments/previews.ts';
import type { DeploymentStatus } from '../../db/tables.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { type ListPage, pageOf, readCursor } from '../list-cursor.ts';
import { findActorSite } from '../sites/find-actor-site.ts';

type ReadDeps = Pick<Deps, 'database' | 'config'>;

/** Identifies a deployment: the site by identifier, project id or hostname, and the deployment's id. */
export interface DeploymentName {
  projectId: string;
  deploymentId: string;
}

export function deploymentNotFound(): DocentError {
  return new DocentError('deployment_not_found', 'The site has no such deployment; it may have been deleted.');
}

/**
 * Returns the deployments of a site, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not create
 */
export async function listSiteDeployments(
  deps: ReadDeps,
  actor: Actor,
  project: string,
  query: {
    status?: DeploymentStatus | undefined;
    /** `true`, `false` or the name of a preview. */
    preview?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<ListPage<DeploymentSummary>> {
  requirePermission(actor, 'projects.read');
  const site = await findActorSite(deps, actor, project);
  const { status, cursor, limit } = query;
  const preview = await previewFilter(deps, site.id, query.preview);
  const after = cursor === undefined ? undefined : readCursor(cursor, isUlid);
  const found = await listDeployments(deps.database.queries, site.id, { status, preview, after, limit: limit + 1 });
  return pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

async function previewFilter(
  { database }: ReadDeps,
  siteId: string,
  wanted: string | undefined,
): Promise<DeploymentFilter['preview']> {
  if (wanted === undefined || wanted === 'true' || wanted === 'false')
    return wanted === undefined ? undefined : wanted === 'true';
  const preview = await findPreview(database.queries, siteId, wanted);
  if (!preview) throw new DocentError('preview_not_found', 'The site has no such preview; it may have expired.');
  return preview;
}

/**
 * Returns a deployment with its report, stages, log and changes.
 * @throws DocentError `site_not_found`, `deployment_not_found`
 */
export async function getSiteDeployment(deps: ReadDeps, actor: Actor, name: DeploymentName): Promise<DeploymentDetails> {
  return read(deps, actor, name, findDeploymentDetails);
}

/**
 * Returns a deployment with its stages and its log, without large fields.
 * @throws DocentError `site_not_found`, `deployment_not_found`
 */
export async function getDeploymentProgress(deps: ReadDeps, actor: Actor, name: DeploymentName): Promise<DeploymentProgress> {
  return read(deps, actor, name, findProgress);
}

async function read<Found>(
  deps: ReadDeps,
  actor: Actor,
  { projectId, deploymentId }: DeploymentName,
  find: (queries: Deps['database']['queries'], siteId: string, id: string) => Promise<Found | undefined>,
): Promise<Found> {
  requirePermission(actor, 'projects.read');
  const site = await findActorSite(deps, actor, projectId);
  const found = isUlid(deploymentId) ? await find(deps.database.queries, site.id, deploymentId) : undefined;
  if (!found) throw deploymentNotFound();
  return found;
}
