import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommit } from '@docent/format/deployments/commit.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { ciFactsOf } from './ci-facts.ts';

const SHA = '1f3c9ab2d4e6f8071b2c3d4e5f60718293a4b5c6';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-ci-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  [
    'GitLab CI',
    {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_REF_NAME: 'main',
      CI_COMMIT_TITLE: 'Fix links',
      CI_COMMIT_AUTHOR: 'Ada <ada@acme.example>',
      CI_PROJECT_URL: 'https://gitlab.com/acme/docs',
    },
  ],
  [
    'Azure Pipelines',
    {
      TF_BUILD: 'True',
      BUILD_SOURCEVERSION: SHA,
      BUILD_SOURCEBRANCH: 'refs/heads/main',
      BUILD_SOURCEVERSIONMESSAGE: 'Fix links',
      BUILD_SOURCEVERSIONAUTHOR: 'Ada',
      BUILD_REPOSITORY_URI: 'https://gitlab.com/acme/docs',
    },
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_COMMIT: SHA,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_MESSAGE: 'Fix links\n\nMore text',
      BUILDKITE_BUILD_AUTHOR: 'Ada',
      BUILDKITE_REPO: 'git@gitlab.com:acme/docs.git',
      BUILDKITE_PULL_REQUEST_REPO: '',
    },
  ],
  [
    'Woodpecker',
    {
      CI: 'woodpecker',
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_BRANCH: 'main',
      CI_COMMIT_MESSAGE: 'Fix links',
      CI_COMMIT_AUTHOR: 'Ada',
      CI_REPO_URL: 'https://gitlab.com/acme/docs',
    },
  ],
  [
    'Drone',
    {
      DRONE: 'true',
      DRONE_COMMIT_SHA: SHA,
      DRONE_COMMIT_BRANCH: 'main',
      DRONE_COMMIT_MESSAGE: 'Fix links',
      DRONE_COMMIT_AUTHOR_NAME: 'Ada',
      DRONE_REPO_LINK: 'https://gitlab.com/acme/docs',
    },
  ],
])('the variables of %s say which commit is built, by whom, and where it comes from', (_, env) => {
  const { commit, isFork, isPullRequest } = ciFactsOf(env);
  expect(readCommit(commit)).toMatchObject({
    sha: SHA,
    ref: 'main',
    message: 'Fix links',
    author: 'Ada',
    repository: 'https://gitlab.com/acme/docs',
  });
  expect([isFork, isPullRequest]).toEqual([false, false]);
});

test.each([
  [
    'Bitbucket Pipelines',
    {
      BITBUCKET_BUILD_NUMBER: '3',
      BITBUCKET_COMMIT: SHA,
      BITBUCKET_BRANCH: 'main',
      BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/docs',
    },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_SHA1: SHA,
      CIRCLE_BRANCH: 'main',
      CIRCLE_REPOSITORY_URL: 'git@bitbucket.org:acme/docs.git',
    },
  ],
  [
    'Jenkins',
    {
      JENKINS_URL: 'https://ci.acme.example/',
      GIT_COMMIT: SHA,
      GIT_BRANCH: 'origin/main',
      GIT_URL: 'https://bot:secret@bitbucket.org/acme/docs.git',
    },
  ],
])('the variables of %s say which commit is built', (_, env) => {
  const { commit } = ciFactsOf(env);
  expect(readCommit(commit)).toMatchObject({
    sha: SHA,
    ref: 'main',
    repository: 'https://bitbucket.org/acme/docs',
  });
});

describe('GitHub Actions, and Gitea and Forgejo, which set the same variables', () => {
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/docs',
  };
  const withEvent = async (event: object | string) => {
    const path = join(folder, 'event.json');
    await writeFile(path, typeof event === 'string' ? event : JSON.stringify(event));
    return { ...env, GITHUB_EVENT_PATH: path };
  };
  const pull = (from: string | null) => ({
    pull_request: {
      title: 'Explain webhooks',
      user: { login: 'ada' },
      head: { sha: SHA, ref: 'webhooks', repo: from && { full_name: from } },
      base: { repo: { full_name: 'acme/docs' } },
    },
  });

  it('name the pushed commit', async () => {
    const event = await withEvent({
      head_commit: {
        message: 'Fix links',
        author: { name: 'Ada' },
        timestamp: '2026-11-21T10:00:00+01:00',
      },
    });
    expect(
      readCommit(ciFactsOf({ ...event, GITHUB_SHA: SHA, GITHUB_REF_NAME: 'main' }).commit),
    ).toMatchObject({
      sha: SHA,
      ref: 'main',
      message: 'Fix links',
      author: 'Ada',
      committedAt: '2026-11-21T09:00:00.000Z',
    });
  });

  it('name the head of a pull request rather than the trial merge, and say whether it comes from a fork', async () => {
    const facts = ciFactsOf({
      ...(await withEvent(pull('acme/docs'))),
      GITHUB_SHA: 'ffffffff',
      GITHUB_HEAD_REF: 'webhooks',
    });
    expect(facts).toMatchObject({ isPullRequest: true, isFork: false });
    expect(readCommit(facts.commit)).toMatchObject({
      sha: SHA,
      ref: 'webhooks',
      message: 'Explain webhooks',
      author: 'ada',
    });
    expect(ciFactsOf(await withEvent(pull('ada/docs')))).toMatchObject({ isFork: true });
    expect(ciFactsOf(await withEvent(pull(null)))).toMatchObject({ isFork: true });
  });

  it('name the branch if their description of the event is missing or broken', async () => {
    for (const broken of [
      await withEvent('{'),
      await withEvent('[1]'),
      { ...env, GITHUB_EVENT_PATH: '/nowhere' },
    ]) {
      const { commit } = ciFactsOf({ ...broken, GITHUB_SHA: SHA, GITHUB_HEAD_REF: 'webhooks' });
      expect(readCommit(commit)).toMatchObject({ sha: '', ref: 'webhooks' });
    }
  });
});

test('a pull request of Azure Repos has what its comment needs, without the user in the address', () => {
  const { pull } = ciFactsOf({
    TF_BUILD: 'True',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
    SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/better',
    BUILD_REPOSITORY_URI: 'https://acme@dev.azure.com/acme/team/_git/docs',
    SYSTEM_ACCESSTOKEN: 'of-the-job',
  });
  expect(pull).toMatchObject({
    number: 7,
    provider: 'azure',
    repository: 'https://dev.azure.com/acme/team/_git/docs',
    token: 'of-the-job',
  });
});

test('a pull request of a fork is recognized on GitLab, Azure, CircleCI, Buildkite and Jenkins', () => {
  for (const env of [
    {
      GITLAB_CI: 'true',
      CI_MERGE_REQUEST_IID: '1',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '2',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
    },
    { TF_BUILD: 'True', SYSTEM_PULLREQUEST_ISFORK: 'True' },
    { CIRCLECI: 'true', CIRCLE_PR_NUMBER: '7' },
    {
      BUILDKITE: 'true',
      BUILDKITE_REPO: 'git@github.com:acme/docs.git',
      BUILDKITE_PULL_REQUEST_REPO: 'https://github.com/ada/docs',
    },
    { JENKINS_URL: 'https://ci', CHANGE_ID: '7', CHANGE_FORK: 'ada' },
  ])
    expect(ciFactsOf(env).isFork).toBe(true);
});

test('outside of a CI service nothing is said', () => {
  expect(ciFactsOf({ CI_COMMIT_SHA: SHA })).toEqual({
    commit: {},
    isPullRequest: false,
    isFork: false,
  });
});
