import { createArchiveChecker } from '@docent/compiler/source/archive-checker.ts';
import { readCommit } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { pastStorageQuota, roomOf } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import { branchRef, keepHostKeys, remoteOf } from '../sources/git-remote.ts';
import { isFromFork, mayPreview } from '../sources/may-preview.ts';
import { findPullRequestOf } from '../sources/pull-request-queries.ts';
import { findGitSourceOf, type GitSourceRow, updateGitSource } from '../sources/queries.ts';
import { recordFetchedSource, type StartedDeployment } from './queries.ts';
import { withinBytes } from './receive-source.ts';

type FetchDeps = Pick<
  Deps,
  'database' | 'blobs' | 'clock' | 'config' | 'git' | 'secret' | 'installationTokens'
>;

/** One process for all fetches of this one; it ends when idle. */
const archives = createArchiveChecker();

/**
 * Fetches the source of a deployment from Git and stores it as if it had been uploaded: checked in
 * the same way, and within the same limits. Does nothing if that has happened already.
 * @throws DocentError `git_refused`, `git_unavailable`; `invalid_archive`, `body_too_large`,
 *   `quota_exceeded`
 */
export async function fetchGitSource(
  deps: FetchDeps,
  deployment: StartedDeployment & { gitRef: string },
  signal: AbortSignal,
): Promise<void> {
  const { queries } = deps.database;
  if (await deps.blobs.stat(deployment.sourceKey)) return;
  const source = await findGitSourceOf(queries, deployment.siteId);
  if (!source)
    throw new DocentError(
      'git_refused',
      'The site is no longer connected to a Git repository; connect it, or upload a source.',
    );
  const { gitRef: ref } = deployment;
  await deps.git.withSource(
    await remoteOf(deps, source),
    { ref, folder: source.folder, signal },
    async ({ revision, commit, archive }) => {
      await keepHostKeys(deps, source, revision);
      await requirePermitted(deps, source, ref, revision.sha);
      const bytes = await roomOf(queries, deps.config, deployment.organizationId);
      const past = () => pastStorageQuota(deps.config, 'This source');
      const checked = archives.checked(withinBytes(archive, { bytes, past }));
      const { sizeBytes } = await deps.blobs.put(deployment.sourceKey, checked, {
        contentType: 'application/gzip',
      });
      await recordFetchedSource(queries, deployment, {
        sourceBytes: sizeBytes,
        commit: readCommit(commit),
      });
      if (ref !== branchRef(source)) return;
      const { sha: seenSha, tree: seenTree } = revision;
      await updateGitSource(queries, source.id, {
        seenSha,
        seenTree,
        checkedAt: deps.clock.now(),
        lastError: null,
        lastErrorAt: null,
      });
    },
  );
}

/** What a fork has may have changed since somebody let it be built. */
async function requirePermitted(
  { database }: FetchDeps,
  source: GitSourceRow,
  ref: string,
  sha: string,
): Promise<void> {
  if (!isFromFork({ ref })) return;
  const pull = await findPullRequestOf(database.queries, source.id, ref);
  if (!pull || !mayPreview(source, pull, sha))
    throw new DocentError(
      'git_refused',
      'The pull request was closed, or changed since; its newest commit waits for approval.',
    );
}
