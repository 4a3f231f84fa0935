import { DocentError } from '@docent/format/errors.ts';
import { skipsDocs } from '@docent/format/sources/git-provider.ts';
import type { Deps } from '../kernel/deps.ts';
import { syncGitSourceJob } from '../ports/jobs.ts';
import { branchRef, keepHostKeys, noBranch, remoteOf } from '../sources/git-remote.ts';
import { lookForPullRequests } from '../sources/note-pull-requests.ts';
import {
  findGitSource,
  type GitSourceRow,
  takeDueGitSources,
  updateGitSource,
} from '../sources/queries.ts';
import { deployGitRef } from './start-deployment.ts';

type SyncDeps = Pick<
  Deps,
  'database' | 'jobs' | 'clock' | 'config' | 'git' | 'secret' | 'installationTokens' | 'logger'
>;

const MAX_AT_A_TIME = 100;
/** After this time, a check whose process disappeared is due again. */
const LEASE_MS = 10 * 60_000;
/** For this long after a webhook, the branch is looked at less often, by this factor. */
const TOLD_MS = 7 * 24 * 3600 * 1000;
const TOLD_FACTOR = 6;

/** Adds the job of each source whose branch is to be looked at. */
export async function addDueSyncs({
  database,
  jobs,
  clock,
}: Pick<Deps, 'database' | 'jobs' | 'clock'>): Promise<void> {
  const now = clock.now();
  const again = new Date(now.getTime() + LEASE_MS);
  for (const sourceId of await takeDueGitSources(database.queries, {
    now,
    again,
    limit: MAX_AT_A_TIME,
  }))
    await jobs.enqueue(syncGitSourceJob, { sourceId });
}

/**
 * Looks at the branch of a source, and deploys what changed below its folder since the last look.
 * What a message from the network says is never trusted: only what the repository has now counts.
 */
export async function syncGitSource(
  deps: SyncDeps,
  sourceId: string,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = deps.database;
  const source = await findGitSource(queries, sourceId);
  if (!source) return;
  const checkAt = () => nextLook(deps, source);
  try {
    if (source.automatic) await deployChanges(deps, source, signal);
    await lookForPullRequests(deps, source, signal);
    await updateGitSource(queries, sourceId, {
      checkedAt: deps.clock.now(),
      checkAt: checkAt(),
      lastError: null,
      lastErrorAt: null,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DocentError)) throw error;
    deps.installationTokens.forget(source);
    deps.logger.info({ sourceId, reason: error.message }, 'A Git source could not be read.');
    const now = deps.clock.now();
    await updateGitSource(queries, sourceId, {
      checkedAt: now,
      checkAt: checkAt(),
      lastError: error.message,
      lastErrorAt: now,
    });
  }
}

/** Where webhooks arrive, looking is only for those that are lost. */
function nextLook(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  { webhookAt }: GitSourceRow,
): Date {
  const now = clock.now().getTime();
  const isTold = webhookAt !== null && now - webhookAt.getTime() < TOLD_MS;
  return new Date(now + config.git.pollSeconds * 1000 * (isTold ? TOLD_FACTOR : 1));
}

async function deployChanges(
  deps: SyncDeps,
  source: GitSourceRow,
  signal: AbortSignal,
): Promise<void> {
  const remote = await remoteOf(deps, source);
  const ref = branchRef(source);
  const head = await deps.git.resolve(remote, ref, signal);
  if (head === undefined) throw noBranch(source);
  if (head === source.seenSha) return;
  if (source.pausedAt !== null) {
    await updateGitSource(deps.database.queries, source.id, { waitingSha: head });
    return;
  }
  const revision = await deps.git.inspect(remote, { ref, folder: source.folder, signal });
  await keepHostKeys(deps, source, revision);
  const isSkipped = skipsDocs(revision.message);
  if (!isSkipped && revision.tree !== source.seenTree) await deployGitRef(deps, source, ref);
  const seenTree = isSkipped ? undefined : revision.tree;
  await updateGitSource(deps.database.queries, source.id, { seenSha: revision.sha, seenTree });
}
