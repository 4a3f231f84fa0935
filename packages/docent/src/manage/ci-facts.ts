import { readFileSync } from 'node:fs';
import type { SentCommit } from '@docent/format/deployments/commit.ts';
import { isObject, type JsonObject } from '@docent/format/json-value.ts';
import type { GitProvider } from '@docent/format/sources/git-provider.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What a CI service says about the commit that it builds. */
export interface CiFacts {
  commit: SentCommit;
  /**
   * Whether it builds a pull request. Then Git may have a commit that the service made to try the
   * merge.
   */
  isPullRequest: boolean;
  /** Whether the pull request comes from a fork, so that the service withholds secrets. */
  isFork: boolean;
  /** The pull request that it builds, where its server has an API that Docent knows. */
  pull?: CiPullRequest | undefined;
}

/** A pull request, and what is needed to comment on it. */
export interface CiPullRequest {
  number: number;
  /** The job runs because it was merged or closed. */
  isClosed: boolean;
  provider: GitProvider;
  /** Of the repository that it merges into. */
  repository: string;
  /** Of the job, or `DOCENT_GIT_TOKEN`. */
  token: string | undefined;
  /** Page of the job, with its log. */
  jobUrl: string | undefined;
}

/** How one service names these facts; undefined if it does not run us. */
type Service = (env: Env) => CiFacts | undefined;

const SERVICES: readonly Service[] = [
  gitHub,
  gitLab,
  bitbucket,
  azure,
  circle,
  buildkite,
  woodpecker,
  drone,
  // Last: its agents may run inside of the others.
  jenkins,
];

/** Returns what the variables of a CI service say; nothing outside of one. */
export function ciFactsOf(env: Env): CiFacts {
  for (const read of SERVICES) {
    const facts = read(env);
    if (facts) return facts;
  }
  return { commit: {}, isPullRequest: false, isFork: false };
}

/** GitHub Actions; Gitea and Forgejo set the same variables. */
function gitHub(env: Env): CiFacts | undefined {
  if (env.GITHUB_ACTIONS !== 'true') return undefined;
  const event = readEvent(env.GITHUB_EVENT_PATH);
  const pull = object(event.pull_request);
  const server = env.GITHUB_SERVER_URL;
  const repository = server && env.GITHUB_REPOSITORY && `${server}/${env.GITHUB_REPOSITORY}`;
  if (pull) {
    const head = object(pull.head);
    const [from, to] = [object(head?.repo), object(object(pull.base)?.repo)];
    return {
      commit: {
        sha: text(head?.sha),
        ref: text(head?.ref) ?? env.GITHUB_HEAD_REF,
        message: text(pull.title),
        author: text(object(pull.user)?.login),
        repository,
      },
      isPullRequest: true,
      // A deleted fork has no repository.
      isFork: text(from?.full_name) !== text(to?.full_name),
      pull: pullOf(env, {
        number: pull.number,
        isClosed: event.action === 'closed',
        provider:
          env.GITEA_ACTIONS === 'true' || env.FORGEJO_ACTIONS === 'true' ? 'gitea' : 'github',
        repository,
        token: env.GITHUB_TOKEN,
        jobUrl:
          repository && env.GITHUB_RUN_ID && `${repository}/actions/runs/${env.GITHUB_RUN_ID}`,
      }),
    };
  }
  const isPullRequest = Boolean(env.GITHUB_HEAD_REF);
  const last = object(event.head_commit);
  const commit = {
    // Of a pull request, it is the trial merge.
    sha: isPullRequest ? undefined : env.GITHUB_SHA,
    ref: env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
    message: text(last?.message),
    author: text(object(last?.author)?.name) ?? (isPullRequest ? env.GITHUB_ACTOR : undefined),
    committedAt: text(last?.timestamp),
    repository,
  };
  return { commit, isPullRequest, isFork: false };
}

function pullOf(
  env: Env,
  {
    number,
    repository,
    ...pull
  }: Omit<CiPullRequest, 'number' | 'repository'> & {
    number: unknown;
    repository: string | undefined;
  },
): CiPullRequest | undefined {
  if (!Number.isInteger(Number(number)) || Number(number) < 1 || !repository) return undefined;
  const token = env.DOCENT_GIT_TOKEN || pull.token || undefined;
  return { ...pull, number: Number(number), repository, token };
}

function gitLab(env: Env): CiFacts | undefined {
  if (env.GITLAB_CI !== 'true') return undefined;
  const from = env.CI_MERGE_REQUEST_SOURCE_PROJECT_ID;
  const commit = {
    sha: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA,
    ref: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_REF_NAME,
    message: env.CI_MERGE_REQUEST_TITLE || env.CI_COMMIT_TITLE,
    author: withoutAddress(env.CI_COMMIT_AUTHOR),
    committedAt: env.CI_COMMIT_TIMESTAMP,
    repository: env.CI_PROJECT_URL,
  };
  return {
    commit,
    isPullRequest: Boolean(env.CI_MERGE_REQUEST_IID),
    isFork: Boolean(from) && from !== env.CI_MERGE_REQUEST_PROJECT_ID,
    // The token of a job may not write comments.
    pull: pullOf(env, {
      number: env.CI_MERGE_REQUEST_IID,
      isClosed: false,
      provider: 'gitlab',
      repository: env.CI_MERGE_REQUEST_PROJECT_URL,
      token: env.GITLAB_TOKEN,
      jobUrl: env.CI_JOB_URL,
    }),
  };
}

function bitbucket(env: Env): CiFacts | undefined {
  if (!env.BITBUCKET_BUILD_NUMBER) return undefined;
  const commit = {
    sha: env.BITBUCKET_COMMIT,
    ref: env.BITBUCKET_BRANCH || env.BITBUCKET_TAG,
    repository: env.BITBUCKET_GIT_HTTP_ORIGIN,
  };
  // Its pull requests merge the target into the branch, and those of forks run in the fork.
  return {
    commit,
    isPullRequest: Boolean(env.BITBUCKET_PR_ID),
    isFork: false,
    pull: pullOf(env, {
      number: env.BITBUCKET_PR_ID,
      isClosed: false,
      provider: 'bitbucket',
      repository: env.BITBUCKET_GIT_HTTP_ORIGIN,
      token: undefined,
      jobUrl: undefined,
    }),
  };
}

function azure(env: Env): CiFacts | undefined {
  if (env.TF_BUILD !== 'True') return undefined;
  const isPullRequest = Boolean(env.SYSTEM_PULLREQUEST_SOURCEBRANCH);
  const commit = {
    sha: env.SYSTEM_PULLREQUEST_SOURCECOMMITID || env.BUILD_SOURCEVERSION,
    ref: withoutPrefix(env.SYSTEM_PULLREQUEST_SOURCEBRANCH || env.BUILD_SOURCEBRANCH),
    message: isPullRequest ? undefined : env.BUILD_SOURCEVERSIONMESSAGE,
    author: env.BUILD_SOURCEVERSIONAUTHOR || env.BUILD_REQUESTEDFOR,
    repository: env.BUILD_REPOSITORY_URI,
  };
  return {
    commit,
    isPullRequest,
    isFork: env.SYSTEM_PULLREQUEST_ISFORK?.toLowerCase() === 'true',
    pull: pullOf(env, {
      number: env.SYSTEM_PULLREQUEST_PULLREQUESTID,
      isClosed: false,
      provider: 'azure',
      repository: env.BUILD_REPOSITORY_URI?.replace(/^https:\/\/[^@/]*@/, 'https://'),
      token: env.SYSTEM_ACCESSTOKEN,
      jobUrl: undefined,
    }),
  };
}

function circle(env: Env): CiFacts | undefined {
  if (env.CIRCLECI !== 'true') return undefined;
  const commit = {
    sha: env.CIRCLE_SHA1,
    ref: env.CIRCLE_BRANCH || env.CIRCLE_TAG,
    repository: env.CIRCLE_REPOSITORY_URL,
  };
  // It builds the branch itself, not a merge. Only pull requests of forks have a number.
  return { commit, isPullRequest: false, isFork: Boolean(env.CIRCLE_PR_NUMBER) };
}

function buildkite(env: Env): CiFacts | undefined {
  if (env.BUILDKITE !== 'true') return undefined;
  const commit = {
    sha: env.BUILDKITE_COMMIT,
    ref: env.BUILDKITE_TAG || env.BUILDKITE_BRANCH,
    message: env.BUILDKITE_MESSAGE,
    author: env.BUILDKITE_BUILD_AUTHOR || env.BUILDKITE_BUILD_CREATOR,
    repository: env.BUILDKITE_REPO,
  };
  const from = env.BUILDKITE_PULL_REQUEST_REPO;
  const isFork = Boolean(from) && repositoryName(from) !== repositoryName(env.BUILDKITE_REPO);
  return { commit, isPullRequest: false, isFork };
}

function woodpecker(env: Env): CiFacts | undefined {
  if (env.CI !== 'woodpecker') return undefined;
  const isPullRequest = Boolean(env.CI_COMMIT_PULL_REQUEST);
  const commit = {
    sha: env.CI_COMMIT_SHA,
    ref:
      (isPullRequest && env.CI_COMMIT_SOURCE_BRANCH) || env.CI_COMMIT_TAG || env.CI_COMMIT_BRANCH,
    message: env.CI_COMMIT_MESSAGE,
    author: env.CI_COMMIT_AUTHOR,
    repository: env.CI_REPO_URL,
  };
  return { commit, isPullRequest, isFork: false };
}

function drone(env: Env): CiFacts | undefined {
  if (env.DRONE !== 'true') return undefined;
  const isPullRequest = Boolean(env.DRONE_PULL_REQUEST);
  const commit = {
    sha: env.DRONE_COMMIT_SHA,
    ref: (isPullRequest && env.DRONE_SOURCE_BRANCH) || env.DRONE_TAG || env.DRONE_COMMIT_BRANCH,
    message: env.DRONE_COMMIT_MESSAGE,
    author: env.DRONE_COMMIT_AUTHOR_NAME || env.DRONE_COMMIT_AUTHOR,
    repository: env.DRONE_REPO_LINK,
  };
  return { commit, isPullRequest, isFork: false };
}

function jenkins(env: Env): CiFacts | undefined {
  if (!env.JENKINS_URL) return undefined;
  const commit = {
    sha: env.GIT_COMMIT,
    ref: env.CHANGE_BRANCH || env.BRANCH_NAME || env.GIT_BRANCH?.replace(/^origin\//, ''),
    message: env.CHANGE_TITLE,
    author: env.CHANGE_AUTHOR_DISPLAY_NAME || env.CHANGE_AUTHOR,
    repository: env.GIT_URL,
  };
  return { commit, isPullRequest: Boolean(env.CHANGE_ID), isFork: Boolean(env.CHANGE_FORK) };
}

const MAX_EVENT_CHARACTERS = 8_000_000;

/** The event that GitHub describes in a file; not present in a container without its folder. */
function readEvent(path: string | undefined): JsonObject {
  if (!path) return {};
  try {
    const content = readFileSync(path, 'utf8');
    return content.length > MAX_EVENT_CHARACTERS ? {} : (object(JSON.parse(content)) ?? {});
  } catch {
    return {};
  }
}

function object(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function withoutAddress(author: string | undefined): string | undefined {
  return author?.split('<', 1)[0]?.trim() || author;
}

function withoutPrefix(ref: string | undefined): string | undefined {
  return ref?.replace(/^refs\/(?:heads|tags)\//, '');
}

/** `acme/docs` of any address of that repository. */
function repositoryName(address: string | undefined): string {
  return (address ?? '')
    .replace(/(?:\.git)?\/?$/, '')
    .split(/[/:]/)
    .slice(-2)
    .join('/')
    .toLowerCase();
}
