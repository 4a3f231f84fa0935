import { DocentError } from '@docent/format/errors.ts';
import { type LookResult, nothingToDo } from '@docent/format/sources/delivery.ts';
import { skipsDocs } from '@docent/format/sources/git-provider.ts';
import type { Deps } from '../kernel/deps.ts';
import type { Transaction } from '../ports/database.ts';
import type { GitRemote } from '../ports/git/git-repositories.ts';
import { syncGitSourceJob } from '../ports/jobs.ts';
import { settleDeliveries, waitingDeliveries } from '../sources/delivery-queries.ts';
import { branchRef, keepHostKeys, noBranch, remoteOf } from '../sources/git-remote.ts';
import { lookForPullRequests, pullPatterns } from '../sources/note-pull-requests.ts';
import {
  claimCommit,
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
/** And where nothing has changed for this long. */
const QUIET_MS = 24 * 3600 * 1000;
const QUIET_FACTOR = 3;

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
  const checkAt = (newsAt = source.newsAt) => nextLook(deps, { ...source, newsAt });
  const waiting = await waitingDeliveries(queries, { sourceId, number: null });
  const settle = (result: LookResult) => settleDeliveries(queries, waiting, result);
  try {
    const pulls = pullPatterns(deps, source);
    const branch = source.automatic ? [branchRef(source)] : [];
    const remote = await remoteOf(deps, source);
    const list = async (patterns: string[]): Promise<ReadonlyMap<string, string>> =>
      patterns.length === 0 ? new Map() : deps.git.list(remote, patterns, signal);
    const deploy = async (shas: ReadonlyMap<string, string>) =>
      settle(await deployChanges(deps, source, { remote, shas, signal }));
    // One request for all of it. Too many pull requests do not hold up the branch.
    const shas = await list([...branch, ...pulls]).catch(async (error: unknown) => {
      if (source.automatic && pulls.length > 0) await deploy(await list(branch));
      throw error;
    });
    if (source.automatic) await deploy(shas);
    const hasPulls = pulls.length > 0 && (await lookForPullRequests(deps, source, shas));
    const isPushed = source.automatic && shas.get(branchRef(source)) !== source.seenSha;
    const newsAt = isPushed || hasPulls ? deps.clock.now() : undefined;
    await updateGitSource(queries, sourceId, {
      checkedAt: deps.clock.now(),
      newsAt,
      checkAt: checkAt(newsAt),
      lastError: null,
      lastErrorAt: null,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DocentError)) throw error;
    deps.installationTokens.forget(source);
    await settle({ outcome: 'failed', reason: error.message });
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
  { webhookAt, newsAt, createdAt }: GitSourceRow,
): Date {
  const now = clock.now().getTime();
  const isTold = webhookAt !== null && now - webhookAt.getTime() < TOLD_MS;
  const isQuiet = now - (newsAt ?? createdAt).getTime() > QUIET_MS;
  const factor = isTold ? TOLD_FACTOR : isQuiet ? QUIET_FACTOR : 1;
  return new Date(now + config.git.pollSeconds * 1000 * factor);
}

async function deployChanges(
  deps: SyncDeps,
  source: GitSourceRow,
  {
    remote,
    shas,
    signal,
  }: { remote: GitRemote; shas: ReadonlyMap<string, string>; signal: AbortSignal },
): Promise<LookResult> {
  const ref = branchRef(source);
  const head = shas.get(ref);
  if (head === undefined) throw await noBranch(deps, remote, source, signal);
  if (head === source.seenSha) return nothingToDo('The newest commit was looked at before.');
  if (source.pausedAt !== null) {
    await updateGitSource(deps.database.queries, source.id, { waitingSha: head });
    return nothingToDo('An earlier deployment is live; pushes wait until somebody resumes.');
  }
  const revision = await deps.git.inspect(remote, { ref, folder: source.folder, signal });
  await keepHostKeys(deps, source, revision);
  const isSkipped = skipsDocs(revision.message);
  const { sha: seenSha, tree: seenTree } = revision;
  if (isSkipped || seenTree === source.seenTree) {
    const seen = isSkipped ? { seenSha } : { seenSha, seenTree };
    await updateGitSource(deps.database.queries, source.id, seen);
    return nothingToDo(
      isSkipped ? 'The message of the commit has [skip docs].' : 'Nothing changed in the folder.',
    );
  }
  let isClaimed = false;
  // Another look at the same time may be faster: one of them deploys.
  const claim = async (transaction: Transaction) => {
    isClaimed = await claimCommit(transaction, source, { seenSha, seenTree });
    return isClaimed;
  };
  await deployGitRef(deps, source, ref, { source: 'git' }, claim);
  return isClaimed
    ? { outcome: 'deployed', reason: null }
    : nothingToDo('Another look was faster, or pushes were paused.');
}
