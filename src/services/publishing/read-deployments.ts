import { type Actor, requirePermission } from '../../core/access/may.ts';
import { isSlug } from '../../core/access/site-name.ts';
import { DocentError } from '../../core/errors.ts';
import {
  type DeploymentDetails,
  type DeploymentFilter,
  type DeploymentProgress,
  type DeploymentRow,
  type DeploymentSummary,
  findDeploymentDetails,
  findOwnDeployment,
  findProgress,
  listDeployments,
} from '../../db/deployments/deployments.ts';
import { findPreview } from '../../db/deployments/previews.ts';
import type { DeploymentStatus } from '../../db/tables.ts';
import type { Deps } from '../deps.ts';
import { isUlid } from '../ids.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../list-pages.ts';
import { findPermittedSite } from '../sites/find-actor-site.ts';

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
  } & PageRequest,
): Promise<ListPage<DeploymentSummary>> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const { status } = query;
  const preview = await previewFilter(deps, site.id, query.preview);
  return readPage(query, {
    isId: isUlid,
    placeOf: byCreation,
    read: (slice) => listDeployments(deps.database.queries, site.id, { status, preview, ...slice }),
  });
}

async function previewFilter(
  { database }: ReadDeps,
  siteId: string,
  wanted: string | undefined,
): Promise<DeploymentFilter['preview']> {
  if (wanted === undefined || wanted === 'true' || wanted === 'false')
    return wanted === undefined ? undefined : wanted === 'true';
  const preview = isSlug(wanted) ? await findPreview(database.queries, siteId, wanted) : undefined;
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
  const site = await findPermittedSite(deps, actor, 'projects.read', projectId);
  const found = isUlid(deploymentId) ? await find(deps.database.queries, site.id, deploymentId) : undefined;
  if (!found) throw deploymentNotFound();
  return found;
}

/**
 * Returns the progress of a deployment of the actor's organization.
 * @throws DocentError `deployment_not_found`, also for those of others
 */
export async function getDeployment({ database }: Pick<Deps, 'database'>, actor: Actor, id: string): Promise<DeploymentRow> {
  requirePermission(actor, 'projects.read');
  const deployment = isUlid(id) ? await findOwnDeployment(database.queries, actor.organisationId, id) : undefined;
  if (!deployment) throw new DocentError('deployment_not_found', 'The organization has no such deployment.');
  return deployment;
}
