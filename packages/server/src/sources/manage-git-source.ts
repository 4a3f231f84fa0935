import { type Action, type Actor, actorId } from '@docent/format/access/may.ts';
import {
  MAX_SOURCES,
  overlappingPaths,
  readSourcePath,
} from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { findPermittedSite } from '../kernel/sites/find-site.ts';
import { lockSite } from '../kernel/sites/site-queries.ts';
import { syncGitSourceJob, syncPullRequestJob } from '../ports/jobs.ts';
import { type LoggedDelivery, listLoggedDeliveries } from './delivery-queries.ts';
import { branchRef, noBranch, remoteOf } from './git-remote.ts';
import { forgetSeen } from './pull-request-queries.ts';
import {
  deleteGitSource,
  exchangeBase,
  forgetDeployed,
  type GitSourceRow,
  insertGitSource,
  listGitSources,
  NOT_PAUSED,
  updateGitSource,
} from './queries.ts';
import { credentialsOf, invalid, placeOf, type SourceInput } from './source-input.ts';

export type SourceDeps = Pick<
  Deps,
  'database' | 'clock' | 'config' | 'jobs' | 'git' | 'secret' | 'installationTokens'
> & {
  /** Ends the previews of all pull requests of a repository. */
  forgetPullRequests: (source: GitSourceRow) => Promise<void>;
  /** Lets only members read the previews of all pull requests of a repository. */
  restrictPullRequests: (source: GitSourceRow) => Promise<void>;
};

/** Which source of a site: without an id, the base. */
export interface SourceName {
  project: string;
  sourceId?: string | undefined;
}

/**
 * Changes of a source; what is absent stays. `trustHostKey` accepts the key that the host shows
 * next.
 */
type SourceChanges = { [Name in keyof SourceInput]?: SourceInput[Name] | undefined } & {
  trustHostKey?: boolean | undefined;
  /** Makes it the base; a former base without a path takes its path. */
  base?: true | undefined;
};

/** Returns the sources of a site, the base first. @throws DocentError `site_not_found` */
export async function listSiteSources(
  deps: Pick<Deps, 'database' | 'config'>,
  actor: Actor,
  project: string,
): Promise<GitSourceRow[]> {
  const site = await findPermittedSite(deps, actor, 'git-sources.read', project);
  return listGitSources(deps.database.queries, site.id);
}

/**
 * Returns what the server of a repository sent, newest first.
 * @throws DocentError `site_not_found`, `git_source_not_found`
 */
export async function listSourceDeliveries(
  deps: Pick<Deps, 'database' | 'config'>,
  actor: Actor,
  name: SourceName,
  request: PageRequest,
): Promise<ListPage<LoggedDelivery>> {
  const { id } = await sourceOf(deps, actor, 'git-sources.read', name);
  return readPage(
    request,
    (slice) => listLoggedDeliveries(deps.database.queries, id, slice),
    (entry) => ({ at: entry.receivedAt, id: entry.id }),
  );
}

/** @throws DocentError `site_not_found`, `git_source_not_found` */
export async function sourceOf(
  deps: Pick<Deps, 'database' | 'config'>,
  actor: Actor,
  action: Action,
  { project, sourceId }: SourceName,
): Promise<GitSourceRow> {
  const site = await findPermittedSite(deps, actor, action, project);
  const sources = await listGitSources(deps.database.queries, site.id);
  const source = sources.find(({ id, isBase }) => (sourceId ? id === sourceId : isBase));
  if (!source)
    throw new DocentError(
      'git_source_not_found',
      sourceId
        ? 'The site has no such source; it may have been removed.'
        : 'The site is not connected to a Git repository; connect it first.',
    );
  return source;
}

/**
 * Returns the path of a source.
 * @throws DocentError `invalid_request` naming the field
 */
function freePath(text: string, isBase: boolean, sources: readonly GitSourceRow[]): string {
  const path = isBase && /^[\s/]*$/.test(text) ? '' : readSourcePath(text);
  if (path === undefined)
    throw invalid('/path', 'This is not a URL path; write it like api or sdks/python.');
  const overlap = overlappingPaths([...sources, { path }].flatMap((source) => source.path || []));
  if (overlap)
    throw invalid(
      '/path',
      `It overlaps with the path ${overlap[0]} of another source; no path may be in another.`,
    );
  return path;
}

/** What the site has of its sources must be composed again. */
async function deployAgain({ database, jobs, clock }: SourceDeps, siteId: string): Promise<void> {
  for (const sourceId of await forgetDeployed(database.queries, siteId, clock.now()))
    await jobs.enqueue(syncGitSourceJob, { sourceId });
}

/**
 * Connects a site with a repository. Its branch is deployed at once if the server is let in.
 * @throws DocentError `site_not_found`; `invalid_request` naming the field, or if the site is
 *   connected already; `git_refused` if no deploy key can be made
 */
export async function connectGitSource(
  deps: SourceDeps,
  actor: Actor,
  project: string,
  input: SourceInput,
): Promise<GitSourceRow> {
  const site = await findPermittedSite(deps, actor, 'git-sources.write', project);
  const place = placeOf(input);
  const now = deps.clock.now();
  const id = createUlid(now);
  const credentials = await credentialsOf(deps, site, input.credentials, place, undefined);
  const { path = '' } = input;
  const row = {
    id,
    siteId: site.id,
    isBase: true,
    ...place,
    automatic: input.automatic,
    // What is not public yet must not be by a default.
    previews: input.previews ?? (input.credentials.kind === 'none' ? 'public' : 'members'),
    forks: input.forks,
    failsOn: input.failsOn,
    submodules: input.submodules,
    submoduleHosts: input.submoduleHosts,
    lfs: input.lfs,
    failsOnAnswers: input.failsOnAnswers,
    vale: input.vale,
    pullsToldAt: null,
    pullsAbove: null,
    ...credentials,
    knownHosts: null,
    seenSha: null,
    seenTree: null,
    checkAt: now,
    checkedAt: null,
    newsAt: null,
    lastError: null,
    lastErrorAt: null,
    madeBy: actorId(actor),
    webhookSecret: null,
    webhookAt: null,
    ...NOT_PAUSED,
    createdAt: now,
  };
  const stored = await deps.database.queries.transaction().execute(async (transaction) => {
    await lockSite(transaction, site.id);
    const sources = await listGitSources(transaction, site.id);
    const [base] = sources;
    if (!base || path === '')
      return insertGitSource(transaction, { ...row, path: freePath(path, true, sources) });
    if (sources.length > MAX_SOURCES)
      throw invalid('/path', `A site has at most ${MAX_SOURCES} sources besides the base.`);
    const { pausedAt, pausedBy } = base;
    return insertGitSource(transaction, {
      ...row,
      isBase: false,
      path: freePath(path, false, sources),
      pausedAt,
      pausedBy,
    });
  });
  if (!stored)
    throw new DocentError(
      'invalid_request',
      'The site has a Git source already; change it, disconnect it first, or add another at a path.',
    );
  // A deploy key must first be added to the repository.
  if (input.credentials.kind !== 'ssh') await deps.jobs.enqueue(syncGitSourceJob, { sourceId: id });
  return sourceOf(deps, actor, 'git-sources.write', { project, sourceId: id });
}

/**
 * Changes the given properties. A new address, branch or folder is deployed as soon as it is looked
 * at.
 * @throws DocentError like `connectGitSource`, and `git_source_not_found`
 */
export async function changeGitSource(
  deps: SourceDeps,
  actor: Actor,
  name: SourceName,
  changes: SourceChanges,
): Promise<GitSourceRow> {
  const before = await sourceOf(deps, actor, 'git-sources.write', name);
  const path = await changedPath(deps, before, changes);
  const { url, branch, folder, provider, trustHostKey, previews } = changes;
  const { automatic, forks, failsOn, failsOnAnswers, vale } = changes;
  const extras = {
    submodules: changes.submodules ?? before.submodules,
    submoduleHosts: changes.submoduleHosts ?? before.submoduleHosts,
    lfs: changes.lfs ?? before.lfs,
  };
  const changedUrl =
    url !== undefined && url !== before.url
      ? { url, provider }
      : { url: before.url, provider: provider ?? before.provider };
  const place = placeOf({
    ...changedUrl,
    branch: branch ?? before.branch,
    folder: folder ?? before.folder,
  });
  const isElsewhere = new URL(place.url).host !== new URL(before.url).host;
  const next = changes.credentials ?? {
    kind: before.credentials,
    username: before.username,
    githubAppId: before.githubAppId ?? undefined,
  };
  const credentials = await credentialsOf(
    deps,
    before,
    next,
    place,
    isElsewhere ? { ...before, secret: null } : before,
  );
  const { submodules, submoduleHosts, lfs } = before;
  const isOther =
    place.url !== before.url ||
    place.branch !== before.branch ||
    place.folder !== before.folder ||
    JSON.stringify(extras) !== JSON.stringify({ submodules, submoduleHosts, lfs });
  await updateGitSource(deps.database.queries, before.id, {
    ...place,
    ...credentials,
    ...extras,
    path,
    automatic,
    previews,
    forks,
    failsOn,
    failsOnAnswers,
    vale,
    ...(place.url !== before.url && { pullsToldAt: null, pullsAbove: null }),
    ...(isOther && { seenSha: null, seenTree: null }),
    ...((isElsewhere || trustHostKey === true) && { knownHosts: null }),
    checkAt: deps.clock.now(),
    lastError: null,
    lastErrorAt: null,
  });
  if (place.url !== before.url) await deps.git.forget(before.id.toLowerCase());
  // Numbers are those of another repository now.
  if (place.url !== before.url || previews === 'none') await deps.forgetPullRequests(before);
  else if (previews === 'members' && before.previews === 'public')
    await deps.restrictPullRequests(before);
  if (isOther)
    for (const number of await forgetSeen(deps.database.queries, before.id))
      await deps.jobs.enqueue(syncPullRequestJob, { sourceId: before.id, number });
  if (changes.base && !before.isBase) await makeBase(deps, before.id, before.siteId);
  if (path !== undefined || changes.base) await deployAgain(deps, before.siteId);
  return sourceOf(deps, actor, 'git-sources.write', { ...name, sourceId: before.id });
}

async function changedPath(
  { database }: SourceDeps,
  { id, siteId, isBase, path }: GitSourceRow,
  changes: SourceChanges,
): Promise<string | undefined> {
  if (changes.path === undefined || changes.path === path) return undefined;
  const sources = await listGitSources(database.queries, siteId);
  return freePath(
    changes.path,
    isBase,
    sources.filter((source) => source.id !== id),
  );
}

async function makeBase({ database }: SourceDeps, id: string, siteId: string): Promise<void> {
  await database.queries.transaction().execute(async (transaction) => {
    await lockSite(transaction, siteId);
    const sources = await listGitSources(transaction, siteId);
    const base = sources.find((source) => source.isBase);
    const next = sources.find((source) => source.id === id);
    if (base && next && next !== base) await exchangeBase(transaction, base, next);
  });
}

/**
 * Disconnects a site from its repository; what is live stays, previews of pull requests end.
 * @throws DocentError `site_not_found`, `git_source_not_found`
 */
export async function disconnectGitSource(
  deps: SourceDeps,
  actor: Actor,
  name: SourceName,
): Promise<void> {
  const source = await sourceOf(deps, actor, 'git-sources.write', name);
  const { id, siteId, isBase } = source;
  if (isBase && (await listGitSources(deps.database.queries, siteId)).length > 1)
    throw new DocentError(
      'invalid_request',
      'The site has other sources; make one of them the base first, or remove them.',
    );
  await deps.forgetPullRequests(source);
  await deleteGitSource(deps.database.queries, id);
  await deps.git.forget(id.toLowerCase());
  if (!isBase) await deployAgain(deps, siteId);
}

/**
 * Asks the server of the repository for the branch now, and lets changes be deployed.
 * @returns the source with the result: `lastError` says what is wrong
 * @throws DocentError `site_not_found`, `git_source_not_found`
 */
export async function checkGitSource(
  deps: SourceDeps,
  actor: Actor,
  name: SourceName,
): Promise<GitSourceRow> {
  const source = await sourceOf(deps, actor, 'git-sources.write', name);
  const { queries } = deps.database;
  const now = deps.clock.now();
  deps.installationTokens.forget(source);
  try {
    const remote = await remoteOf(deps, source);
    if ((await deps.git.resolve(remote, branchRef(source))) === undefined)
      throw await noBranch(deps, remote, source);
    await updateGitSource(queries, source.id, {
      checkedAt: now,
      lastError: null,
      lastErrorAt: null,
    });
    await deps.jobs.enqueue(syncGitSourceJob, { sourceId: source.id });
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    await updateGitSource(queries, source.id, {
      checkedAt: now,
      lastError: error.message,
      lastErrorAt: now,
    });
  }
  return sourceOf(deps, actor, 'git-sources.write', name);
}
