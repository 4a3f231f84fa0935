import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourcePart } from '@docent/compiler/source/folder-files.ts';
import { type GitPart, readCommit } from '@docent/format/deployments/commit.ts';
import { DocentError } from '@docent/format/errors.ts';
import { repositoryName } from '@docent/format/sources/git-address.ts';
import { pastStorageQuota, roomOf } from '../kernel/access/quotas.ts';
import type { Deps } from '../kernel/deps.ts';
import type { GitRevision } from '../ports/git/git-repositories.ts';
import { branchRef, keepHostKeys, remoteOf } from '../sources/git-remote.ts';
import { isFromFork, mayPreview } from '../sources/may-preview.ts';
import { findPullRequestOf } from '../sources/pull-request-queries.ts';
import { type GitSourceRow, listGitSources, updateGitSource } from '../sources/queries.ts';
import { recordFetchedSource, type StartedDeployment } from './queries.ts';
import { withinBytes } from './receive-source.ts';
import { workFolder } from './work-folder.ts';

type FetchDeps = Pick<
  Deps,
  'database' | 'blobs' | 'clock' | 'config' | 'git' | 'secret' | 'installationTokens'
>;

/**
 * Fetches the sources of a deployment from Git and stores them as if they had been uploaded as one,
 * within the same limits; the build checks them as it unpacks them. Does nothing if that has
 * happened already.
 * @throws DocentError `git_refused`, `git_unavailable`; `body_too_large`, `quota_exceeded`; of
 *   several sources, `invalid_archive`
 */
export async function fetchGitSource(
  deps: FetchDeps,
  deployment: FetchedDeployment,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = deps.database;
  if (await deps.blobs.stat(deployment.sourceKey)) return;
  const [source, ...others] = await listGitSources(queries, deployment.siteId);
  if (!source?.isBase)
    throw new DocentError(
      'git_refused',
      'The site is no longer connected to a Git repository; connect it, or upload a source.',
    );
  const bytes = await roomOf(queries, deps.config, deployment.organizationId);
  const past = () => pastStorageQuota(deps.config, 'This source');
  const within: Within = (archive) => withinBytes(archive, { bytes, past });
  let sizeBytes = 0;
  const store: Take = async (archive) => {
    const contentType = 'application/gzip';
    ({ sizeBytes } = await deps.blobs.put(deployment.sourceKey, archive, { contentType }));
  };
  const fetchOne: FetchOne = (one, take) =>
    fetchSource(deps, deployment, one, signal, (archive) => take(within(archive)));
  const parts =
    others.length === 0 && source.path === ''
      ? [await fetchOne(source, store)]
      : await composeSources(deps, deployment, [source, ...others], fetchOne, (archive) =>
          store(within(archive)),
        );
  const pushed = deployment.gitParts?.find(({ commit }) => commit === undefined);
  const pushedPart = parts.find(({ part }) => part.sourceId === pushed?.sourceId) ?? parts[0];
  await recordFetchedSource(queries, deployment, {
    sourceBytes: sizeBytes,
    commit: pushedPart?.part.commit ?? null,
    ...(others.length > 0 && { parts: parts.map(({ part }) => part) }),
  });
  // What a preview fetches of a branch may still have to go live.
  if (deployment.previewId !== null) return;
  const before = new Map([source, ...others].map((row) => [row.id, row]));
  for (const { part, revision } of parts) {
    const { sha: seenSha, tree: seenTree } = revision;
    const row = before.get(part.sourceId);
    // A look may have seen something newer meanwhile.
    const isSame = row?.seenSha === seenSha && row.seenTree === seenTree;
    await updateGitSource(queries, part.sourceId, {
      ...(!isSame && { seenSha, seenTree }),
      checkedAt: deps.clock.now(),
      lastError: null,
      lastErrorAt: null,
    });
  }
}

type FetchedDeployment = StartedDeployment & { gitRef: string };
type Within = (archive: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
type Take = (archive: AsyncIterable<Uint8Array>) => Promise<void>;
type FetchOne = (source: GitSourceRow, take: Take) => Promise<Fetched>;

interface Fetched {
  part: GitPart;
  revision: GitRevision;
}

/** A site has what the branches have now, but a preview has a ref of one of the sources. */
function refOf({ previewId, gitRef, gitParts }: FetchedDeployment, source: GitSourceRow): string {
  if (previewId === null) return branchRef(source);
  const part = gitParts?.find(({ sourceId }) => sourceId === source.id);
  return part?.ref ?? (source.isBase ? gitRef : branchRef(source));
}

/** A look that starts a deployment has just fetched what it saw. */
function seenBefore(
  { previewId, source }: FetchedDeployment,
  { seenSha }: GitSourceRow,
): string | undefined {
  return source === 'git' && previewId === null ? (seenSha ?? undefined) : undefined;
}

async function fetchSource(
  deps: FetchDeps,
  deployment: FetchedDeployment,
  source: GitSourceRow,
  signal: AbortSignal,
  take: Take,
): Promise<Fetched> {
  const ref = refOf(deployment, source);
  return deps.git.withSource(
    await remoteOf(deps, source),
    { ref, folder: source.folder, sha: seenBefore(deployment, source), signal },
    async ({ revision, commit, archive }) => {
      await keepHostKeys(deps, source, revision);
      await requirePermitted(deps, source, ref, revision.sha);
      await take(archive);
      const { id: sourceId, path } = source;
      return { part: { sourceId, path, ref, commit: readCommit(commit) }, revision };
    },
  );
}

/** Fetches the sources of a site one after another, and passes them on as one archive. */
async function composeSources(
  { config }: FetchDeps,
  { id }: FetchedDeployment,
  sources: readonly GitSourceRow[],
  fetchOne: FetchOne,
  store: Take,
): Promise<Fetched[]> {
  await mkdir(workFolder(config), { recursive: true });
  const folder = await mkdtemp(join(workFolder(config), `${id}-sources-`));
  // Few sites have several sources; what finds secrets in them takes some MB.
  const { packSourceFolder, unpackSource } = await import(
    '@docent/compiler/source/source-archive.ts'
  );
  try {
    const parts: (Fetched & SourcePart)[] = [];
    for (const [index, source] of sources.entries()) {
      const target = join(folder, String(index));
      await mkdir(target);
      let root = target;
      const fetched = await fetchOne(source, async (archive) => {
        root = await unpackSource(archive, target);
      }).catch((error: unknown) => {
        throw ofSource(error, source);
      });
      const { path, url, isBase } = source;
      parts.push({ ...fetched, path, name: repositoryName(url), folder: root, isBase });
    }
    const below = parts.filter(({ path }) => path !== '');
    await store(packSourceFolder(parts[0]?.folder ?? folder, undefined, below));
    return parts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names the source that could not be fetched. */
function ofSource(error: unknown, { path, url }: GitSourceRow): unknown {
  if (!(error instanceof DocentError)) return error;
  const place = path === '' ? 'the base source' : `the source at /${path}`;
  return new DocentError(error.code, `${error.message} (${place}, ${repositoryName(url)})`, {
    cause: error,
  });
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
