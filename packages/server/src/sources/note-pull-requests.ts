import { oneLine } from '@docent/format/deployments/commit.ts';
import { isBranchName } from '@docent/format/sources/git-address.ts';
import {
  isSameRepository,
  PULL_REFS,
  type PullRequestMessage,
} from '@docent/format/sources/pull-request.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import type { Transaction } from '../ports/database.ts';
import { reportPullRequestJob, syncPullRequestJob } from '../ports/jobs.ts';
import { branchRef } from './git-remote.ts';
import { isFromFork } from './may-preview.ts';
import {
  findPullRequestOfDeployment,
  listPullRequests,
  type PullRequestRow,
  storePullRequest,
  updatePullRequest,
} from './pull-request-queries.ts';
import { type GitSourceRow, updateGitSource } from './queries.ts';

type NoteDeps = Pick<Deps, 'database' | 'jobs' | 'clock'>;

const MAX_TITLE = 200;
const MAX_AUTHOR = 100;
/**
 * After this time without a message about a pull request, refs are listed again: the webhook may be
 * gone.
 */
const TOLD_MS = 7 * 24 * 3600 * 1000;

/**
 * Stores what a message says about a pull request, which is then looked at.
 * @returns why it need not be; undefined if it must
 */
export async function notePullRequest(
  deps: Pick<Deps, 'database' | 'clock'>,
  source: GitSourceRow,
  message: PullRequestMessage,
): Promise<string | undefined> {
  if (!isSameRepository(source.url, message.repository)) return 'It is about another repository.';
  const now = deps.clock.now();
  await updateGitSource(deps.database.queries, source.id, { pullsToldAt: now });
  if (source.previews === 'none') return 'Pull requests have no previews.';
  const { number, isMember, title, author } = message;
  const ref = refOf(source, message);
  if (ref === undefined) return 'Its commits cannot be fetched from the repository.';
  const stored = {
    ...blankPull(source, number, now),
    ref,
    title: oneLine(title, MAX_TITLE),
    author: oneLine(author ?? '', MAX_AUTHOR) || null,
    isMember,
    isOpen: message.isOpen && message.base === source.branch,
    toldAt: timeOf(message.updatedAt) ?? now,
  };
  const isNews = await storePullRequest(deps.database.queries, stored, message.sha ?? null);
  return isNews ? undefined : 'Something newer is known about the pull request.';
}

/** Lets the pull request that a deployment is built for show how it ended. */
export async function noteEndOfBuild(
  { jobs }: Pick<Deps, 'jobs'>,
  transaction: Transaction,
  deploymentId: string,
): Promise<void> {
  const pull = await findPullRequestOfDeployment(transaction, deploymentId);
  if (pull) await jobs.enqueue(reportPullRequestJob, pull, transaction);
}

function blankPull({ id: sourceId }: GitSourceRow, number: number, now: Date) {
  return {
    id: createUlid(now),
    sourceId,
    number,
    title: '',
    author: null,
    isMember: false,
    createdAt: now,
  };
}

/**
 * A branch of the repository itself is fetched under its name, so that a lie about a fork leads to
 * nothing of a stranger.
 */
function refOf(
  { provider }: GitSourceRow,
  { number, isFork, head }: PullRequestMessage,
): string | undefined {
  if (isFork) return PULL_REFS[provider]?.of(number);
  return head !== undefined && isBranchName(head) ? branchRef({ branch: head }) : undefined;
}

function timeOf(at: string | number | undefined): Date | undefined {
  const time = new Date(
    typeof at === 'string' ? at.replace(/ UTC$/, 'Z').replace(' ', 'T') : (at ?? Number.NaN),
  );
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Returns the refs that show the pull requests of a source; none if webhooks report them, or they
 * have no previews.
 */
export function pullPatterns({ clock }: Pick<Deps, 'clock'>, source: GitSourceRow): string[] {
  const refs = PULL_REFS[source.provider];
  const { pullsToldAt, previews } = source;
  const isTold = pullsToldAt !== null && clock.now().getTime() - pullsToldAt.getTime() < TOLD_MS;
  return previews === 'none' || !refs || isTold ? [] : ['refs/heads/*', refs.pattern];
}

/**
 * Looks at pull requests that are new, were pushed to, or are gone. Refs do not say which pull
 * requests are open, so those from before the first time are left alone.
 * @param shas of the refs that `pullPatterns` names
 * @returns whether there are any of these
 */
export async function lookForPullRequests(
  deps: NoteDeps,
  source: GitSourceRow,
  shas: ReadonlyMap<string, string>,
): Promise<boolean> {
  const refs = PULL_REFS[source.provider];
  if (!refs) return false;
  const now = deps.clock.now();
  const heads = pullsIn(shas, refs.pattern);
  const above = source.pullsAbove ?? Math.max(0, ...heads.keys());
  if (source.pullsAbove === null)
    await updateGitSource(deps.database.queries, source.id, { pullsAbove: above });
  let isNews = false;
  const look = async (number: number) => {
    isNews = true;
    await deps.jobs.enqueue(syncPullRequestJob, { sourceId: source.id, number });
  };
  const { queries } = deps.database;
  const stored = new Map(
    (await listPullRequests(queries, source.id)).map((pull) => [pull.number, pull]),
  );
  for (const pull of stored.values()) {
    if (!hasChanged(pull, shas, heads)) continue;
    // What it is closed by is seen when it is looked at.
    const opened = !pull.isOpen && { isOpen: true, toldAt: now, updatedAt: now };
    await updatePullRequest(queries, pull.id, { ...opened, seenOpenAt: now });
    await look(pull.number);
  }
  const branches = new Map(
    [...shas].flatMap(([ref, sha]) => (ref.startsWith('refs/heads/') ? [[sha, ref] as const] : [])),
  );
  for (const [number, sha] of heads) {
    if (number <= above || stored.has(number) || sha === shas.get(branchRef(source))) continue;
    const ref = branches.get(sha) ?? refs.of(number);
    await storePullRequest(queries, {
      ...blankPull(source, number, now),
      ref,
      isOpen: true,
      toldAt: null,
      seenOpenAt: now,
    });
    await look(number);
  }
  return isNews;
}

/** Returns the commits of the pull requests that a repository shows, by their numbers. */
function pullsIn(shas: ReadonlyMap<string, string>, pattern: string): Map<number, string> {
  const [before = '', after = ''] = pattern.split('*');
  const numbers = [...shas].flatMap(([ref, sha]) => {
    const number =
      ref.startsWith(before) && ref.endsWith(after)
        ? ref.slice(before.length, ref.length - after.length)
        : '';
    return /^[1-9]\d{0,8}$/.test(number) ? [[Number(number), sha] as const] : [];
  });
  return new Map(numbers);
}

function hasChanged(
  pull: PullRequestRow,
  shas: ReadonlyMap<string, string>,
  heads: ReadonlyMap<number, string>,
): boolean {
  const sha = isFromFork(pull) ? heads.get(pull.number) : shas.get(pull.ref);
  // Closed ones keep their refs; a push opens one again.
  return pull.isOpen
    ? sha !== pull.headSha
    : sha !== undefined && pull.headSha !== null && sha !== pull.headSha;
}
