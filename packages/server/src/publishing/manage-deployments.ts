import { type Actor, actorId, reachesSite, requirePermission } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { ListSlice } from '../kernel/db/query-parts.ts';
import type { Deps } from '../kernel/deps.ts';
import { isUlid } from '../kernel/ids.ts';
import { publishSlots } from '../kernel/jobs/slots.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { previewUrlOf } from '../kernel/sites/site-address.ts';
import { lockSite } from '../kernel/sites/site-queries.ts';
import type { Transaction } from '../ports/database.ts';
import { embedSiteJob } from '../ports/jobs.ts';
import type { DeploymentStatus } from '../ports/tables.ts';
import { storedPreview } from '../previews/open-preview.ts';
import { noteEndOfBuild } from '../sources/note-pull-requests.ts';
import { pausePushes } from '../sources/queries.ts';
import {
  type DeploymentFilter,
  type DeploymentProgress,
  type DeploymentRow,
  type DeploymentSummary,
  deleteDeploymentRow,
  findOwnDeployment,
  findProgress,
  type LockedDeployment,
  listDeployments,
  lockDeployment,
  setLive,
  setPinned,
} from './deployment-queries.ts';
import { type DeploymentDetails, findDeploymentDetails } from './published-builds.ts';
import { failDeployment } from './queries.ts';

type ManageDeps = Pick<Deps, 'database' | 'clock' | 'config'>;

/**
 * Cancels a waiting or running deployment; its worker notices within a second and ends the build
 * process. Canceling again changes nothing.
 * @throws DocentError `site_not_found`, `deployment_not_found`; `deployment_ended` for one that
 *   ended otherwise
 */
export async function cancelDeployment(
  deps: ManageDeps & Pick<Deps, 'jobs'>,
  actor: Actor,
  name: DeploymentName,
): Promise<DeploymentDetails & Addressed> {
  requirePermission(actor, 'projects.write');
  const { id } = await getDeploymentProgress(deps, actor, name);
  const now = deps.clock.now();
  await publishSlots.within(deps, actor.organizationId, async (transaction) => {
    const canceled = {
      id,
      summary: 'Canceled.',
      report: null,
      endReason: 'canceled' as const,
      now,
    };
    if (await failDeployment(transaction, canceled)) await noteEndOfBuild(deps, transaction, id);
  });
  const deployment = await getSiteDeployment(deps, actor, name);
  if (deployment.endReason === 'canceled') return deployment;
  throw new DocentError(
    'deployment_ended',
    'The deployment has already ended; there is nothing to cancel.',
  );
}

/**
 * Makes a stored build live, regardless of the previous live build: rolling forward or back moves
 * the same pointer. Builds that were started before no longer go live automatically; nor do pushes
 * to a Git source after one that was live before is promoted, until somebody deploys its branch or
 * promotes the newest build again.
 * @throws DocentError `site_not_found`, `deployment_not_found`; `build_not_kept`
 */
export async function promoteDeployment(
  deps: ManageDeps & Pick<Deps, 'jobs' | 'liveSites' | 'embedder'>,
  actor: Actor,
  name: DeploymentName,
): Promise<DeploymentDetails & Addressed> {
  const promoted = await change(
    deps,
    actor,
    name,
    async (transaction, { id, siteId, isLive, isKept, isReplaced }) => {
      if (!isKept) throw notKept();
      if (isLive) return;
      const now = deps.clock.now();
      await setLive(transaction, siteId, id, now);
      const pause = { pausedAt: now, pausedBy: actorId(actor) };
      await pausePushes(transaction, siteId, isReplaced ? pause : null);
      if (deps.embedder) await deps.jobs.enqueue(embedSiteJob, { deploymentId: id }, transaction);
    },
  );
  deps.liveSites.invalidate(promoted.siteId);
  return getSiteDeployment(deps, actor, name);
}

/**
 * Pins the build of a deployment, or unpins it, so that it can expire.
 * @throws DocentError `site_not_found`, `deployment_not_found`; `build_not_kept`
 */
export async function pinDeployment(
  deps: ManageDeps,
  actor: Actor,
  name: DeploymentName,
  pinned: boolean,
): Promise<DeploymentDetails & Addressed> {
  await change(deps, actor, name, async (transaction, { id, isKept }) => {
    if (pinned && !isKept) throw notKept();
    await setPinned(transaction, id, pinned, deps.clock.now());
  });
  return getSiteDeployment(deps, actor, name);
}

/**
 * Deletes a deployment with its build, report and log.
 * @throws DocentError `site_not_found`, `deployment_not_found`; `deployment_in_use` if it is live,
 *   shown, pinned, exported or has not ended
 */
export async function deleteDeployment(
  deps: ManageDeps,
  actor: Actor,
  name: DeploymentName,
): Promise<void> {
  await change(deps, actor, name, async (transaction, deployment) => {
    const use = useOf(deployment);
    if (use !== undefined) throw new DocentError('deployment_in_use', use);
    await deleteDeploymentRow(transaction, deployment.id, deps.clock.now());
  });
}

function useOf({ status, isLive, isInUse }: LockedDeployment): string | undefined {
  if (status === 'queued' || status === 'in_progress')
    return 'The deployment has not ended; cancel it first.';
  if (isLive) return 'This deployment is live; promote another one first.';
  if (isInUse)
    return 'The deployment is shown by a preview, pinned or being exported; delete the preview, unpin it, or wait until the export has ended.';
  return undefined;
}

function notKept(): DocentError {
  return new DocentError(
    'build_not_kept',
    'The build of this deployment is not stored: it failed, or it has expired. Publish its source again.',
  );
}

/** Changes a deployment while it and the live pointer are locked. */
async function change(
  deps: ManageDeps,
  actor: Actor,
  name: DeploymentName,
  work: (
    transaction: Transaction,
    deployment: LockedDeployment & { id: string; siteId: string },
  ) => Promise<void>,
): Promise<{ siteId: string }> {
  requirePermission(actor, 'projects.write');
  const { id, siteId } = await getDeploymentProgress(deps, actor, name);
  await deps.database.queries.transaction().execute(async (transaction) => {
    await lockSite(transaction, siteId);
    const deployment = await lockDeployment(transaction, siteId, id);
    if (!deployment) throw deploymentNotFound();
    await work(transaction, { ...deployment, id, siteId });
  });
  return { siteId };
}

type ReadDeps = Pick<Deps, 'database' | 'config'>;

/**
 * Identifies a deployment: the site by identifier, project id or hostname, and the deployment's id.
 */
export interface DeploymentName {
  projectId: string;
  deploymentId: string;
}

function deploymentNotFound(): DocentError {
  return new DocentError(
    'deployment_not_found',
    'The site has no such deployment; it may have been deleted.',
  );
}

/**
 * Returns the deployments of a site, newest first.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSiteDeployments(
  deps: ReadDeps,
  actor: Actor,
  project: string,
  query: {
    status?: DeploymentStatus | undefined;
    /** `true`, `false` or the name of a preview. */
    preview?: string | undefined;
    q?: string | undefined;
  } & PageRequest,
): Promise<ListPage<DeploymentSummary & Addressed>> {
  const site = await findPermittedSite(deps, actor, 'projects.read', project);
  const { status, q: text } = query;
  const preview = await previewFilter(deps, site.id, query.preview);
  const read = (slice: ListSlice) =>
    listDeployments(deps.database.queries, site.id, { status, preview, text, ...slice });
  const page = await readPage(query, read, byCreation);
  return { ...page, rows: page.rows.map(withAddress(site.slug, deps)) };
}

/** The address of the preview of a deployment; null if it has none. */
interface Addressed {
  previewUrl: string | null;
}

/** A deployment with the address of its preview. */
export type ShownDeployment = DeploymentProgress & Addressed;

function withAddress(slug: string, { config }: ReadDeps) {
  return <Row extends { preview: string | null }>(row: Row): Row & Addressed => ({
    ...row,
    previewUrl: row.preview && previewUrlOf(row.preview, slug, config),
  });
}

async function previewFilter(
  { database }: ReadDeps,
  siteId: string,
  previewParam: string | undefined,
): Promise<DeploymentFilter['preview']> {
  if (previewParam === undefined || previewParam === 'true' || previewParam === 'false')
    return previewParam === undefined ? undefined : previewParam === 'true';
  return storedPreview(database.queries, siteId, previewParam);
}

/**
 * Returns a deployment with its report, stages, log and changes.
 * @throws DocentError `site_not_found`, `deployment_not_found`
 */
export async function getSiteDeployment(
  deps: ReadDeps,
  actor: Actor,
  name: DeploymentName,
): Promise<DeploymentDetails & Addressed> {
  return read(deps, actor, name, findDeploymentDetails);
}

/**
 * Returns a deployment with its stages and its log, without large fields.
 * @throws DocentError `site_not_found`, `deployment_not_found`
 */
export async function getDeploymentProgress(
  deps: ReadDeps,
  actor: Actor,
  name: DeploymentName,
): Promise<ShownDeployment> {
  return read(deps, actor, name, findProgress);
}

async function read<Found extends { preview: string | null }>(
  deps: ReadDeps,
  actor: Actor,
  { projectId, deploymentId }: DeploymentName,
  find: (
    queries: Deps['database']['queries'],
    siteId: string,
    id: string,
  ) => Promise<Found | undefined>,
): Promise<Found & Addressed> {
  const site = await findPermittedSite(deps, actor, 'projects.read', projectId);
  const deployment = isUlid(deploymentId)
    ? await find(deps.database.queries, site.id, deploymentId)
    : undefined;
  if (!deployment) throw deploymentNotFound();
  return withAddress(site.slug, deps)(deployment);
}

/**
 * Returns the progress of a deployment of the actor's organization.
 * @throws DocentError `deployment_not_found`, also for those of others
 */
export async function getDeployment(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  id: string,
): Promise<DeploymentRow> {
  requirePermission(actor, 'projects.read');
  const deployment = isUlid(id)
    ? await findOwnDeployment(database.queries, actor.organizationId, id)
    : undefined;
  if (!deployment || !reachesSite(actor, deployment.siteId))
    throw new DocentError('deployment_not_found', 'The organization has no such deployment.');
  return deployment;
}
