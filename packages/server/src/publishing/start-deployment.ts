import { type Actor, actorId, requirePermission } from '@docent/format/access/may.ts';
import type { Commit, DeploymentSource, GitPart } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { countAction, pastStorageQuota, roomOf } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid, isUlid } from '../kernel/ids.ts';
import { publishSlots } from '../kernel/jobs/slots.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import type { Transaction } from '../ports/database.ts';
import type { RateLimitState } from '../ports/rate-limiter.ts';
import { openPreview } from '../previews/open-preview.ts';
import { branchRef } from '../sources/git-remote.ts';
import { findGitSourceOf, type GitSourceRow, pausePushes } from '../sources/queries.ts';
import { sourceKeyOf } from './clean-up-builds.ts';
import { findLatestDeployment, findRebuildable, insertDeployment } from './deployment-queries.ts';
import { supersedeQueued } from './queries.ts';

/**
 * Adds a deployment; its build starts when the organization has a free slot. An older deployment of
 * the site that is still queued ends, because its build is no longer needed, and this one takes its
 * place: frequent publishing must not postpone the build forever.
 * @param claim decides in the transaction that adds it whether it is still needed
 * @throws DocentError `quota_exceeded` if the source does not fit
 */
export async function startDeployment(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  deployment: {
    id: string;
    organizationId: string;
    siteId: string;
    previewId?: string | undefined;
    sourceKey: string;
    sourceBytes?: number;
    actor?: string;
    source?: DeploymentSource;
    commit?: Commit | null;
    /** The ref to fetch when it is built, if the source is not stored yet. */
    gitRef?: string | undefined;
    gitParts?: readonly GitPart[] | undefined;
    /** Of the request that started it, for the log. */
    requestId?: string;
  },
  claim: Claim = async () => true,
): Promise<void> {
  const { organizationId, ...row } = deployment;
  const now = deps.clock.now();
  await publishSlots.within(deps, organizationId, async (transaction) => {
    if (!(await claim(transaction))) return;
    // Other uploads may have used up the room meanwhile.
    const { sourceBytes = 0 } = deployment;
    if (sourceBytes > 0 && sourceBytes > (await roomOf(transaction, deps.config, organizationId)))
      throw pastStorageQuota(deps.config, 'This upload');
    const place = await supersedeQueued(transaction, deployment, now);
    await insertDeployment(transaction, { ...row, createdAt: now, waiting: true, ...place });
  });
}

type Claim = (transaction: Transaction) => Promise<boolean>;

/**
 * Starts a deployment whose source is fetched when it is built.
 * @param claim as for `startDeployment`
 * @returns its id
 */
export async function deployGitRef(
  deps: Pick<Deps, 'database' | 'jobs' | 'clock' | 'config'>,
  {
    previewId,
    ...gitSource
  }: Pick<GitSourceRow, 'id' | 'isBase' | 'path' | 'organizationId' | 'siteId'> & {
    previewId?: string | undefined;
  },
  ref: string,
  startedBy: { source: DeploymentSource; actor?: string; requestId?: string } = { source: 'git' },
  claim?: Claim,
): Promise<string> {
  const id = createUlid(deps.clock.now());
  const { organizationId, siteId, path } = gitSource;
  const base = gitSource.isBase ? undefined : await findGitSourceOf(deps.database.queries, siteId);
  const refs = base
    ? { gitRef: branchRef(base), gitParts: [{ sourceId: gitSource.id, path, ref }] }
    : { gitRef: ref };
  const work = { id, organizationId, siteId, previewId, sourceKey: sourceKeyOf(id), ...refs };
  await startDeployment(deps, { ...work, ...startedBy }, claim);
  return id;
}

type RebuildDeps = Pick<
  Deps,
  'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'limiter' | 'accountable'
>;

/** How a rebuild is requested. */
interface RebuildRequest {
  source: DeploymentSource;
  requestId: string;
  /** Called with the remaining limit. */
  onCounted: (state: RateLimitState) => void;
}

/**
 * Deploys what the branch of the site's Git source has now; without one, rebuilds the site from the
 * last uploaded source.
 * @returns id of the new deployment
 * @throws DocentError `site_not_found`; `rate_limited`; `source_missing` if nothing was uploaded
 *   yet; `pushes_paused` after a rollback, until somebody resumes
 */
export async function updateProject(
  deps: RebuildDeps,
  actor: Actor,
  project: string,
  request: RebuildRequest,
): Promise<string> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const gitSource = await findGitSourceOf(deps.database.queries, site.id);
  if (gitSource) {
    if (gitSource.pausedAt !== null)
      throw new DocentError(
        'pushes_paused',
        'An earlier deployment was made live; resume the pushes to publish what the branch has now.',
      );
    await countAction(deps, actor, 'publishesPerOrganization', request.onCounted);
    return deployBranch(deps, actor, gitSource, request);
  }
  const latest = await findLatestDeployment(deps.database.queries, site.id);
  const remedy = `send a source with PUT /v1/project/${site.slug}/source.`;
  return rebuild(deps, actor, { siteId: site.id, latest, remedy }, request);
}

/**
 * Publishes what the branch of a site's Git source has now, and pushes from then on, after an
 * earlier deployment was made live.
 * @returns id of the new deployment
 * @throws DocentError `site_not_found`, `git_source_not_found`; `rate_limited`; `invalid_request` if
 *   pushes are not paused
 */
export async function resumePushes(
  deps: RebuildDeps,
  actor: Actor,
  project: string,
  request: RebuildRequest,
): Promise<string> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const { queries } = deps.database;
  const gitSource = await findGitSourceOf(queries, site.id);
  if (!gitSource)
    throw new DocentError(
      'git_source_not_found',
      'The site is not connected to a Git repository; connect it first.',
    );
  await countAction(deps, actor, 'publishesPerOrganization', request.onCounted);
  if (!(await pausePushes(queries, site.id, null)))
    throw new DocentError('invalid_request', 'Pushes are not paused; they are published.');
  return deployBranch(deps, actor, gitSource, request);
}

async function deployBranch(
  deps: RebuildDeps,
  actor: Actor,
  gitSource: GitSourceRow,
  { source, requestId }: RebuildRequest,
): Promise<string> {
  const startedBy = { source, requestId, actor: actorId(actor) };
  return deployGitRef(deps, gitSource, branchRef(gitSource), startedBy);
}

/**
 * Builds the source of an earlier deployment again, for the site or for the preview that it was
 * built for.
 * @returns id of the new deployment
 * @throws DocentError `site_not_found`, `deployment_not_found`; `rate_limited`; `source_missing` if
 *   its source is no longer stored
 */
export async function rebuildDeployment(
  deps: RebuildDeps,
  actor: Actor,
  { projectId, deploymentId }: { projectId: string; deploymentId: string },
  request: RebuildRequest,
): Promise<string> {
  const site = await findPermittedSite(deps, actor, 'projects.write', projectId);
  const latest = isUlid(deploymentId)
    ? await findRebuildable(deps.database.queries, site.id, deploymentId)
    : undefined;
  if (!latest)
    throw new DocentError(
      'deployment_not_found',
      'The site has no such deployment; it may have been deleted.',
    );
  const remedy = `send a source with PUT /v1/project/${site.slug}/source.`;
  return rebuild(
    deps,
    actor,
    { siteId: site.id, previewId: latest.previewId ?? undefined, latest, remedy },
    request,
  );
}

/**
 * Rebuilds the preview of a branch from the source that was last uploaded for it; without one, from
 * the last source of the site.
 * @throws DocentError `site_not_found`, `invalid_request`, `quota_exceeded`, `rate_limited`;
 *   `source_missing` if nothing was uploaded yet
 */
export async function startPreview(
  deps: RebuildDeps & Pick<Deps, 'passwords'>,
  actor: Actor,
  project: string,
  branch: string,
  request: RebuildRequest,
): Promise<{ statusId: string; previewUrl: string }> {
  requirePermission(actor, 'projects.write');
  const { id: previewId, siteId, url } = await openPreview(deps, actor, project, branch);
  const { queries } = deps.database;
  const latest =
    (await findLatestDeployment(queries, siteId, previewId)) ??
    (await findLatestDeployment(queries, siteId));
  const remedy =
    'send the source of the preview with PUT /v1/project/{projectId}/source?preview={branch}.';
  return {
    statusId: await rebuild(deps, actor, { siteId, previewId, latest, remedy }, request),
    previewUrl: url,
  };
}

async function rebuild(
  deps: RebuildDeps,
  actor: Actor,
  { siteId, previewId, latest, remedy }: Rebuild,
  { source, requestId, onCounted }: RebuildRequest,
): Promise<string> {
  const isStored = latest && (await deps.blobs.stat(latest.sourceKey));
  if (!latest || (!isStored && latest.gitRef === null))
    throw new DocentError(
      'source_missing',
      `The source is no longer stored, or nothing has been uploaded yet; ${remedy}`,
    );
  await countAction(deps, actor, 'publishesPerOrganization', onCounted);
  const id = createUlid(deps.clock.now());
  const { organizationId } = actor;
  // One that was never fetched is fetched now.
  const { sourceKey, commit } = isStored ? latest : { sourceKey: sourceKeyOf(id), commit: null };
  const gitRef = isStored ? undefined : (latest.gitRef ?? undefined);
  const gitParts = latest.gitParts ?? undefined;
  const work = { id, organizationId, siteId, previewId, sourceKey, commit, gitRef, gitParts };
  await startDeployment(deps, { ...work, actor: actorId(actor), source, requestId });
  return id;
}

interface Rebuild {
  siteId: string;
  previewId?: string | undefined;
  /** The deployment whose source is built again. */
  latest:
    | {
        sourceKey: string;
        commit: Commit | null;
        gitRef: string | null;
        gitParts: GitPart[] | null;
      }
    | undefined;
  /** How to upload a source, if there is none. */
  remedy: string;
}
