import { createHmac } from 'node:crypto';
import { DocentError } from '@docent/format/errors.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
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
import { publishSite } from '../publishing/publish-site.ts';
import { addDueSyncs, syncGitSource } from '../publishing/sync-git-source.ts';
import { deleteClosedPullRequests } from '../sources/pull-request-queries.ts';
import { syncPullRequest } from './sync-pull-request.ts';

const docsJson = JSON.stringify({
  name: 'Acme',
  theme: 'mint',
  colors: { primary: '#0a0' },
  navigation: { pages: ['index'] },
});

let server: GitServer;
let close: () => Promise<void>;
let test: TestApp;
let headers: Record<string, string>;
let slug: string;
let docs: TestRepository;
let secret: string;
let hook: string;
let sites = 0;
let deliveries = 0;

interface Told {
  number?: number;
  state?: string;
  head?: string;
  fork?: boolean;
  association?: string;
  base?: string;
  repository?: string;
  updatedAt?: string;
  title?: string;
}

describe.skipIf(!canServeGit)('a pull request', () => {
  const signal = new AbortController().signal;

  beforeAll(async () => {
    ({ server, test, close } = await openGitTestApp());
  });
  afterAll(() => close());
  beforeEach(async () => {
    await test.deps.database.queries.deleteFrom('git_sources').execute();
    test.deps.jobs.added.length = 0;
    sites += 1;
    slug = `pulls-${sites}`;
    const operator = await addOrganization(test);
    await addSite(test, operator, slug);
    headers = (await addKey(test, operator, { kind: 'admin' })).headers;
    docs = server.createRepository(slug);
    docs.push(
      { 'docs/docs.json': docsJson, 'docs/index.mdx': '# Welcome', 'src/x.ts': '1' },
      'First',
    );
  });

  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest: string, payload?: object) {
    const url = rest.startsWith('/v1') ? rest : `/v1/projects/${slug}${rest}`;
    const response = await callDeclared(test.app, {
      method,
      url,
      headers,
      ...(payload && { payload }),
    });
    return { status: response.statusCode, body: response.body ? response.json() : {} };
  }
  const base = async () => `/sources/${(await call('GET', '/sources')).body.items[0]?.id}`;
  const list = async (what: 'pull-requests' | 'previews' | 'deployments') =>
    (await call('GET', `/${what}`)).body.items;
  const pullOf = async (number: number) =>
    (await list('pull-requests')).find((pull: Told) => pull.number === number);

  /** Connects the site. What its branch has is not built, which takes long. */
  async function connect(more: object = {}): Promise<void> {
    const source = { url: docs.url, branch: 'main', folder: 'docs', provider: 'github', ...more };
    const connected = await call('POST', '/sources', source);
    expect(connected.status).toBe(201);
    hook = new URL(connected.body.webhook.url).pathname;
    secret = (await call('POST', `${await base()}/webhook-secret`)).body.secret;
    await work({ builds: false });
    for (const { id } of await list('deployments')) await call('POST', `/deployments/${id}/cancel`);
    test.deps.jobs.added.length = 0;
  }
  /**
   * Does the work of the workers until nothing is left; nothing is built where `builds` is false.
   */
  async function work({ builds = true, lastAttempt = true } = {}): Promise<void> {
    const left: typeof test.deps.jobs.added = [];
    for (let job = test.deps.jobs.added.shift(); job; job = test.deps.jobs.added.shift()) {
      const payload = job.payload as { sourceId: string; number: number; deploymentId: string };
      if (job.name === 'sync-git-source') await syncGitSource(test.deps, payload.sourceId, signal);
      else if (job.name === 'sync-pull-request')
        await syncPullRequest(test.deps, payload, { signal, lastAttempt });
      else if (job.name === 'publish-site' && builds)
        await publishSite(test.deps, payload.deploymentId, {
          signal,
          attempt: 1,
          lastAttempt: false,
        });
      else left.push(job);
    }
    test.deps.jobs.added.push(...left);
  }
  async function poll(): Promise<void> {
    test.deps.clock.advance(test.deps.config.git.pollSeconds);
    await addDueSyncs(test.deps);
    await work({ builds: false });
  }
  /**
   * Pushes a branch, as the head of a pull request; of a fork, only the ref of the pull request has
   * it.
   */
  function push(
    number: number,
    branch: string,
    files: Record<string, string>,
    isFork = false,
  ): string {
    docs.git('checkout', '-q', '-B', branch, 'main');
    const sha = docs.push(files, `Change ${branch}`);
    docs.setRef(`refs/pull/${number}/head`, sha);
    if (isFork) docs.setRef(`refs/heads/${branch}`, null);
    docs.git('checkout', '-q', 'main');
    return sha;
  }
  async function tell(message: Told = {}, signedWith = secret) {
    const {
      number = 7,
      state = 'open',
      head = 'better',
      fork = false,
      association = 'NONE',
      base = 'main',
      title,
    } = message;
    const repository = message.repository ?? slug;
    const payload = {
      action: 'synchronize',
      pull_request: {
        number,
        state,
        title: title ?? 'Better start',
        user: { login: 'ada' },
        author_association: association,
        head: { ref: head, repo: { full_name: fork ? 'stranger/docs' : repository } },
        base: { ref: base },
        updated_at: message.updatedAt ?? test.deps.clock.now().toISOString(),
      },
      repository: { full_name: repository },
    };
    const body = JSON.stringify(payload);
    deliveries += 1;
    const response = await test.app.inject({
      method: 'POST',
      url: hook,
      payload: body,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
        'x-github-delivery': String(deliveries),
      },
    });
    test.deps.clock.advance(1);
    return [response.statusCode, response.json().outcome ?? response.json().code];
  }

  it('has a preview under its number, which each push updates and which ends when it is closed', async () => {
    await connect();
    push(7, 'better', { 'docs/index.mdx': '# Better' });
    expect(await tell()).toEqual([202, 'accepted']);
    await work();
    expect(await list('pull-requests')).toMatchObject([
      {
        number: 7,
        title: 'Better start',
        author: 'ada',
        state: 'previewed',
        previewName: 'pr-7',
        isFork: false,
        lastError: null,
      },
    ]);
    const [preview] = await list('previews');
    expect(preview).toMatchObject({
      name: 'pr-7',
      membersOnly: false,
      deploymentId: expect.any(String),
      createdBy: null,
    });
    const sha = push(7, 'better', { 'docs/index.mdx': '# Better still' });
    await tell();
    await work();
    const [newest] = await list('deployments');
    expect(newest).toMatchObject({
      status: 'success',
      isLive: false,
      commit: { sha, ref: 'better' },
    });
    expect((await list('previews'))[0].deploymentId).toBe(newest.id);
    expect(await tell({ state: 'closed' })).toEqual([202, 'accepted']);
    await work();
    expect(await list('previews')).toEqual([]);
    expect(await list('pull-requests')).toEqual([]);
    expect(await list('deployments')).toHaveLength(1);
  });

  it('is built once however many messages report a push, and only the newest of several pushes', async () => {
    await connect();
    push(7, 'better', { 'docs/index.mdx': '# Better' });
    for (let count = 0; count < 3; count += 1) await tell();
    await work({ builds: false });
    expect(await list('deployments')).toHaveLength(2);
    push(7, 'better', { 'docs/index.mdx': '# Better still' });
    await tell();
    await work({ builds: false });
    const ends = (await list('deployments')).map(
      ({ endReason }: { endReason: string | null }) => endReason,
    );
    expect(ends).toEqual([null, 'superseded', 'canceled']);
  });

  it('has no preview if it changes nothing in the documentation, also when the branch has moved on', async () => {
    await connect();
    push(7, 'code', { 'src/x.ts': '2' });
    docs.push({ 'docs/index.mdx': '# Moved on' });
    await tell({ head: 'code' });
    await work();
    expect(await list('pull-requests')).toMatchObject([{ state: 'unchanged', previewName: null }]);
    push(7, 'code', { 'docs/index.mdx': '# And docs' });
    await tell({ head: 'code' });
    await work({ builds: false });
    expect(await list('pull-requests')).toMatchObject([
      { state: 'previewed', previewName: 'pr-7' },
    ]);
    push(7, 'code', { 'src/x.ts': '3' });
    await tell({ head: 'code' });
    await work({ builds: false });
    expect(await list('previews')).toEqual([]);
  });

  it('from a fork waits until an editor approves its commit, and again after the next push', async () => {
    await connect();
    const first = push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    await tell({ head: 'theirs', fork: true });
    await work();
    expect(await pullOf(7)).toMatchObject({
      state: 'waiting',
      isFork: true,
      sha: first,
      previewName: null,
    });
    expect(await list('previews')).toEqual([]);
    expect((await call('POST', '/pull-requests/7/approve', { sha: 'a'.repeat(40) })).status).toBe(
      412,
    );
    expect((await call('POST', '/pull-requests/8/approve', { sha: first })).body.code).toBe(
      'pull_request_not_found',
    );
    expect((await call('POST', '/pull-requests/7/approve', { sha: first })).status).toBe(200);
    await work();
    expect((await list('deployments'))[0]).toMatchObject({
      status: 'success',
      commit: { sha: first, ref: 'pull/7/head' },
    });
    const second = push(7, 'theirs', { 'docs/index.mdx': '# Something else' }, true);
    await tell({ head: 'theirs', fork: true });
    await work();
    expect(await pullOf(7)).toMatchObject({ state: 'waiting', sha: second, previewName: 'pr-7' });
    expect(await list('deployments')).toHaveLength(2);
  });

  it('from a fork is not built in another state than the approved one, although it was approved before the push', async () => {
    await connect();
    const first = push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    await tell({ head: 'theirs', fork: true });
    await work();
    await call('POST', '/pull-requests/7/approve', { sha: first });
    await work({ builds: false });
    push(7, 'theirs', { 'docs/index.mdx': '# Something else' }, true);
    await work();
    expect((await list('deployments'))[0]).toMatchObject({
      status: 'failure',
      summary: expect.stringContaining('waits for approval'),
    });
  });

  it('from a fork is built unasked for everybody, or for members, if the owner says so', async () => {
    await connect({ forks: 'members' });
    push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    push(8, 'ours', { 'docs/index.mdx': '# Ours' }, true);
    await tell({ head: 'theirs', fork: true, association: 'CONTRIBUTOR' });
    await tell({ number: 8, head: 'ours', fork: true, association: 'MEMBER' });
    await work({ builds: false });
    expect((await pullOf(7)).state).toBe('waiting');
    expect((await pullOf(8)).state).toBe('previewed');
    await call('PATCH', await base(), { forks: 'all' });
    await tell({ head: 'theirs', fork: true });
    await work({ builds: false });
    expect((await pullOf(7)).state).toBe('previewed');
  });

  it('is never built from a fork because a message says that it is none', async () => {
    await connect();
    push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    await tell({ head: 'theirs', fork: false });
    await tell({ number: 8, head: '--upload-pack=id', fork: false });
    await tell({ number: 9, head: '../pull/7/head', fork: false });
    await work();
    expect(await list('previews')).toEqual([]);
    expect(await list('deployments')).toHaveLength(1);
  });

  it('is left alone by what is forged, late, about another repository, or about another branch', async () => {
    await connect();
    push(7, 'better', { 'docs/index.mdx': '# Better' });
    const early = new Date(test.deps.clock.now().getTime() - 60_000).toISOString();
    expect(await tell({}, 'whsec_of_somebody_else')).toEqual([401, 'unauthenticated']);
    expect(await tell({ repository: 'evil/docs' })).toEqual([422, 'delivery_ignored']);
    expect(await tell({ base: 'release' })).toEqual([202, 'accepted']);
    await work();
    expect(await list('previews')).toEqual([]);
    expect(await tell({ state: 'closed' })).toEqual([202, 'accepted']);
    expect(await tell({ updatedAt: early })).toEqual([422, 'delivery_ignored']);
    await work();
    expect(await list('pull-requests')).toEqual([]);
    expect(await tell({ title: 'Re\u202eopened\nwith a second line' })).toEqual([202, 'accepted']);
    await work({ builds: false });
    expect(await list('pull-requests')).toMatchObject([{ title: 'Re opened' }]);
  });

  it('has a preview for members only where the repository needs credentials, and as its owner says', async () => {
    await connect({ credentials: { kind: 'token', token: 'secret' } });
    push(7, 'better', { 'docs/index.mdx': '# Better' });
    await tell();
    await work({ builds: false });
    expect((await list('previews'))[0]).toMatchObject({ name: 'pr-7', membersOnly: true });
    await call('PATCH', '/previews/pr-7', { membersOnly: false });
    push(7, 'better', { 'docs/index.mdx': '# Better still' });
    await tell();
    await work({ builds: false });
    expect((await list('previews'))[0]).toMatchObject({ name: 'pr-7', membersOnly: false });
  });

  it('never shows what is for members in a preview that somebody else opened under its name', async () => {
    await connect({ credentials: { kind: 'token', token: 'secret' } });
    await call('POST', '/previews', { branch: 'pr-7' });
    await call('POST', '/previews', { branch: 'pr/8' });
    for (const number of [7, 8]) {
      push(number, `better-${number}`, { 'docs/index.mdx': '# Better' });
      await tell({ number, head: `better-${number}` });
    }
    await work({ builds: false });
    for (const number of [7, 8]) {
      const { previewName } = await pullOf(number);
      expect(previewName).toMatch(new RegExp(`^pr-${number}-[0-9a-f]{6}$`));
      const previews = await list('previews');
      const byName = (name: string) =>
        previews.find((preview: { name: string }) => preview.name === name);
      expect(byName(previewName)).toMatchObject({ membersOnly: true });
      expect(byName(`pr-${number}`)).toMatchObject({ membersOnly: false });
      expect((await call('PATCH', `/previews/${previewName}`, { lifetimeDays: 3 })).body.name).toBe(
        previewName,
      );
    }
    push(7, 'better-7', { 'docs/index.mdx': '# Better still' });
    await tell({ head: 'better-7' });
    await work({ builds: false });
    expect(await list('previews')).toHaveLength(4);
  });

  it('has a preview for members as soon as the owner says so, and another one when the folder changes', async () => {
    await connect();
    push(7, 'better', {
      'docs/index.mdx': '# Better',
      'manual/docs.json': docsJson,
      'manual/index.mdx': '# Manual',
    });
    await tell();
    await work({ builds: false });
    await call('PATCH', await base(), { previews: 'members' });
    expect((await list('previews'))[0]).toMatchObject({ name: 'pr-7', membersOnly: true });
    const builds = async () =>
      (await list('deployments')).filter(({ preview }: { preview: unknown }) => preview !== null)
        .length;
    const before = await builds();
    await call('PATCH', await base(), { folder: 'manual' });
    await work({ builds: false });
    expect(await builds()).toBe(before + 1);
  });

  it('keeps no preview if it is closed, or previews are turned off, while its repository is read', async () => {
    await connect();
    const { queries } = test.deps.database;
    const { inspect } = test.deps.git;
    const ends = [
      () => queries.updateTable('pull_requests').set({ is_open: false }).execute(),
      async () => call('PATCH', await base(), { previews: 'none' }),
      async () => call('DELETE', await base()),
    ];
    for (const end of ends) {
      await call('PATCH', await base(), { previews: 'public' });
      push(7, 'better', { 'docs/index.mdx': '# Better' });
      await tell();
      test.deps.git.inspect = async (...input) => {
        const revision = await inspect(...input);
        await end();
        return revision;
      };
      try {
        await work({ builds: false });
      } finally {
        test.deps.git.inspect = inspect;
      }
      expect(await list('previews')).toEqual([]);
      expect(await list('deployments')).toHaveLength(1);
    }
  });

  it('of a further source has a preview of the whole site, in which it replaces that source alone', async () => {
    await connect();
    docs = server.createRepository(`${slug}-api`);
    docs.push({ 'docs/docs.json': docsJson, 'docs/index.mdx': '# API' }, 'API');
    const path = 'sdks/api';
    const source = { url: docs.url, folder: 'docs', provider: 'github', path };
    const added = (await call('POST', '/sources', source)).body;
    hook = new URL(added.webhook.url).pathname;
    secret = (await call('POST', `/sources/${added.id}/webhook-secret`)).body.secret;
    await work({ builds: false });
    const sha = push(7, 'better', { 'docs/index.mdx': '# Better' });
    expect(await tell({ repository: `${slug}-api` })).toEqual([202, 'accepted']);
    await work();
    const pull = { path, state: 'previewed', previewName: 'sdks-api-pr-7', sha };
    expect(await pullOf(7)).toMatchObject(pull);
    const isOfPull = ({ preview }: { preview: string | null }) => preview === 'sdks-api-pr-7';
    const { id } = (await list('deployments')).find(isOfPull);
    expect((await call('GET', `/deployments/${id}`)).body).toMatchObject({
      status: 'success',
      commit: { sha, message: 'Change better' },
      sources: [
        { path: '', commit: { message: 'First' } },
        { path, commit: { sha } },
      ],
    });
  });

  it('has none where the owner wants none, and previews end when the site is disconnected', async () => {
    await connect();
    push(7, 'better', { 'docs/index.mdx': '# Better' });
    await tell();
    await work({ builds: false });
    expect((await call('PATCH', await base(), { previews: 'none' })).body.previews).toBe('none');
    expect(await list('previews')).toEqual([]);
    expect(await tell()).toEqual([422, 'delivery_ignored']);
    await call('PATCH', await base(), { previews: 'members' });
    await tell();
    await work({ builds: false });
    expect(await list('previews')).toMatchObject([{ name: 'pr-7', membersOnly: true }]);
    expect((await call('DELETE', await base())).status).toBe(204);
    expect(await list('previews')).toEqual([]);
    expect(await list('deployments')).toHaveLength(1);
  });

  it('says why it has no preview, and has it once that is fixed', async () => {
    await connect();
    docs.git('checkout', '-q', '-b', 'gone');
    docs.git('rm', '-q', '-r', 'docs');
    docs.push({ 'src/x.ts': '2' });
    docs.git('checkout', '-q', 'main');
    await tell({ head: 'gone' });
    await work();
    expect((await pullOf(7)).lastError).toContain('no folder "docs"');
    push(7, 'gone', { 'docs/index.mdx': '# Back' });
    await tell({ head: 'gone' });
    await work({ builds: false });
    expect(await pullOf(7)).toMatchObject({ state: 'previewed', lastError: null });
  });

  it('is looked at again after an outage of its repository, which it shows only after the last attempt', async () => {
    await connect();
    const sha = push(7, 'better', { 'docs/index.mdx': '# Better' });
    const { inspect } = test.deps.git;
    test.deps.git.inspect = async () => {
      throw new DocentError('git_unavailable', 'The server did not answer.');
    };
    try {
      await tell();
      const again = test.deps.jobs.added.slice();
      await expect(work({ lastAttempt: false })).rejects.toMatchObject({ code: 'git_unavailable' });
      expect(await pullOf(7)).toMatchObject({ sha, lastError: null });
      test.deps.jobs.added.push(...again);
      await work();
      expect(await pullOf(7)).toMatchObject({ sha, lastError: 'The server did not answer.' });
    } finally {
      test.deps.git.inspect = inspect;
    }
  });

  it('waits no longer if it goes back to the approved commit, and says so when its build is canceled', async () => {
    await connect();
    const first = push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    await tell({ head: 'theirs', fork: true });
    await work();
    await call('POST', '/pull-requests/7/approve', { sha: first });
    await work({ builds: false });
    push(7, 'theirs', { 'docs/index.mdx': '# Something else' }, true);
    await tell({ head: 'theirs', fork: true });
    await work({ builds: false });
    expect((await pullOf(7)).state).toBe('waiting');
    docs.setRef('refs/pull/7/head', first);
    await tell({ head: 'theirs', fork: true });
    await work({ builds: false });
    expect(await pullOf(7)).toMatchObject({ state: 'previewed', sha: first });
    const reports = () =>
      test.deps.jobs.added.filter(({ name }) => name === 'report-pull-request').length;
    const before = reports();
    const [newest] = await list('deployments');
    expect((await call('POST', `/deployments/${newest.id}/cancel`)).status).toBe(200);
    expect(reports()).toBe(before + 1);
  });

  describe('in a network that nobody can call into', () => {
    it('is found by looking, updated, and ends when its branch is gone or merged', async () => {
      push(3, 'old', { 'docs/index.mdx': '# Old' });
      await connect();
      expect(await list('pull-requests')).toEqual([]);
      push(7, 'better', { 'docs/index.mdx': '# Better' });
      push(8, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
      await poll();
      expect(await pullOf(7)).toMatchObject({ state: 'previewed', isFork: false });
      expect(await pullOf(8)).toMatchObject({ state: 'waiting', isFork: true });
      const sha = push(7, 'better', { 'docs/index.mdx': '# Better still' });
      await poll();
      expect(await pullOf(7)).toMatchObject({ sha, previewName: 'pr-7' });
      const before = (await list('deployments')).length;
      await poll();
      expect(await list('deployments')).toHaveLength(before);
      const earlier = test.deps.clock.now();
      docs.setRef('refs/heads/better', null);
      docs.setRef('refs/pull/8/head', null);
      await poll();
      expect(await list('pull-requests')).toEqual([]);
      expect(await list('previews')).toEqual([]);
      // A message that was sent before, and comes late.
      expect(await tell({ updatedAt: earlier.toISOString() })).toEqual([422, 'delivery_ignored']);
      expect(await list('pull-requests')).toEqual([]);
      expect(await tell()).toEqual([202, 'accepted']);
    });

    it('is not closed by a message from before it was found open, but by a newer one', async () => {
      await connect();
      const earlier = test.deps.clock.now().toISOString();
      push(7, 'better', { 'docs/index.mdx': '# Better' });
      await poll();
      expect(await tell({ state: 'closed', updatedAt: earlier })).toEqual([
        422,
        'delivery_ignored',
      ]);
      await work({ builds: false });
      expect(await pullOf(7)).toMatchObject({ state: 'previewed', previewName: 'pr-7' });
      expect(await tell({ updatedAt: earlier })).toEqual([202, 'accepted']);
      expect(await tell({ state: 'closed' })).toEqual([202, 'accepted']);
      await work({ builds: false });
      expect(await list('previews')).toEqual([]);
      const { items } = (await call('GET', `${await base()}/deliveries`)).body;
      expect(items).toMatchObject([
        { outcome: 'ignored', pullNumber: 7, reason: expect.stringContaining('closed') },
        { outcome: 'ignored', pullNumber: 7 },
        { outcome: 'ignored', pullNumber: 7, reason: expect.stringContaining('newer') },
      ]);
    });

    it('stays closed after it was merged, also when nothing is stored of it any more', async () => {
      await connect();
      await poll();
      push(7, 'better', { 'docs/index.mdx': '# Better' });
      await poll();
      expect(await pullOf(7)).toMatchObject({ state: 'previewed' });
      push(7, 'better', { 'docs/index.mdx': '# Better still' });
      docs.git('push', '-q', 'origin', 'better:main');
      docs.git('pull', '-q', '--ff-only', 'origin', 'main');
      docs.push({ 'docs/index.mdx': '# Moved on' });
      await poll();
      expect(await list('pull-requests')).toEqual([]);
      const { queries } = test.deps.database;
      const rows = () =>
        queries.selectFrom('pull_requests').select(['is_open', 'updated_at']).execute();
      const before = await rows();
      await poll();
      expect(await rows()).toEqual(before);
      await deleteClosedPullRequests(queries, new Date(test.deps.clock.now().getTime() + 1));
      expect(await rows()).toEqual([]);
      await poll();
      expect(await rows()).toEqual([]);
    });

    it('is not looked for while a webhook reports pull requests', async () => {
      await connect();
      await tell({ number: 6, state: 'closed' });
      push(7, 'better', { 'docs/index.mdx': '# Better' });
      await poll();
      expect(await list('pull-requests')).toEqual([]);
      test.deps.clock.advance(8 * 24 * 3600);
      await poll();
      expect(await list('pull-requests')).toMatchObject([{ number: 7 }]);
    });
  });

  it('is a matter of its own organization', async () => {
    await connect();
    push(7, 'theirs', { 'docs/index.mdx': '# Theirs' }, true);
    await tell({ head: 'theirs', fork: true });
    await work();
    const { sha } = await pullOf(7);
    const stranger = await addOrganization(test);
    headers = (await addKey(test, stranger, { kind: 'admin' })).headers;
    expect((await call('GET', '/pull-requests')).status).toBe(404);
    expect((await call('POST', '/pull-requests/7/approve', { sha })).status).toBe(404);
  });
});
