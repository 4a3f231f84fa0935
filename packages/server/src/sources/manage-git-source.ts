import { type Action, type Actor, actorId } from '@docent/format/access/may.ts';
import type { CheckRule } from '@docent/format/deployments/new-problems.ts';
import {
  MAX_SOURCES,
  overlappingPaths,
  readSourcePath,
} from '@docent/format/docs-json/site-sources.ts';
import { DocentError } from '@docent/format/errors.ts';
import {
  isBranchName,
  readGitAddress,
  readSourceFolder,
} from '@docent/format/sources/git-address.ts';
import {
  type GitCredentialsKind,
  type GitProvider,
  providerOf,
} from '@docent/format/sources/git-provider.ts';
import { githubRepository } from '@docent/format/sources/github.ts';
import type { ForkRule, PullPreviews } from '@docent/format/sources/pull-request.ts';
import { type GitHubAppRow, listGitHubApps } from '../github-apps/app-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import { createUlid } from '../kernel/ids.ts';
import { type ListPage, type PageRequest, readPage } from '../kernel/list-pages.ts';
import { sealSecret } from '../kernel/sealed-secrets.ts';
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

export type SourceDeps = Pick<
  Deps,
  'database' | 'clock' | 'config' | 'jobs' | 'git' | 'secret' | 'installationTokens'
> & {
  /** Ends the previews of all pull requests of a repository. */
  forgetPullRequests: (source: GitSourceRow) => Promise<void>;
  /** Lets only members read the previews of all pull requests of a repository. */
  restrictPullRequests: (source: GitSourceRow) => Promise<void>;
};

/**
 * How the server is let in. A token of `undefined` keeps the stored one; `newKey` makes another
 * deploy key.
 */
interface CredentialsInput {
  kind: GitCredentialsKind;
  username?: string | null | undefined;
  token?: string | undefined;
  newKey?: boolean | undefined;
  /** Of several apps of the organization at that host, which one. */
  githubAppId?: string | undefined;
}

/** Which source of a site: without an id, the base. */
export interface SourceName {
  project: string;
  sourceId?: string | undefined;
}

interface SourceInput {
  /** Where its pages are; empty for a base with all of the site. */
  path?: string | undefined;
  url: string;
  branch: string;
  folder: string;
  provider?: GitProvider | undefined;
  automatic: boolean;
  credentials: CredentialsInput;
  previews?: PullPreviews | undefined;
  forks: ForkRule;
  failsOn: CheckRule;
  submodules: boolean;
  /** Hosts of submodules besides that of the repository. */
  submoduleHosts: string[];
  /** Whether files in Git LFS have their content. */
  lfs: boolean;
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
  const { url, branch, folder, provider, automatic, trustHostKey, previews, forks, failsOn } =
    changes;
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
    if ((await deps.git.resolve(await remoteOf(deps, source), branchRef(source))) === undefined)
      throw noBranch(source);
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

function placeOf({
  url,
  branch,
  folder,
  provider,
}: Pick<SourceInput, 'url' | 'branch' | 'folder' | 'provider'>) {
  const address = readGitAddress(url.trim());
  if (typeof address === 'string') throw invalid('/url', address);
  if (!isBranchName(branch)) throw invalid('/branch', 'This is not the name of a branch.');
  const path = readSourceFolder(folder);
  if (path === undefined)
    throw invalid(
      '/folder',
      'This is not the path of a folder in the repository; write it like packages/docs.',
    );
  return { url: address.url, branch, folder: path, provider: provider ?? providerOf(address.host) };
}

const NO_CREDENTIALS = { username: null, secret: null, publicKey: null, githubAppId: null };

/** @param before what is stored, if it may be used again */
async function credentialsOf(
  deps: SourceDeps,
  { organizationId }: { organizationId: string },
  { kind, username = null, token, newKey = false, githubAppId }: CredentialsInput,
  { url }: { url: string },
  before: Pick<GitSourceRow, 'credentials' | 'secret' | 'publicKey'> | undefined,
) {
  const isSsh = url.startsWith('ssh:');
  if (isSsh !== (kind === 'ssh'))
    throw invalid(
      '/credentials/kind',
      `An address with ${isSsh ? 'ssh needs a deploy key' : 'https takes no deploy key'}.`,
    );
  const stored = before?.credentials === kind ? before : undefined;
  if (kind === 'none') return { credentials: kind, ...NO_CREDENTIALS };
  if (kind === 'github_app') {
    const app = await appFor(deps, organizationId, { url, githubAppId });
    return { credentials: kind, ...NO_CREDENTIALS, githubAppId: app.id };
  }
  if (kind === 'token') {
    const secret =
      token === undefined
        ? (stored?.secret ?? undefined)
        : sealSecret(deps.secret, 'Git sources', token);
    if (secret === undefined)
      throw invalid(
        '/credentials/token',
        'Enter the token: it is used only at the server that it was entered for.',
      );
    return { credentials: kind, ...NO_CREDENTIALS, username, secret };
  }
  if (stored?.secret && !newKey)
    return {
      credentials: kind,
      ...NO_CREDENTIALS,
      secret: stored.secret,
      publicKey: stored.publicKey,
    };
  const { privateKey, publicKey } = await deps.git.createKey('docent');
  return {
    credentials: kind,
    ...NO_CREDENTIALS,
    secret: sealSecret(deps.secret, 'Git sources', privateKey),
    publicKey,
  };
}

/** Returns the app of an organization that lets the server in at an address. */
async function appFor(
  { database }: SourceDeps,
  organizationId: string,
  { url, githubAppId }: { url: string; githubAppId: string | undefined },
): Promise<GitHubAppRow> {
  const host = githubRepository(url)?.host;
  if (host === undefined)
    throw invalid(
      '/url',
      'A GitHub App needs the address of a repository, such as https://github.com/acme/docs.',
    );
  const all = await listGitHubApps(database.queries, organizationId, { limit: 100 });
  const apps = all.filter((app) => app.host === host);
  const app = githubAppId === undefined ? apps[0] : apps.find(({ id }) => id === githubAppId);
  if (!app || (githubAppId === undefined && apps.length > 1))
    throw invalid(
      '/credentials/githubAppId',
      apps.length === 0
        ? `The organization has no GitHub App at ${host}; create it in the dashboard.`
        : `Choose one of the GitHub Apps at ${host}: ${apps.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
    );
  return app;
}

function invalid(path: string, message: string): DocentError {
  return new DocentError('invalid_request', message, { errors: [{ path, message }] });
}
