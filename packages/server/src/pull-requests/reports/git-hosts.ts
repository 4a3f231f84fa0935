import { isObject, listAt, textAt, valueAt } from '@docent/format/json-value.ts';
import { readGitAddress } from '@docent/format/sources/git-address.ts';
import type { GitProvider } from '@docent/format/sources/git-provider.ts';
import { githubApi } from '@docent/format/sources/github.ts';
import type { HostRequest } from '../../ports/git/host-calls.ts';
import type { PullReport } from './report-text.ts';

/** A comment as the server of the repository has it. */
export interface HostComment {
  id: string;
  text: string;
  /** Bitbucket Data Center changes only the version that is named. */
  version: number | undefined;
}

/** A status of a commit. */
export interface HostStatus extends Pick<PullReport, 'status' | 'url'> {
  sha: string;
  /** Of the pull request. */
  number: number;
  /** Names the check; one of this name replaces the one before. */
  name: string;
  description: string;
}

/**
 * How the API of a server of repositories is asked to comment on a pull request, and to show the
 * status of a commit.
 */
export interface GitHost {
  authorization(token: string, username: string | null): string;
  listComments(number: number): HostRequest;
  readComments(answer: unknown): HostComment[];
  createComment(number: number, text: string): HostRequest;
  readCreated(answer: unknown): string | undefined;
  updateComment(number: number, comment: HostComment, text: string): HostRequest;
  /** Reads a comment whose version must be named to change it. */
  readVersion?(number: number, id: string): HostRequest;
  setStatus(status: HostStatus): HostRequest;
  /** Opens a pull request that is marked as a draft, as far as the server knows drafts. */
  openPull(pull: NewPull): HostRequest;
  /** Name of the number of a pull request in what the server returns. */
  pullNumber: string;
  /** GitLab refuses a status that the commit has already. */
  refusesSameStatus?: true;
}

/** A pull request between two branches of a repository. */
export interface NewPull {
  title: string;
  text: string;
  /** Names of branches. */
  head: string;
  base: string;
}

const MAX_DESCRIPTION = 140;
const MAX_KEY = 40;

/**
 * Returns the API of the server of a repository.
 * @returns undefined where there is none that Docent knows, or the address is not that of a
 *   repository there
 */
export function gitHostOf(source: { provider: GitProvider; url: string }): GitHost | undefined {
  const address = readGitAddress(source.url);
  const create = HOSTS[source.provider];
  if (typeof address === 'string' || !create) return undefined;
  const { pathname, hostname, port, protocol } = new URL(address.url);
  const parts = pathname
    .replace(/(?:\.git)?\/?$/, '')
    .split('/')
    .filter(Boolean);
  if (parts.length < 2) return undefined;
  // The port of ssh is not that of the web.
  const authority = protocol === 'https:' && port ? `${hostname}:${port}` : hostname;
  return create(authority, parts);
}

type CreateHost = (authority: string, parts: readonly string[]) => GitHost | undefined;

const HOSTS: Readonly<Record<GitProvider, CreateHost | undefined>> = {
  github: createGitHub,
  gitea: createGitea,
  gitlab: createGitLab,
  bitbucket: createBitbucketCloud,
  'bitbucket-server': createBitbucketServer,
  azure: createAzure,
  other: undefined,
};

const lastTwo = (parts: readonly string[]) => parts.slice(-2).map(encodeURIComponent).join('/');
const idOf = (answer: unknown) => textAt(answer, 'id');

function commentsIn(
  list: unknown,
  textOf: (comment: unknown) => string | undefined,
): HostComment[] {
  return (Array.isArray(list) ? list : []).flatMap((comment) => {
    const [id, text] = [idOf(comment), textOf(comment)];
    const version = valueAt(comment, 'version');
    return id && text !== undefined
      ? [{ id, text, version: typeof version === 'number' ? version : undefined }]
      : [];
  });
}

/** What GitHub and Gitea have in common. */
function likeGitHub(repository: string): Omit<GitHost, 'authorization'> {
  return {
    listComments: (number) => ({
      method: 'GET',
      url: `${repository}/issues/${number}/comments?limit=100`,
    }),
    readComments: (answer) => commentsIn(answer, (comment) => textAt(comment, 'body')),
    createComment: (number, body) => ({
      method: 'POST',
      url: `${repository}/issues/${number}/comments`,
      body: { body },
    }),
    readCreated: idOf,
    pullNumber: 'number',
    openPull: ({ title, text, head, base }) => ({
      method: 'POST',
      url: `${repository}/pulls`,
      body: { title: `WIP: ${title}`, body: text, head, base },
    }),
    updateComment: (_, { id }, body) => ({
      method: 'PATCH',
      url: `${repository}/issues/comments/${id}`,
      body: { body },
    }),
    setStatus: ({ sha, status, name, url, description }) => ({
      method: 'POST',
      url: `${repository}/statuses/${sha}`,
      body: {
        state: status,
        target_url: url,
        description: description.slice(0, MAX_DESCRIPTION),
        context: name,
      },
    }),
  };
}

function createGitHub(authority: string, parts: readonly string[]): GitHost {
  const repository = `${githubApi(authority)}/repos/${lastTwo(parts)}`;
  return {
    ...likeGitHub(repository),
    openPull: ({ text, ...pull }) => ({
      method: 'POST',
      url: `${repository}/pulls`,
      // A repository may not have drafts, so the title says it.
      body: { ...pull, title: `Draft: ${pull.title}`, body: text },
    }),
    authorization: (token) => `Bearer ${token}`,
    listComments: (number) => ({
      method: 'GET',
      url: `${repository}/issues/${number}/comments?per_page=100`,
    }),
  };
}

function createGitea(authority: string, parts: readonly string[]): GitHost {
  return {
    ...likeGitHub(`https://${authority}/api/v1/repos/${lastTwo(parts)}`),
    authorization: (token) => `token ${token}`,
  };
}

function createGitLab(authority: string, parts: readonly string[]): GitHost {
  const project = `https://${authority}/api/v4/projects/${encodeURIComponent(parts.join('/'))}`;
  const notes = (number: number) => `${project}/merge_requests/${number}/notes`;
  return {
    refusesSameStatus: true,
    authorization: (token) => `Bearer ${token}`,
    listComments: (number) => ({ method: 'GET', url: `${notes(number)}?per_page=100&sort=asc` }),
    readComments: (answer) => commentsIn(answer, (comment) => textAt(comment, 'body')),
    createComment: (number, body) => ({ method: 'POST', url: notes(number), body: { body } }),
    pullNumber: 'iid',
    openPull: ({ title, text: description, head, base }) => ({
      method: 'POST',
      url: `${project}/merge_requests`,
      body: { title: `Draft: ${title}`, description, source_branch: head, target_branch: base },
    }),
    readCreated: idOf,
    updateComment: (number, { id }, body) => ({
      method: 'PUT',
      url: `${notes(number)}/${id}`,
      body: { body },
    }),
    setStatus: ({ sha, status, name, url, description }) => ({
      method: 'POST',
      url: `${project}/statuses/${sha}`,
      body: {
        state: status === 'failure' ? 'failed' : status,
        target_url: url,
        description: description.slice(0, MAX_DESCRIPTION),
        name,
      },
    }),
  };
}

const BITBUCKET_STATES = {
  pending: 'INPROGRESS',
  success: 'SUCCESSFUL',
  failure: 'FAILED',
} as const;

const bitbucketStatus = ({ status, name, url, description }: HostStatus) => ({
  state: BITBUCKET_STATES[status],
  key: name.slice(0, MAX_KEY),
  name,
  url,
  description,
});

function createBitbucketCloud(authority: string, parts: readonly string[]): GitHost | undefined {
  // A token goes only to the server that it is for.
  if (authority !== 'bitbucket.org') return undefined;
  const repository = `https://api.bitbucket.org/2.0/repositories/${lastTwo(parts)}`;
  const comments = (number: number) => `${repository}/pullrequests/${number}/comments`;
  const branch = (name: string) => ({ branch: { name } });
  return {
    pullNumber: 'id',
    openPull: ({ title, text: description, head, base }) => ({
      method: 'POST',
      url: `${repository}/pullrequests`,
      body: { title, description, source: branch(head), destination: branch(base), draft: true },
    }),
    authorization: (token, username) =>
      username === null
        ? `Bearer ${token}`
        : `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
    listComments: (number) => ({ method: 'GET', url: `${comments(number)}?pagelen=100` }),
    readComments: (answer) =>
      commentsIn(valueAt(answer, 'values'), (comment) =>
        textAt(valueAt(comment, 'content'), 'raw'),
      ),
    createComment: (number, raw) => ({
      method: 'POST',
      url: comments(number),
      body: { content: { raw } },
    }),
    readCreated: idOf,
    updateComment: (number, { id }, raw) => ({
      method: 'PUT',
      url: `${comments(number)}/${id}`,
      body: { content: { raw } },
    }),
    setStatus: (status) => ({
      method: 'POST',
      url: `${repository}/commit/${status.sha}/statuses/build`,
      body: bitbucketStatus(status),
    }),
  };
}

function createBitbucketServer(authority: string, parts: readonly string[]): GitHost {
  const [project = '', slug = ''] = parts.slice(-2).map(encodeURIComponent);
  const pulls = `https://${authority}/rest/api/1.0/projects/${project}/repos/${slug}/pull-requests`;
  const refIn = (branch: string) => ({
    id: `refs/heads/${branch}`,
    repository: { slug, project: { key: project } },
  });
  return {
    pullNumber: 'id',
    openPull: ({ title, text: description, head, base }) => ({
      method: 'POST',
      url: pulls,
      body: { title: `Draft: ${title}`, description, fromRef: refIn(head), toRef: refIn(base) },
    }),
    authorization: (token) => `Bearer ${token}`,
    listComments: (number) => ({ method: 'GET', url: `${pulls}/${number}/activities?limit=100` }),
    readComments: (answer) => {
      const activities = listAt(answer, 'values').filter(
        (activity) => textAt(activity, 'action') === 'COMMENTED',
      );
      const comments = activities.map((activity) => valueAt(activity, 'comment')).filter(isObject);
      return commentsIn(comments, (comment) => textAt(comment, 'text'));
    },
    readVersion: (number, id) => ({ method: 'GET', url: `${pulls}/${number}/comments/${id}` }),
    createComment: (number, text) => ({
      method: 'POST',
      url: `${pulls}/${number}/comments`,
      body: { text },
    }),
    readCreated: idOf,
    updateComment: (number, { id, version = 0 }, text) => ({
      method: 'PUT',
      url: `${pulls}/${number}/comments/${id}`,
      body: { text, version },
    }),
    setStatus: (status) => ({
      method: 'POST',
      url: `https://${authority}/rest/build-status/1.0/commits/${status.sha}`,
      body: bitbucketStatus(status),
    }),
  };
}

const AZURE_VERSION = 'api-version=7.1';
const AZURE_STATES = { pending: 'pending', success: 'succeeded', failure: 'failed' } as const;

/** Azure Repos, in the cloud and on a server. A comment is the first of a thread of its own. */
function createAzure(authority: string, parts: readonly string[]): GitHost | undefined {
  const at = parts.indexOf('_git');
  const name = parts[at + 1];
  // By ssh, the address is that of another server.
  if (at < 1 || name === undefined) return undefined;
  // A repository that is named like its project has a shorter address.
  const isShort = authority === 'dev.azure.com' && at === 1;
  const project = [...parts.slice(0, at), ...(isShort ? [name] : [])].join('/');
  const pulls = `https://${authority}/${project}/_apis/git/repositories/${name}/pullRequests`;
  const threads = (number: number) => `${pulls}/${number}/threads`;
  return {
    pullNumber: 'pullRequestId',
    openPull: ({ title, text: description, head, base }) => ({
      method: 'POST',
      url: `${pulls}?${AZURE_VERSION}`,
      body: {
        ...{ title, description, isDraft: true },
        sourceRefName: `refs/heads/${head}`,
        targetRefName: `refs/heads/${base}`,
      },
    }),
    authorization: (token, username) =>
      `Basic ${Buffer.from(`${username ?? ''}:${token}`).toString('base64')}`,
    listComments: (number) => ({ method: 'GET', url: `${threads(number)}?${AZURE_VERSION}` }),
    readComments: (answer) =>
      commentsIn(listAt(answer, 'value'), (thread) =>
        textAt(listAt(thread, 'comments')[0], 'content'),
      ),
    createComment: (number, content) => ({
      method: 'POST',
      url: `${threads(number)}?${AZURE_VERSION}`,
      // An open thread could hold up the merge.
      body: { comments: [{ parentCommentId: 0, content, commentType: 'text' }], status: 'closed' },
    }),
    readCreated: idOf,
    updateComment: (number, { id }, content) => ({
      method: 'PATCH',
      url: `${threads(number)}/${id}/comments/1?${AZURE_VERSION}`,
      body: { content },
    }),
    setStatus: ({ number, status, name: check, url, description }) => ({
      method: 'POST',
      url: `${pulls}/${number}/statuses?${AZURE_VERSION}`,
      body: {
        state: AZURE_STATES[status],
        targetUrl: url,
        description: description.slice(0, MAX_DESCRIPTION),
        context: { genre: 'docent', name: check.replace(/^docent\//, '') },
      },
    }),
  };
}
