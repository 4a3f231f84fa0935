import { createHmac } from 'node:crypto';
import type { GitProvider } from '@docent/format/sources/git-provider.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  canServeGit,
  type GitServer,
  type TestRepository,
} from '../../../../test/support/git-server.ts';
import { openGitTestApp } from '../../../../test/support/git-test-app.ts';
import {
  addKey,
  addOrganization,
  addSite,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import { lookForPullRequests } from './note-pull-requests.ts';
import { findPullRequest, updatePullRequest } from './pull-request-queries.ts';
import { findGitSource } from './queries.ts';
import { verifyDelivery } from './verify-delivery.ts';

const SHA = 'a'.repeat(40);

/** A pull request as a message of each server writes it. */
interface Pull {
  number: number;
  isOpen: boolean;
  repository: string;
  at: string;
}
type Sign = (secret: string, body: string, id: string) => Record<string, string>;

const hmac = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex');
const gitHubBody = ({ number, isOpen, repository, at }: Pull) => ({
  pull_request: {
    ...{ number, state: isOpen ? 'open' : 'closed', title: 'Better' },
    ...{ head: { ref: 'better', sha: SHA, repo: { full_name: repository } } },
    ...{ base: { ref: 'main' }, updated_at: at },
  },
  repository: { full_name: repository },
});
const gitea =
  (name: string): Sign =>
  (secret, body, id) => ({
    [`x-${name}-event`]: 'pull_request',
    [`x-${name}-signature`]: hmac(secret, body),
    [`x-${name}-delivery`]: id,
  });

interface Server {
  provider: GitProvider;
  sign: Sign;
  body: (pull: Pull) => object;
  /** Whether it stops sending after refusals, and gets 202 for what leads to nothing. */
  isLenient: boolean;
  /** Whether the signature is about the content. */
  isSigned: boolean;
}

const SERVERS: Record<string, Server> = {
  GitHub: {
    provider: 'github',
    sign: (secret, body, id) => ({
      'x-github-event': 'pull_request',
      'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
      'x-github-delivery': id,
    }),
    body: gitHubBody,
    ...{ isLenient: false, isSigned: true },
  },
  Gitea: {
    ...{ provider: 'gitea', sign: gitea('gitea'), body: gitHubBody },
    ...{ isLenient: false, isSigned: true },
  },
  Forgejo: {
    ...{ provider: 'gitea', sign: gitea('forgejo'), body: gitHubBody },
    ...{ isLenient: false, isSigned: true },
  },
  GitLab: {
    provider: 'gitlab',
    sign: (secret, _, id) => ({
      'x-gitlab-event': 'Merge Request Hook',
      'x-gitlab-token': secret,
      'idempotency-key': id,
    }),
    body: ({ number, isOpen, repository, at }) => ({
      object_kind: 'merge_request',
      project: { path_with_namespace: repository },
      object_attributes: {
        ...{ iid: number, state: isOpen ? 'opened' : 'closed', title: 'Better' },
        ...{ source_branch: 'better', target_branch: 'main', last_commit: { id: SHA } },
        ...{ source_project_id: 1, target_project_id: 1, updated_at: at },
      },
    }),
    ...{ isLenient: true, isSigned: false },
  },
  'Bitbucket Cloud': {
    provider: 'bitbucket',
    sign: (secret, body, id) => ({
      'x-event-key': 'pullrequest:updated',
      'x-hub-signature': `sha256=${hmac(secret, body)}`,
      'x-request-uuid': id,
    }),
    body: ({ number, isOpen, repository, at }) => ({
      pullrequest: {
        ...{ id: number, state: isOpen ? 'OPEN' : 'DECLINED', title: 'Better' },
        source: { branch: { name: 'better' }, repository: { full_name: repository } },
        destination: { branch: { name: 'main' }, repository: { full_name: repository } },
        updated_on: at,
      },
    }),
    ...{ isLenient: true, isSigned: true },
  },
  'Bitbucket Data Center': {
    provider: 'bitbucket-server',
    sign: (secret, body, id) => ({
      'x-event-key': 'pr:from_ref_updated',
      'x-hub-signature': `sha256=${hmac(secret, body)}`,
      'x-request-id': id,
    }),
    body: ({ number, isOpen, repository, at }) => {
      const [key = '', slug = ''] = repository.includes('/')
        ? repository.split('/')
        : ['', repository];
      const side = (name: string) => ({
        id: `refs/heads/${name}`,
        latestCommit: SHA,
        repository: { slug, project: { key } },
      });
      return {
        pullRequest: {
          ...{ id: number, state: isOpen ? 'OPEN' : 'MERGED', title: 'Better' },
          ...{ fromRef: side('better'), toRef: side('main'), updatedDate: Date.parse(at) },
        },
      };
    },
    ...{ isLenient: true, isSigned: true },
  },
  'Azure Repos': {
    provider: 'azure',
    sign: (secret) => ({
      authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
    }),
    body: ({ number, isOpen, repository, at }) => ({
      eventType: 'git.pullrequest.updated',
      createdDate: at,
      resource: {
        ...{ pullRequestId: number, status: isOpen ? 'active' : 'completed', title: 'Better' },
        ...{ sourceRefName: 'refs/heads/better', targetRefName: 'refs/heads/main' },
        repository: { remoteUrl: `https://localhost/${repository}` },
        lastMergeSourceCommit: { commitId: SHA },
      },
    }),
    ...{ isLenient: true, isSigned: false },
  },
};

describe.skipIf(!canServeGit)('deliveries of webhooks that are not as they should be', () => {
  let server: GitServer;
  let test: TestApp;
  let close: () => Promise<void>;
  let docs: TestRepository;
  let hook: string;
  let secret: string;
  let former: string;
  let sourceId: string;
  let repository: string;
  let sites = 0;
  let ids = 0;

  beforeAll(async () => {
    ({ server, test, close } = await openGitTestApp());
  });
  afterAll(() => close());
  beforeEach(async () => {
    await test.deps.database.queries.deleteFrom('git_sources').execute();
  });

  async function connect(provider: GitProvider): Promise<void> {
    sites += 1;
    const slug = `hostile-${sites}`;
    const operator = await addOrganization(test);
    await addSite(test, operator, slug);
    const { headers } = await addKey(test, operator, { kind: 'admin' });
    // A server in a data center has projects.
    repository = provider === 'bitbucket-server' ? `acme/${slug}` : slug;
    docs = server.createRepository(slug);
    docs.push({ 'docs.json': '{}' });
    const url = `${server.origin}/${provider === 'bitbucket-server' ? `scm/${repository}` : slug}.git`;
    const post = async (path: string, payload?: object) =>
      (
        await test.app.inject({
          ...{ method: 'POST', url: `/v1/projects/${slug}/sources${path}`, headers },
          ...(payload && { payload }),
        })
      ).json();
    sourceId = (await post('', { url, provider })).id;
    former = (await post(`/${sourceId}/webhook-secret`)).secret;
    const webhook = await post(`/${sourceId}/webhook-secret`);
    hook = new URL(webhook.url).pathname;
    secret = webhook.secret;
    test.deps.jobs.added.length = 0;
  }
  async function send(payload: string, headers: Record<string, string>) {
    const response = await test.app.inject({
      ...{ method: 'POST', url: hook, payload },
      headers: { 'content-type': 'application/json', ...headers },
    });
    return [response.statusCode, response.json().outcome ?? response.json().code];
  }
  const pull = (number: number) =>
    findPullRequest(test.deps.database.queries, { sourceId, number });
  const jobs = () => test.deps.jobs.added.map(({ name }) => name);
  const timeOf = (seconds: number) =>
    new Date(test.deps.clock.now().getTime() + seconds * 1000).toISOString();

  it.each(Object.keys(SERVERS))(
    'lead to nothing if %s did not send them so: forged, cut, repeated, late or about another repository',
    async (name) => {
      const { provider, sign, body, isLenient, isSigned } = SERVERS[name] as Server;
      await connect(provider);
      const textOf = (changes: Partial<Pull> = {}) =>
        JSON.stringify(body({ number: 7, isOpen: true, repository, at: timeOf(0), ...changes }));
      const tell = (text: string, key = secret, id = String(++ids)) =>
        send(text, sign(key, text, id));
      const nothing = (status: number, code: string) =>
        isLenient ? [202, code === 'delivery_repeated' ? 'repeated' : 'ignored'] : [status, code];
      const text = textOf();

      expect(await tell(text, former)).toEqual([401, 'unauthenticated']);
      expect(await tell(text, '')).toEqual([401, 'unauthenticated']);
      expect(await send(text, {})).toEqual([401, 'unauthenticated']);
      const headers = sign(secret, text, 'cut');
      const now = test.deps.clock.now();
      for (let end = 0; end < text.length; end += 1) {
        const cut = { headers, body: Buffer.from(text.slice(0, end)) };
        if (isSigned) expect(verifyDelivery(cut, secret, now)).toBeUndefined();
        else expect(() => JSON.parse(text.slice(0, end))).toThrow();
      }
      for (let end = 0; end < text.length; end += 97)
        expect(await send(text.slice(0, end), headers)).toEqual(
          isSigned ? [401, 'unauthenticated'] : [400, 'malformed_json'],
        );
      const other = textOf({ repository: 'stranger/docs' });
      expect(await tell(other)).toEqual(nothing(422, 'delivery_ignored'));
      expect([jobs(), await pull(7)]).toEqual([[], undefined]);

      // What was cut before arrives as a whole.
      expect(await send(text, headers)).toEqual([202, 'accepted']);
      expect(jobs()).toEqual(['sync-pull-request']);
      test.deps.jobs.added.length = 0;
      expect(await send(text, headers)).toEqual(nothing(409, 'delivery_repeated'));
      expect(await tell(text)).toEqual(nothing(409, 'delivery_repeated'));
      const late = textOf({ isOpen: false, at: timeOf(-60) });
      expect(await tell(late)).toEqual(nothing(422, 'delivery_ignored'));
      expect([jobs(), (await pull(7))?.isOpen]).toEqual([[], true]);
      expect(await tell(textOf({ isOpen: false, at: timeOf(60) }))).toEqual([202, 'accepted']);
      expect((await pull(7))?.isOpen).toBe(false);
    },
  );

  it.each(['GitHub', 'GitLab', 'Gitea', 'Bitbucket Data Center'])(
    'a pull request that a look at %s found after it was closed is closed by the message about that, also if it comes late',
    async (name) => {
      const { provider, sign, body } = SERVERS[name] as Server;
      await connect(provider);
      const { queries } = test.deps.database;
      const source = await findGitSource(queries, sourceId);
      if (!source) throw new Error('The source is gone.');
      const closedAt = timeOf(-60);
      const refs = { github: 'pull', gitea: 'pull', gitlab: 'merge-requests' };
      const folder = refs[provider as keyof typeof refs] ?? 'pull-requests';
      const ending = provider === 'bitbucket-server' ? 'from' : 'head';
      const look = (sha: string) =>
        lookForPullRequests(
          test.deps,
          { ...source, pullsAbove: 0 },
          new Map([
            ['refs/heads/main', 'b'.repeat(40)],
            [`refs/${folder}/7/${ending}`, sha],
          ]),
        );
      await look(SHA);
      const row = await pull(7);
      expect(row).toMatchObject({ isOpen: true, toldAt: null });
      await updatePullRequest(queries, row?.id ?? '', { headSha: SHA });
      const message = { number: 7, isOpen: false, repository, at: closedAt };
      const text = JSON.stringify(body(message));
      // Somebody pushed since: it was opened again.
      await updatePullRequest(queries, row?.id ?? '', { headSha: 'c'.repeat(40) });
      await send(text, sign(secret, text, String(++ids)));
      expect((await pull(7))?.isOpen).toBe(true);
      await updatePullRequest(queries, row?.id ?? '', { headSha: SHA });
      const again = JSON.stringify({ ...body(message), again: true });
      expect(await send(again, sign(secret, again, String(++ids)))).toEqual([202, 'accepted']);
      expect((await pull(7))?.isOpen).toBe(false);
    },
  );
});
