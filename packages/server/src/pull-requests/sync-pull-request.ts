import { inFolder } from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import { type LookResult, nothingToDo } from '@docent/format/sources/delivery.ts';
import { skipsDocs } from '@docent/format/sources/git-provider.ts';
import type { Deps } from '../kernel/deps.ts';
import type { JobContext } from '../ports/job-queue.ts';
import { reportPullRequestJob } from '../ports/jobs.ts';
import { removePreview } from '../previews/manage-previews.ts';
import { openPreviewOf, restrictPreview } from '../previews/open-preview.ts';
import { deployGitRef } from '../publishing/start-deployment.ts';
import { settleDeliveries, waitingDeliveries } from '../sources/delivery-queries.ts';
import { branchRef, keepHostKeys, remoteOf } from '../sources/git-remote.ts';
import { mayPreview } from '../sources/may-preview.ts';
import {
  findPullRequest,
  keepPreview,
  type PullRequestRow,
  updatePullRequest,
} from '../sources/pull-request-queries.ts';
import { findGitSource, type GitSourceRow } from '../sources/queries.ts';

export type SyncPullDeps = Pick<
  Deps,
  | 'database'
  | 'jobs'
  | 'clock'
  | 'config'
  | 'git'
  | 'secret'
  | 'installationTokens'
  | 'logger'
  | 'passwords'
  | 'blobs'
  | 'liveSites'
>;

interface PullRequestId {
  sourceId: string;
  number: number;
}

/**
 * Looks at a pull request: what changes the documentation gets a preview, which each push updates,
 * and which ends with the pull request. Nothing is built but what the repository has, and of a fork
 * only what its owner lets.
 * @throws DocentError `git_unavailable` if a later attempt may succeed
 */
export async function syncPullRequest(
  deps: SyncPullDeps,
  id: PullRequestId,
  { signal, lastAttempt }: Pick<JobContext, 'signal' | 'lastAttempt'>,
): Promise<void> {
  const { queries } = deps.database;
  const source = await findGitSource(queries, id.sourceId);
  const pull = source && (await findPullRequest(queries, id));
  if (!source || !pull) return;
  const change = (changes: Partial<PullRequestRow>) => {
    const { previewName: _, ...columns } = changes;
    return updatePullRequest(queries, pull.id, { ...columns, updatedAt: deps.clock.now() });
  };
  const waiting = await waitingDeliveries(queries, id);
  const settle = (result: LookResult) => settleDeliveries(queries, waiting, result);
  try {
    if (!pull.isOpen || source.previews === 'none') {
      await endPreview(deps, source, pull);
      await settle(resultOf({ isOpen: false }));
      return await deps.jobs.enqueue(reportPullRequestJob, id);
    }
    const changes = await previewChanges(deps, source, pull, signal);
    await change({ lastError: null, ...changes });
    await settle(resultOf(changes));
    await deps.jobs.enqueue(reportPullRequestJob, id);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DocentError) || (error.code === 'git_unavailable' && !lastAttempt))
      throw error;
    deps.logger.info({ ...id, reason: error.message }, 'A pull request could not be previewed.');
    await change({ lastError: error.message });
    await settle({ outcome: 'failed', reason: error.message });
    await deps.jobs.enqueue(reportPullRequestJob, id);
  }
}

/** Says what a look led to, from what it changed in the row. */
function resultOf({ isOpen, state, seenTree }: Partial<PullRequestRow>): LookResult {
  if (isOpen === false) return nothingToDo('It is closed, or is not for the branch of the site.');
  if (state === 'waiting') return nothingToDo('The commit from a fork waits for approval.');
  if (state === 'unchanged') return nothingToDo('It changes nothing in the folder.');
  // Only a commit that is built changes what was deployed.
  if (seenTree) return { outcome: 'deployed', reason: null };
  return nothingToDo('The commit brings nothing new, or its message has [skip docs].');
}

/** @returns what changes in the row */
async function previewChanges(
  deps: SyncPullDeps,
  source: GitSourceRow,
  pull: PullRequestRow,
  signal: AbortSignal,
): Promise<Partial<PullRequestRow>> {
  const { ref } = pull;
  const remote = await remoteOf(deps, source);
  const headSha = await deps.git.resolve(remote, ref, signal);
  if (headSha === undefined) return closed(deps, source, pull);
  // What fails from here on is about this commit.
  await updatePullRequest(deps.database.queries, pull.id, { headSha });
  if (!mayPreview(source, pull, headSha)) return { headSha, state: 'waiting' };
  const hasPreview = pull.previewId !== null;
  if (headSha === pull.seenSha && hasPreview) return { headSha, state: 'previewed' };
  if (headSha === pull.seenSha && pull.state === 'unchanged') return { headSha };
  const revision = await deps.git.inspect(remote, {
    ref,
    folder: source.folder,
    base: branchRef(source),
    signal,
  });
  await keepHostKeys(deps, source, revision);
  const { sha: seenSha, tree: seenTree, change } = revision;
  const seen = { headSha: seenSha, seenSha };
  // It may have moved since.
  if (!mayPreview(source, pull, seenSha)) return { headSha: seenSha, state: 'waiting' };
  if (change?.isMerged) return { ...seen, ...(await closed(deps, source, pull)) };
  if (!change?.isChanged) {
    await endPreview(deps, source, pull);
    return { ...seen, seenTree, state: 'unchanged' };
  }
  if (skipsDocs(revision.message)) return { ...seen, state: hasPreview ? 'previewed' : 'new' };
  if (seenTree === pull.seenTree && hasPreview) return { ...seen, state: 'previewed' };
  const previewId = await openPullPreview(deps, source, pull);
  if (previewId === undefined) return {};
  await deployGitRef(deps, { ...source, previewId }, ref);
  return { ...seen, seenTree, state: 'previewed' };
}

async function closed(
  deps: SyncPullDeps,
  source: GitSourceRow,
  pull: PullRequestRow,
): Promise<Partial<PullRequestRow>> {
  await endPreview(deps, source, pull);
  // What was said before it was seen does not open it again.
  return { isOpen: false, toldAt: deps.clock.now() };
}

/**
 * The source says who reads a new preview; what somebody has since changed about it stays.
 * @returns its id; undefined if the pull request was closed, or previews were turned off, in the
 *   meantime
 */
async function openPullPreview(
  deps: SyncPullDeps,
  source: GitSourceRow,
  { id, number, previewId }: PullRequestRow,
): Promise<string | undefined> {
  const { queries } = deps.database;
  const site = { id: source.siteId, slug: source.siteSlug };
  const membersOnly = source.previews === 'members';
  const preview = await openPreviewOf(deps, site, inFolder(source.path, `pr-${number}`), {
    pull: { previewId, membersOnly },
    createdBy: null,
  });
  if (!(await keepPreview(queries, id, preview.id))) {
    await removePreview(deps, site.id, preview.id);
    return undefined;
  }
  // Who changed it before the row named the preview could not restrict it.
  const { previews } = (await findGitSource(queries, source.id)) ?? source;
  if (previews === 'members' && !membersOnly) await restrictPreview(deps, preview.id);
  deps.liveSites.invalidate(site.id);
  return preview.id;
}

async function endPreview(
  deps: SyncPullDeps,
  { siteId }: GitSourceRow,
  { previewId }: PullRequestRow,
): Promise<void> {
  if (previewId !== null) await removePreview(deps, siteId, previewId);
}
