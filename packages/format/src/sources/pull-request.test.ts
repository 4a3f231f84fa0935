import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isSameRepository, pullRequestAddress, readPullRequestMessage } from './pull-request.ts';

/** What GitHub really sends, by event. */
const file = new URL(
  '../../../../node_modules/@octokit/webhooks-examples/api.github.com/index.json',
  import.meta.url,
);
const github = JSON.parse(readFileSync(file, 'utf8')) as {
  name: string;
  examples: Record<string, unknown>[];
}[];
const examplesOf = (event: string) => github.find(({ name }) => name === event)?.examples ?? [];

const cloudSide = (name: string, repository: string) => ({
  branch: { name },
  repository: { full_name: repository },
});
const serverSide = (id: string, key: string) => ({
  id,
  repository: { slug: 'docs', project: { key } },
});

/**
 * From the documentation of each server, shortened to what stands beside the parts that are read.
 */
const messages: Record<string, object> = {
  GitLab: {
    object_kind: 'merge_request',
    user: { username: 'ada' },
    project: {
      path_with_namespace: 'acme/team/docs',
      web_url: 'https://gitlab.acme.example/acme/team/docs',
    },
    object_attributes: {
      iid: 7,
      id: 99,
      state: 'opened',
      action: 'update',
      title: 'Better start',
      source_branch: 'better',
      target_branch: 'main',
      source_project_id: 14,
      target_project_id: 14,
      updated_at: '2026-11-28 09:00:00 UTC',
    },
  },
  'Bitbucket Cloud': {
    pullrequest: {
      id: 7,
      state: 'OPEN',
      title: 'Better start',
      author: { nickname: 'ada' },
      source: cloudSide('better', 'acme/team/docs'),
      destination: cloudSide('main', 'acme/team/docs'),
      updated_on: '2026-11-28T09:00:00+00:00',
    },
  },
  'Azure Repos': {
    eventType: 'git.pullrequest.updated',
    createdDate: '2026-11-28T09:00:00Z',
    resource: {
      pullRequestId: 7,
      status: 'active',
      title: 'Better start',
      createdBy: { displayName: 'ada' },
      sourceRefName: 'refs/heads/better',
      targetRefName: 'refs/heads/main',
      repository: { name: 'docs', remoteUrl: 'https://dev.azure.com/acme/team/docs' },
    },
  },
  Gitea: {
    action: 'synchronized',
    number: 7,
    pull_request: {
      number: 7,
      state: 'open',
      title: 'Better start',
      user: { login: 'ada' },
      head: { ref: 'better', repo: { full_name: 'acme/team/docs' } },
      base: { ref: 'main' },
      updated_at: '2026-11-28T09:00:00Z',
    },
    repository: { full_name: 'acme/team/docs' },
  },
};

describe('a message about a pull request', () => {
  it('is read in every form that GitHub sends', () => {
    const examples = examplesOf('pull_request');
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) {
      const pull = example.pull_request as { number: number; state: string; title: string };
      const { number, state, title } = pull;
      expect(readPullRequestMessage(example), String(example.action)).toMatchObject({
        number,
        title,
        isOpen: state === 'open',
      });
    }
    const [opened] = examples;
    expect(readPullRequestMessage(opened)).toMatchObject({
      head: 'changes',
      base: 'master',
      isFork: false,
      isMember: true,
    });
  });

  it('is no message about a push, and of nothing else that GitHub sends', () => {
    const others = github
      .filter(({ name }) => !name.startsWith('pull_request'))
      .flatMap(({ examples }) => examples);
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter((example) => readPullRequestMessage(example) !== undefined)).toEqual([]);
  });

  it.each(Object.entries(messages))('is read from %s', (_, message) => {
    expect(readPullRequestMessage(message)).toMatchObject({
      number: 7,
      isOpen: true,
      title: 'Better start',
      author: 'ada',
      isFork: false,
      isMember: false,
      head: 'better',
      base: 'main',
      repository: 'acme/team/docs',
    });
  });

  it('is read from Bitbucket Data Center, where it is closed when it is deleted', () => {
    const pullRequest = {
      id: 7,
      state: 'OPEN',
      title: 'Better start',
      updatedDate: 1764320400000,
      author: { user: { name: 'ada' } },
      fromRef: serverSide('refs/heads/better', '~ada'),
      toRef: serverSide('refs/heads/main', 'ACME'),
    };
    const read = (eventKey: string) => readPullRequestMessage({ eventKey, pullRequest });
    expect(read('pr:from_ref_updated')).toMatchObject({
      number: 7,
      isOpen: true,
      isFork: true,
      repository: 'ACME/docs',
    });
    expect(read('pr:deleted')?.isOpen).toBe(false);
  });

  it('counts a pull request as one of a fork where the fork is gone', () => {
    const [opened = {}] = examplesOf('pull_request');
    const pull = opened.pull_request as { head: object };
    const message = { ...opened, pull_request: { ...pull, head: { ...pull.head, repo: null } } };
    expect(readPullRequestMessage(message)?.isFork).toBe(true);
  });

  it('is nothing if parts are missing or of another kind', () => {
    const gitea = messages.Gitea as { pull_request: object };
    for (const pull of [
      { number: 0 },
      { number: '1; rm' },
      { number: 1.5 },
      { number: 2 ** 31 },
      { base: {} },
      { head: 'x' },
    ])
      expect(
        readPullRequestMessage({ ...gitea, pull_request: { ...gitea.pull_request, ...pull } }),
      ).toBeUndefined();
    for (const message of [null, 1, 'x', [], { pull_request: null }, { __proto__: gitea }])
      expect(readPullRequestMessage(message)).toBeUndefined();
  });
});

it('a repository is recognized whatever the protocol, and no other is', () => {
  const same = [
    ['https://github.com/Acme/Docs.git', 'acme/docs'],
    ['ssh://git@github.com/acme/docs', 'acme/docs'],
    ['https://git.acme.example/scm/ACME/docs.git', 'ACME/docs'],
    ['https://dev.azure.com/acme/team%20a/_git/docs', 'acme/team%20a/_git/docs'],
    ['ssh://git@ssh.dev.azure.com/v3/acme/team/docs', 'acme/team/_git/docs'],
  ] as const;
  for (const [url, name] of same) expect(isSameRepository(url, name), url).toBe(true);
  for (const name of ['evil/docs', 'docs-evil', 'acme/docs/x', 'acme/doc', ''])
    expect(isSameRepository('https://github.com/acme/docs.git', name), name).toBe(false);
});

it('the page of a pull request has the form of its server', () => {
  const of = (url: string, provider: Parameters<typeof pullRequestAddress>[0]['provider']) =>
    pullRequestAddress({ url, provider }, 7);
  expect(of('ssh://git@github.com/acme/docs.git', 'github')).toBe(
    'https://github.com/acme/docs/pull/7',
  );
  expect(of('https://gitlab.acme.example/a/b', 'gitlab')).toBe(
    'https://gitlab.acme.example/a/b/-/merge_requests/7',
  );
  expect(of('https://git.acme.example/a/b', 'other')).toBeUndefined();
});
