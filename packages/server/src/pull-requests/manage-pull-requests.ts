import type { Actor } from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import { pullRequestAddress } from '@docent/format/sources/pull-request.ts';
import type { Deps } from '../kernel/deps.ts';
import { byCreation, type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { previewUrlOf } from '../kernel/sites/site-address.ts';
import { syncPullRequestJob } from '../ports/jobs.ts';
import { type RemovalDeps, removePreview } from '../previews/manage-previews.ts';
import { restrictPreview } from '../previews/open-preview.ts';
import { isFromFork } from '../sources/may-preview.ts';
import {
  deletePullRequestsOf,
  findPullRequest,
  listOpenPullRequests,
  listPullRequests,
  type PullRequestRow,
  updatePullRequest,
} from '../sources/pull-request-queries.ts';
import { type GitSourceRow, listGitSources } from '../sources/queries.ts';

type PullDeps = Pick<Deps, 'database' | 'config' | 'jobs' | 'clock'>;

/** A pull request with its addresses. */
export interface PullRequestDetails extends PullRequestRow {
  isFork: boolean;
  /** Where it is discussed, if that is known. */
  url: string | null;
  /** Path of its source; empty for the base. */
  path: string;
  previewUrl: string | null;
}

/**
 * Returns the open pull requests of a site's repositories, newest first; none without one.
 * @throws DocentError `site_not_found`; `invalid_request` for a cursor that this server did not
 *   create
 */
export async function listSitePullRequests(
  deps: PullDeps,
  actor: Actor,
  project: string,
  request: PageRequest,
): Promise<ListPage<PullRequestDetails>> {
  const site = await findPermittedSite(deps, actor, 'git-sources.read', project);
  const { queries } = deps.database;
  const sources = new Map(
    (await listGitSources(queries, site.id)).map((source) => [source.id, source]),
  );
  if (sources.size === 0) return { rows: [], nextCursor: null };
  const page = await readPage(
    request,
    (slice) => listOpenPullRequests(queries, [...sources.keys()], slice),
    byCreation,
  );
  const rows = page.rows.flatMap((pull) => {
    const source = sources.get(pull.sourceId);
    return source ? [detailsOf(deps, source, pull)] : [];
  });
  return { ...page, rows };
}

/**
 * Lets a commit of a pull request from a fork be built. The next commit waits again.
 * @param sha the commit that was looked at
 * @throws DocentError `site_not_found`, `pull_request_not_found`; `precondition_failed` if it has
 *   another commit by now
 */
export async function approvePullRequest(
  deps: PullDeps,
  actor: Actor,
  { project, number, sha }: { project: string; number: number; sha: string },
): Promise<PullRequestDetails> {
  const site = await findPermittedSite(deps, actor, 'projects.write', project);
  const { queries } = deps.database;
  const pulls: { source: GitSourceRow; pull: PullRequestRow }[] = [];
  for (const source of await listGitSources(queries, site.id)) {
    const pull = await findPullRequest(queries, { sourceId: source.id, number });
    if (pull?.isOpen) pulls.push({ source, pull });
  }
  // Several repositories may have that number; the commit says which one is meant.
  const { source, pull } = pulls.find((open) => open.pull.headSha === sha) ?? pulls[0] ?? {};
  if (!source || !pull)
    throw new DocentError(
      'pull_request_not_found',
      'The repository of the site has no such open pull request.',
    );
  if (pull.headSha !== sha)
    throw new DocentError(
      'precondition_failed',
      'The pull request has another commit by now; look at it, and approve that.',
    );
  await updatePullRequest(queries, pull.id, { approvedSha: sha, updatedAt: deps.clock.now() });
  await deps.jobs.enqueue(syncPullRequestJob, { sourceId: source.id, number });
  return detailsOf(deps, source, { ...pull, approvedSha: sha });
}

function detailsOf(
  { config }: Pick<Deps, 'config'>,
  source: GitSourceRow,
  pull: PullRequestRow,
): PullRequestDetails {
  const { number, previewName } = pull;
  const previewUrl =
    previewName === null ? null : previewUrlOf(previewName, source.siteSlug, config);
  return {
    ...pull,
    isFork: isFromFork(pull),
    path: source.path,
    url: pullRequestAddress(source, number) ?? null,
    previewUrl,
  };
}

/**
 * Lets only members read the previews of all pull requests of a repository; those with a password
 * keep it.
 */
export async function restrictPullRequests(
  deps: Pick<Deps, 'database' | 'passwords' | 'liveSites'>,
  { id, siteId }: GitSourceRow,
): Promise<void> {
  for (const { previewId } of await listPullRequests(deps.database.queries, id))
    if (previewId !== null) await restrictPreview(deps, previewId);
  deps.liveSites.invalidate(siteId);
}

/** Ends the previews of all pull requests of a repository, and forgets them. */
export async function forgetPullRequests(
  deps: RemovalDeps,
  { id, siteId }: GitSourceRow,
): Promise<void> {
  const { queries } = deps.database;
  for (const { previewId } of await listPullRequests(queries, id))
    if (previewId !== null) await removePreview(deps, siteId, previewId);
  await deletePullRequestsOf(queries, id);
}
