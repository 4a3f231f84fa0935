import { webAddress } from '../docs-json/settings/repository.ts';
import { isObject, objectAt, textAt, valueAt } from '../json-value.ts';
import type { GitProvider } from './git-provider.ts';

/** Who reads the previews of pull requests; with `none`, there are none. */
export const PULL_PREVIEWS = ['none', 'public', 'members'] as const;
export type PullPreviews = (typeof PULL_PREVIEWS)[number];

/**
 * Whose pull requests from forks get a preview without anybody's approval. With `approval`, each of
 * their commits needs one.
 */
export const FORK_RULES = ['all', 'members', 'approval'] as const;
export type ForkRule = (typeof FORK_RULES)[number];

/**
 * `waiting`: an editor must approve the commit. `unchanged`: it changes nothing below the folder.
 */
export const PULL_STATES = ['new', 'previewed', 'waiting', 'unchanged'] as const;
export type PullState = (typeof PULL_STATES)[number];

/** What a message says about a pull request. */
export interface PullRequestMessage {
  number: number;
  isOpen: boolean;
  title: string;
  author: string | undefined;
  /**
   * Whether the server counts the author among the people of the repository; only GitHub says so.
   */
  isMember: boolean;
  isFork: boolean;
  /** Names of branches. */
  head: string | undefined;
  /** Commit of the head. */
  sha: string | undefined;
  base: string;
  /** Path of the repository that it is opened in. */
  repository: string;
  /** ISO 8601, or milliseconds. */
  updatedAt: string | number | undefined;
}

const MAX_NUMBER = 2 ** 31 - 1;
const PEOPLE = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
const branchOf = (ref: string | undefined) => ref?.replace(/^refs\/heads\//, '');

/**
 * Reads a message about a pull request, as GitHub, GitLab, Gitea, Forgejo, Bitbucket and Azure
 * Repos write it.
 * @returns undefined if it is about something else, or lacks a part
 */
export function readPullRequestMessage(message: unknown): PullRequestMessage | undefined {
  const pull = READERS.map((read) => (isObject(message) ? read(message) : undefined)).find(Boolean);
  const { number = Number.NaN, base, repository } = pull ?? {};
  if (
    !pull ||
    !Number.isInteger(number) ||
    number < 1 ||
    number > MAX_NUMBER ||
    !base ||
    !repository
  )
    return undefined;
  return { ...pull, number, base, repository };
}

type Read = Partial<Pick<PullRequestMessage, 'number' | 'base' | 'repository'>> &
  Omit<PullRequestMessage, 'number' | 'base' | 'repository'>;

const READERS: readonly ((message: Readonly<Record<string, unknown>>) => Read | undefined)[] = [
  readGitHub,
  readGitLab,
  readBitbucketCloud,
  readBitbucketServer,
  readAzure,
];

/** Also that of Gitea and Forgejo. */
function readGitHub(message: Readonly<Record<string, unknown>>): Read | undefined {
  const pull = objectAt(message, 'pull_request');
  const [head, base] = [objectAt(pull, 'head'), objectAt(pull, 'base')];
  if (!pull || !head) return undefined;
  const repository = textAt(valueAt(message, 'repository'), 'full_name');
  return {
    number: Number(textAt(pull, 'number')),
    isOpen: textAt(pull, 'state') === 'open',
    title: textAt(pull, 'title') ?? '',
    author: textAt(valueAt(pull, 'user'), 'login'),
    isMember: PEOPLE.has(textAt(pull, 'author_association') ?? ''),
    // A fork may have been deleted.
    isFork: textAt(valueAt(head, 'repo'), 'full_name') !== repository,
    head: textAt(head, 'ref'),
    sha: textAt(head, 'sha'),
    base: textAt(base, 'ref'),
    repository,
    updatedAt: textAt(pull, 'updated_at'),
  };
}

function readGitLab(message: Readonly<Record<string, unknown>>): Read | undefined {
  const pull = objectAt(message, 'object_attributes');
  if (textAt(message, 'object_kind') !== 'merge_request' || !pull) return undefined;
  return {
    number: Number(textAt(pull, 'iid')),
    isOpen: textAt(pull, 'state') === 'opened',
    title: textAt(pull, 'title') ?? '',
    author: textAt(valueAt(message, 'user'), 'username'),
    isMember: false,
    isFork: textAt(pull, 'source_project_id') !== textAt(pull, 'target_project_id'),
    head: textAt(pull, 'source_branch'),
    sha: textAt(valueAt(pull, 'last_commit'), 'id'),
    base: textAt(pull, 'target_branch'),
    repository: textAt(valueAt(message, 'project'), 'path_with_namespace'),
    updatedAt: textAt(pull, 'updated_at'),
  };
}

function readBitbucketCloud(message: Readonly<Record<string, unknown>>): Read | undefined {
  const pull = objectAt(message, 'pullrequest');
  const [source, destination] = [objectAt(pull, 'source'), objectAt(pull, 'destination')];
  if (!pull || !source) return undefined;
  const repository = textAt(valueAt(destination, 'repository'), 'full_name');
  return {
    number: Number(textAt(pull, 'id')),
    isOpen: textAt(pull, 'state') === 'OPEN',
    title: textAt(pull, 'title') ?? '',
    author:
      textAt(valueAt(pull, 'author'), 'nickname') ??
      textAt(valueAt(pull, 'author'), 'display_name'),
    isMember: false,
    isFork: textAt(valueAt(source, 'repository'), 'full_name') !== repository,
    head: textAt(valueAt(source, 'branch'), 'name'),
    // Bitbucket Cloud shortens it, so that it is never the one of a look.
    sha: textAt(valueAt(source, 'commit'), 'hash'),
    base: textAt(valueAt(destination, 'branch'), 'name'),
    repository,
    updatedAt: textAt(pull, 'updated_on'),
  };
}

function readBitbucketServer(message: Readonly<Record<string, unknown>>): Read | undefined {
  const pull = objectAt(message, 'pullRequest');
  const [from, to] = [objectAt(pull, 'fromRef'), objectAt(pull, 'toRef')];
  if (!pull || !from || !to) return undefined;
  const pathOf = (ref: unknown) => {
    const repository = valueAt(ref, 'repository');
    const [project, slug] = [
      textAt(valueAt(repository, 'project'), 'key'),
      textAt(repository, 'slug'),
    ];
    return project && slug && `${project}/${slug}`;
  };
  return {
    number: Number(textAt(pull, 'id')),
    isOpen: textAt(pull, 'state') === 'OPEN' && textAt(message, 'eventKey') !== 'pr:deleted',
    title: textAt(pull, 'title') ?? '',
    author: textAt(valueAt(valueAt(pull, 'author'), 'user'), 'name'),
    isMember: false,
    isFork: pathOf(from) !== pathOf(to),
    head: branchOf(textAt(from, 'id')),
    sha: textAt(from, 'latestCommit'),
    base: branchOf(textAt(to, 'id')),
    repository: pathOf(to),
    updatedAt: Number(textAt(pull, 'updatedDate') ?? Number.NaN),
  };
}

function readAzure(message: Readonly<Record<string, unknown>>): Read | undefined {
  const pull = objectAt(message, 'resource');
  if (!textAt(message, 'eventType')?.startsWith('git.pullrequest.') || !pull) return undefined;
  const remote = textAt(valueAt(pull, 'repository'), 'remoteUrl');
  return {
    number: Number(textAt(pull, 'pullRequestId')),
    isOpen: textAt(pull, 'status') === 'active',
    title: textAt(pull, 'title') ?? '',
    author: textAt(valueAt(pull, 'createdBy'), 'displayName'),
    isMember: false,
    isFork: objectAt(pull, 'forkSource') !== undefined,
    head: branchOf(textAt(pull, 'sourceRefName')),
    sha: textAt(valueAt(pull, 'lastMergeSourceCommit'), 'commitId'),
    base: branchOf(textAt(pull, 'targetRefName')),
    repository: remote?.replace(/^\w+:\/\/[^/]*\//, ''),
    updatedAt: textAt(message, 'createdDate'),
  };
}

/** Returns whether a message names the repository at an address, whatever the protocol. */
export function isSameRepository(url: string, repository: string): boolean {
  return `/${pathIn(url)}`.endsWith(`/${pathIn(`x://x/${repository}`)}`);
}

/** Azure Repos has one path for https and another for ssh. */
function pathIn(url: string): string {
  const [path = ''] = url.replace(/^\w+:\/\/[^/]*\/+/, '').split(/[?#]/);
  return decoded(path)
    .toLowerCase()
    .replace(/(?:\.git)?\/?$/, '')
    .replace(/^v3\//, '')
    .replace('/_git/', '/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

interface PullRefs {
  /** Pattern of the refs of all pull requests. */
  pattern: string;
  of: (number: number) => string;
}

const refsOf = (before: string, after: string): PullRefs => ({
  pattern: `${before}*${after}`,
  of: (number) => before + number + after,
});

/**
 * The refs that a server keeps for its pull requests, also for those from forks. Bitbucket Cloud
 * has none.
 */
export const PULL_REFS: Readonly<Record<GitProvider, PullRefs | undefined>> = {
  github: refsOf('refs/pull/', '/head'),
  gitea: refsOf('refs/pull/', '/head'),
  other: refsOf('refs/pull/', '/head'),
  gitlab: refsOf('refs/merge-requests/', '/head'),
  'bitbucket-server': refsOf('refs/pull-requests/', '/from'),
  azure: refsOf('refs/pull/', '/merge'),
  bitbucket: undefined,
};

const PAGES: Readonly<Record<GitProvider, string | undefined>> = {
  github: '/pull/',
  gitea: '/pulls/',
  gitlab: '/-/merge_requests/',
  bitbucket: '/pull-requests/',
  azure: '/pullrequest/',
  'bitbucket-server': undefined,
  other: undefined,
};

/** Returns the page of a pull request; undefined where its address is not known. */
export function pullRequestAddress(
  { url, provider }: { url: string; provider: GitProvider },
  number: number,
) {
  const [address, page] = [webAddress(url), PAGES[provider]];
  return address && page && `${address.replace(/\.git$/, '')}${page}${number}`;
}
