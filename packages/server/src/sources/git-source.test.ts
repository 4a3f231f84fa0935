import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
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
import type { ProseAlert, ProseLinter } from '../ports/git/prose-linter.ts';
import { publishSite } from '../publishing/publish-site.ts';
import { addDueSyncs, syncGitSource } from '../publishing/sync-git-source.ts';
import { deleteOldDeliveries, logDelivery } from './delivery-queries.ts';

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
let sites = 0;
/** What is in the place of Vale. */
let prose: ((folder: string) => ProseAlert[]) | undefined;

describe.skipIf(!canServeGit)('a site with a Git source', () => {
  beforeAll(async () => {
    const proseLinter: ProseLinter = {
      isInstalled: async () => prose !== undefined,
      lint: async (folder) => prose?.(folder) ?? [],
    };
    ({ server, test, close } = await openGitTestApp({ proseLinter }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    await test.deps.database.queries.deleteFrom('git_sources').execute();
    test.deps.jobs.added.length = 0;
    prose = undefined;
    server.password = undefined;
    sites += 1;
    slug = `git-${sites}`;
    const operator = await addOrganization(test);
    await addSite(test, operator, slug);
    headers = (await addKey(test, operator, { kind: 'admin' })).headers;
    docs = server.createRepository(slug);
    docs.push(
      { 'docs/docs.json': docsJson, 'docs/index.mdx': '# Welcome', 'src/x.ts': '1' },
      'First',
    );
  });

  /** The list of sources for `GET` and `POST`; otherwise that of the base. */
  async function urlOf(method: string, rest: string): Promise<string> {
    if (rest.startsWith('/v1')) return rest;
    const list = `/v1/projects/${slug}/sources`;
    if (rest === '' && (method === 'GET' || method === 'POST')) return list;
    return `${list}/${(await source())?.id ?? '01KAN3R8Z5W6Q1T2V7X9Y0B4CD'}${rest}`;
  }
  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', rest = '', payload?: object) {
    const url = await urlOf(method, rest);
    const response = await callDeclared(test.app, {
      method,
      url,
      headers,
      ...(payload && { payload }),
    });
    return {
      status: response.statusCode,
      text: response.body,
      body: response.body ? response.json() : {},
    };
  }
  const connect = async (more: object = {}) => {
    const { status, body, text } = await call('POST', '', {
      url: docs.url,
      branch: 'main',
      folder: 'docs',
      ...more,
    });
    expect([status, text]).toEqual([201, expect.any(String)]);
    return body;
  };
  const source = async () => (await call('GET')).body.items?.[0] ?? null;
  const later = () => test.deps.clock.advance(test.deps.config.git.pollSeconds);
  const signal = new AbortController().signal;

  /** Does the work of the timer and the workers. */
  async function run(): Promise<void> {
    await look();
    while (test.deps.jobs.added.length > 0) {
      const { name, payload } = test.deps.jobs.added.shift() as { name: string; payload: object };
      if (name === 'publish-site' && 'deploymentId' in payload)
        await publishSite(test.deps, String(payload.deploymentId), {
          signal,
          attempt: 1,
          lastAttempt: false,
        });
    }
  }
  /** Looks at the branches, and leaves what is started in the queue. */
  async function look(): Promise<void> {
    await addDueSyncs(test.deps);
    const { added } = test.deps.jobs;
    for (const { payload } of added
      .splice(0)
      .filter((job) => job.name === 'sync-git-source' || !added.push(job)))
      await syncGitSource(test.deps, (payload as { sourceId: string }).sourceId, signal);
  }
  const deployments = async () =>
    (await call('GET', `/v1/projects/${slug}/deployments`)).body.items;

  it('publishes no push after a rollback, also one that was building, until somebody resumes', async () => {
    await connect();
    await run();
    const [first] = await deployments();
    later();
    docs.push({ 'docs/index.mdx': '# Second' }, 'Second');
    await run();
    const { queries } = test.deps.database;
    later();
    docs.push({ 'docs/index.mdx': '# Third' }, 'Third');
    await look();
    const [third] = await deployments();
    const promoted = `/v1/projects/${slug}/deployments/${first.id}/promote`;
    expect((await call('POST', promoted)).body).toMatchObject({ isLive: true, pausesPushes: true });
    // As if it had been started at the same moment.
    await queries.updateTable('sites').set({ promoted_number: sql<string>`null` }).execute();
    await run();
    expect(await deployments()).toMatchObject([
      { id: third.id, status: 'success', isLive: false, pausesPushes: false },
      {},
      { id: first.id, isLive: true, pausesPushes: true },
    ]);
    later();
    const sha = docs.push({ 'docs/index.mdx': '# Fourth' }, 'Fourth');
    await run();
    expect(await deployments()).toHaveLength(3);
    expect((await source()).paused).toMatchObject({ by: { kind: 'key' }, waitingSha: sha });
    const update = await call('POST', `/v1/project/update/${slug}`);
    expect([update.status, update.body.code]).toEqual([409, 'pushes_paused']);
    expect((await source()).paused).not.toBeNull();
    expect((await call('POST', `/v1/projects/${slug}/sources/resume`)).status).toBe(202);
    expect((await call('POST', `/v1/projects/${slug}/sources/resume`)).status).toBe(400);
    await run();
    expect((await source()).paused).toBeNull();
    expect((await deployments())[0]).toMatchObject({ isLive: true, commit: { sha } });
  });

  it('is looked at less often while its webhooks arrive, and where nothing changed for a day', async () => {
    const { id } = await connect();
    const { queries } = test.deps.database;
    const row = queries.selectFrom('git_sources').select('check_at').where('id', '=', id);
    const waitAfter = async (webhookAt: Date | null) => {
      const update = queries.updateTable('git_sources').set({ webhook_at: webhookAt });
      await update.where('id', '=', id).execute();
      await syncGitSource(test.deps, id, signal);
      const { check_at } = await row.executeTakeFirstOrThrow();
      return (check_at.getTime() - test.deps.clock.now().getTime()) / 1000;
    };
    const { pollSeconds } = test.deps.config.git;
    const now = test.deps.clock.now();
    expect(await waitAfter(null)).toBe(pollSeconds);
    expect(await waitAfter(now)).toBe(6 * pollSeconds);
    expect(await waitAfter(new Date(now.getTime() - 8 * 24 * 3600 * 1000))).toBe(pollSeconds);
    const newsAt = new Date(now.getTime() - 2 * 24 * 3600 * 1000);
    await queries.updateTable('git_sources').set({ news_at: newsAt }).execute();
    expect(await waitAfter(null)).toBe(3 * pollSeconds);
    docs.push({ 'docs/index.mdx': '# Second' }, 'Second');
    expect(await waitAfter(null)).toBe(pollSeconds);
    expect(await waitAfter(null)).toBe(pollSeconds);
  });

  it('publishes pushes again after the newest build is promoted again', async () => {
    await connect();
    await run();
    const [first] = await deployments();
    later();
    docs.push({ 'docs/index.mdx': '# Second' }, 'Second');
    await run();
    const [second] = await deployments();
    for (const [id, isPaused] of [
      [first.id, true],
      [second.id, false],
    ]) {
      await call('POST', `/v1/projects/${slug}/deployments/${id}/promote`);
      expect((await source()).paused !== null).toBe(isPaused);
    }
  });

  it('is live with its commit after it is connected, and after each push that changes its folder', async () => {
    expect(await connect()).toMatchObject({
      url: docs.url,
      branch: 'main',
      folder: 'docs',
      lastError: null,
      seenSha: null,
    });
    await run();
    const [first] = await deployments();
    expect(first).toMatchObject({ status: 'success', source: 'git', isLive: true, actor: null });
    expect(first.commit).toMatchObject({ message: 'First', author: 'Ada Example', ref: 'main' });
    later();
    const sha = docs.push({ 'docs/index.mdx': '# Hello', 'docs/new.mdx': '# New' }, 'Second');
    await run();
    const [second] = await deployments();
    expect(second).toMatchObject({
      status: 'success',
      isLive: true,
      commit: { sha, message: 'Second' },
    });
    const detail = (await call('GET', `/v1/projects/${slug}/deployments/${second.id}`)).body;
    expect(detail.commit.filesChanged).toEqual({
      added: ['new.mdx'],
      modified: ['index.mdx'],
      removed: [],
    });
    expect(await source()).toMatchObject({
      seenSha: sha,
      lastError: null,
      checkedAt: expect.any(String),
    });
  });

  it('is deployed once by looks at the same time, and not at all if a rollback came between', async () => {
    const { id } = await connect();
    await Promise.all([syncGitSource(test.deps, id, signal), syncGitSource(test.deps, id, signal)]);
    expect(await deployments()).toHaveLength(1);
    docs.push({ 'docs/index.mdx': '# Second' }, 'Second');
    const { inspect } = test.deps.git;
    test.deps.git.inspect = async (...args) => {
      const revision = await inspect(...args);
      const pause = { paused_at: test.deps.clock.now(), paused_by: null };
      await test.deps.database.queries.updateTable('git_sources').set(pause).execute();
      return revision;
    };
    try {
      await syncGitSource(test.deps, id, signal);
    } finally {
      test.deps.git.inspect = inspect;
    }
    expect(await deployments()).toHaveLength(1);
    expect((await source()).seenSha).not.toBe(docs.git('rev-parse', 'HEAD'));
  });

  it('is not built for changes elsewhere, nor for a commit with [skip docs], whose changes come with the next', async () => {
    await connect();
    await look();
    later();
    docs.push({ 'src/x.ts': '2' });
    await look();
    later();
    docs.push({ 'docs/index.mdx': '# Skipped' }, 'Change [skip docs]');
    await look();
    expect(await deployments()).toHaveLength(1);
    later();
    docs.push({ 'src/x.ts': '3' }, 'Go on');
    await look();
    expect(await deployments()).toHaveLength(2);
  });

  it('is not built again while nothing was pushed, and not at all if it is not automatic, but when somebody says so', async () => {
    await connect();
    await look();
    later();
    await look();
    expect(await deployments()).toHaveLength(1);
    expect((await call('PATCH', '', { automatic: false })).body).toMatchObject({
      automatic: false,
    });
    docs.push({ 'docs/index.mdx': '# Later' }, 'Later');
    later();
    await look();
    expect(await deployments()).toHaveLength(1);
    const started = await call('POST', `/v1/project/update/${slug}`);
    expect(started.status).toBe(202);
    await run();
    expect(
      (await call('GET', `/v1/project/update-status/${started.body.statusId}`)).body,
    ).toMatchObject({
      status: 'success',
      commit: { message: 'Later', ref: 'main', filesChanged: { modified: ['index.mdx'] } },
    });
  });

  it('replaces a queued deployment by that of a newer push', async () => {
    await connect();
    await call('POST', `/v1/project/update/${slug}`);
    await call('POST', `/v1/project/update/${slug}`);
    const states = (await deployments()).map(
      ({ endReason }: { endReason: string | null }) => endReason,
    );
    expect(states.sort()).toEqual([null, 'superseded']);
  });

  it('says what is wrong and how to fix it, and goes on once it is fixed', async () => {
    server.password = 's3cret-token';
    await connect();
    await run();
    expect((await source()).lastError).toContain('refused the credentials');
    expect(await deployments()).toEqual([]);
    const credentials = { kind: 'token', token: 's3cret-token' };
    const changed = await call('PATCH', '', { credentials });
    expect(changed.body).toMatchObject({
      credentials: { kind: 'token', username: null, publicKey: null },
      lastError: null,
    });
    expect(changed.text).not.toContain('s3cret');
    const checked = await call('POST', '/fetch');
    expect(checked.body.lastError).toBeNull();
    await run();
    expect((await deployments())[0]).toMatchObject({ status: 'success' });
    const stored = await test.deps.database.queries
      .selectFrom('git_sources')
      .select('secret')
      .executeTakeFirstOrThrow();
    expect(stored.secret).not.toContain('s3cret');
    await call('PATCH', '', { branch: 'gone' });
    expect((await call('POST', '/fetch')).body.lastError).toMatch(
      /no branch gone; .* It has main\.$/,
    );
    const failed = await call('POST', `/v1/project/update/${slug}`);
    await run();
    expect(
      (await call('GET', `/v1/project/update-status/${failed.body.statusId}`)).body,
    ).toMatchObject({
      status: 'failure',
      summary: expect.stringContaining('no branch gone'),
    });
  });

  it('sends a stored token to no other server than the one that it was entered for', async () => {
    await connect({ credentials: { kind: 'token', token: 's3cret-token' } });
    const moved = await call('PATCH', '', { url: 'https://evil.example/docs.git' });
    expect([moved.status, moved.body.errors[0].path]).toEqual([400, '/credentials/token']);
    expect((await source()).url).toBe(docs.url);
  });

  it('makes a deploy key of its own for ssh, whose private half is never shown', async () => {
    const { body, text } = await call('POST', '', {
      url: 'git@git.acme.example:acme/docs.git',
      credentials: { kind: 'ssh' },
    });
    expect(body.credentials).toMatchObject({
      kind: 'ssh',
      publicKey: expect.stringMatching(/^ssh-ed25519 /),
    });
    expect(text).not.toContain('PRIVATE');
    const same = await call('PATCH', '', { branch: 'next' });
    expect(same.body.credentials.publicKey).toBe(body.credentials.publicKey);
    const other = await call('PATCH', '', { credentials: { kind: 'ssh', newKey: true } });
    expect(other.body.credentials.publicKey).not.toBe(body.credentials.publicKey);
  });

  it('refuses what is no repository, naming the field', async () => {
    const refusals = [
      [{ url: 'file:///etc' }, '/url'],
      [{ url: 'ext::sh -c id' }, '/url'],
      [{ branch: '--upload-pack=id' }, '/branch'],
      [{ folder: '../x' }, '/folder'],
      [{ credentials: { kind: 'ssh' } }, '/credentials/kind'],
    ] as const;
    for (const [more, path] of refusals) {
      const { status, body } = await call('POST', '', { url: docs.url, ...more });
      expect([status, body.errors?.[0]?.path], path).toEqual([400, path]);
    }
    expect(await source()).toBeNull();
  });

  it('is disconnected with its credentials, and stays as it is', async () => {
    await connect();
    await run();
    expect((await call('DELETE')).status).toBe(204);
    expect(await source()).toBeNull();
    expect((await call('POST', '/fetch')).body.code).toBe('git_source_not_found');
    expect((await deployments())[0]).toMatchObject({ isLive: true });
    later();
    expect((await call('POST', `/v1/project/update/${slug}`)).status).toBe(202);
    expect((await deployments())[0]).toMatchObject({
      status: 'queued',
      commit: { message: 'First' },
    });
  });

  describe('with a webhook', () => {
    const hex = (secret: string, body: string) =>
      createHmac('sha256', secret).update(body).digest('hex');
    const push = JSON.stringify({ ref: 'refs/heads/main', after: 'f'.repeat(40) });
    const standard = (secret: string, body: string, time: number, id = 'msg_1') => {
      const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${id}.${time}.${body}`)
        .digest('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': String(time),
        'webhook-signature': `v1,${signed}`,
      };
    };
    const seconds = () => test.deps.clock.now().getTime() / 1000;
    /** How each provider signs, and what it sends about a push to `main`. */
    const providers: Record<
      string,
      [sign: (secret: string, body: string) => Record<string, string>, body: object]
    > = {
      GitHub: [
        (secret, body) => ({
          'x-hub-signature-256': `sha256=${hex(secret, body)}`,
          'x-github-delivery': '1',
          'x-github-event': 'push',
        }),
        { ref: 'refs/heads/main', repository: { full_name: 'acme/docs' } },
      ],
      GitLab: [
        (secret) => ({ 'x-gitlab-token': secret, 'x-gitlab-event-uuid': '1' }),
        { object_kind: 'push', ref: 'refs/heads/main' },
      ],
      Gitea: [
        (secret, body) => ({
          'x-gitea-signature': hex(secret, body),
          'x-hub-signature-256': 'sha256=0',
          'x-gitea-delivery': '1',
        }),
        { ref: 'refs/heads/main' },
      ],
      Forgejo: [
        (secret, body) => ({ 'x-forgejo-signature': hex(secret, body), 'x-forgejo-delivery': '1' }),
        { ref: 'refs/heads/main' },
      ],
      'Bitbucket Cloud': [
        (secret, body) => ({
          'x-hub-signature': `sha256=${hex(secret, body)}`,
          'x-request-uuid': '1',
        }),
        { push: { changes: [{ new: { type: 'branch', name: 'main' }, old: null }] } },
      ],
      'Bitbucket Data Center': [
        (secret, body) => ({
          'x-hub-signature': `sha256=${hex(secret, body)}`,
          'x-request-id': '1',
        }),
        { changes: [{ ref: { id: 'refs/heads/main', displayId: 'main' } }] },
      ],
      'Azure Repos': [
        (secret) => ({
          authorization: `Basic ${Buffer.from(`docent:${secret}`).toString('base64')}`,
        }),
        { id: '1', eventType: 'git.push', resource: { refUpdates: [{ name: 'refs/heads/main' }] } },
      ],
      'Standard Webhooks': [(secret, body) => standard(secret, body, seconds()), {}],
    };
    const syncs = () =>
      test.deps.jobs.added.filter(({ name }) => name === 'sync-git-source').length;
    async function deliver(body: string, sent: Record<string, string>, type = 'application/json') {
      const { url } = (await source()).webhook;
      const path = new URL(url).pathname;
      const response = await test.app.inject({
        method: 'POST',
        url: path,
        payload: body,
        headers: { 'content-type': type, ...sent },
      });
      return [response.statusCode, response.json().outcome ?? response.json().code];
    }
    async function withSecret(): Promise<string> {
      await connect();
      test.deps.jobs.added.length = 0;
      return (await call('POST', '/webhook-secret')).body.secret;
    }

    it.each(Object.keys(providers))(
      'looks at the branch when %s says that something was pushed, but not for a forged or repeated message',
      async (name) => {
        const [sign, message] = providers[name] as (typeof providers)[string];
        const body = JSON.stringify(message);
        const former = await withSecret();
        const { secret } = (await call('POST', '/webhook-secret')).body;
        expect(await deliver(body, sign(former, body))).toEqual([401, 'unauthenticated']);
        expect(syncs()).toBe(0);
        expect(await deliver(body, sign(secret, body))).toEqual([202, 'accepted']);
        // Some turn a webhook off after several refusals.
        const repeated = /GitLab|Bitbucket|Azure/.test(name)
          ? [202, 'repeated']
          : [409, 'delivery_repeated'];
        expect(await deliver(body, sign(secret, body))).toEqual(repeated);
        expect(syncs()).toBe(1);
        expect((await source()).webhook).toMatchObject({
          hasSecret: true,
          receivedAt: expect.any(String),
        });
      },
    );

    it('refuses what is unsigned, cut off, too old or signed with a former secret, and repeats under another id', async () => {
      const former = await withSecret();
      const github = (secret: string, body: string, id = '1') => ({
        'x-hub-signature-256': `sha256=${hex(secret, body)}`,
        'x-github-delivery': id,
      });
      const secret = (await call('POST', '/webhook-secret')).body.secret;
      const refused = [401, 'unauthenticated'];
      expect(await deliver(push, {})).toEqual(refused);
      expect(await deliver(push.slice(0, -5), github(secret, push))).toEqual(refused);
      expect(await deliver(push, github(former, push))).toEqual(refused);
      expect(await deliver(push, standard(secret, push, seconds() - 3600))).toEqual(refused);
      expect(await deliver(push, { 'x-gitlab-token': '' })).toEqual(refused);
      const { 'webhook-id': _, ...unnamed } = standard(secret, push, seconds(), 'undefined');
      expect(await deliver(push, unnamed)).toEqual(refused);
      expect(syncs()).toBe(0);
      const form = `payload=${encodeURIComponent(push)}`;
      expect(
        await deliver(form, github(secret, form), 'application/x-www-form-urlencoded'),
      ).toEqual([202, 'accepted']);
      // Whose id is signed may say the same more than once.
      expect(await deliver('{}', standard(secret, '{}', seconds(), 'msg_2'))).toEqual([
        202,
        'accepted',
      ]);
      expect(await deliver('{}', standard(secret, '{}', seconds(), 'msg_3'))).toEqual([
        202,
        'accepted',
      ]);
      expect(
        await deliver(form, github(secret, form, '2'), 'application/x-www-form-urlencoded'),
      ).toEqual([409, 'delivery_repeated']);
    });

    it('ignores other branches, and builds nothing but what the repository has', async () => {
      const secret = await withSecret();
      const sign = (body: string, id: string) => ({
        'x-hub-signature-256': `sha256=${hex(secret, body)}`,
        'x-github-delivery': id,
      });
      const other = JSON.stringify({ ref: 'refs/heads/next' });
      const ignored = [422, 'delivery_ignored'];
      expect(await deliver(other, sign(other, '1'))).toEqual(ignored);
      const gitlab = await deliver(other, { 'x-gitlab-token': secret });
      expect(gitlab).toEqual([202, 'repeated']);
      const stranger = JSON.stringify({
        ref: 'refs/heads/main',
        after: 'f'.repeat(40),
        repository: { full_name: 'evil/docs' },
      });
      expect(await deliver(stranger, sign(stranger, '2'))).toEqual([202, 'accepted']);
      await look();
      expect((await source()).seenSha).toBe(docs.git('rev-parse', 'HEAD'));
      await call('PATCH', '', { automatic: false });
      expect(await deliver(push, sign(push, '3'))).toEqual(ignored);
    });

    it('lists what arrived and what became of each delivery, without bodies, and refused ones apart', async () => {
      const secret = await withSecret();
      let id = 0;
      const send = (message: object, key = secret) => {
        id += 1;
        const body = JSON.stringify({ ...message, private: 'do not keep this' });
        const signed = { 'x-hub-signature-256': `sha256=${hex(key, body)}` };
        return deliver(body, {
          ...signed,
          'x-github-delivery': `d${id}`,
          'x-github-event': 'push',
        });
      };
      const log = async () => {
        const { body, text } = await call('GET', '/deliveries?limit=100');
        expect(text).not.toContain('do not keep this');
        return body.items.map((entry: Record<string, unknown>) => [
          entry.deliveryId,
          entry.outcome,
          entry.reason,
        ]);
      };
      const main = { ref: 'refs/heads/main' };
      await send(main);
      expect(await log()).toEqual([['d1', 'accepted', null]]);
      await look();
      later();
      await send({ ...main, again: 1 });
      await look();
      later();
      docs.push({ 'src/x.ts': '7' });
      await send({ ...main, again: 2 });
      await look();
      later();
      await send({ ref: 'refs/heads/other' });
      later();
      await send({ ref: 'refs/tags/v1' });
      later();
      await send(main, 'wrong');
      later();
      await send(main);
      later();
      await call('PATCH', '', { branch: 'gone' });
      await send({ ref: 'refs/heads/gone' });
      await look();
      later();
      await send({ ...main, files: 'x'.repeat(6 * 1024 * 1024) });
      const newest = [
        ['d9', 'refused', expect.stringContaining('too large')],
        ['d8', 'failed', expect.stringContaining('no branch gone')],
        ['d7', 'repeated', null],
        ['d6', 'refused', expect.stringContaining('signature')],
        ['d5', 'ignored', 'It is about a tag.'],
        ['d4', 'ignored', 'It is about another branch.'],
        ['d3', 'ignored', 'Nothing changed in the folder.'],
        ['d2', 'ignored', 'The newest commit was looked at before.'],
        ['d1', 'deployed', null],
      ];
      expect(await log()).toEqual(newest);
      const [first] = (await call('GET', '/deliveries?limit=1')).body.items;
      expect(first).toMatchObject({ event: 'push', pullNumber: null, deliveryId: 'd9' });
      const { queries } = test.deps.database;
      const now = test.deps.clock.now();
      for (let index = 0; index < 205; index += 1)
        await logDelivery(queries, {
          ...{ id: `0${index}`, sourceId: (await source()).id, event: null, pullNumber: null },
          ...{ deliveryId: null, outcome: 'refused', reason: null, receivedAt: now },
        });
      const rows = () => queries.selectFrom('git_delivery_log').select('outcome').execute();
      const strange = (outcome: string) => /refused|repeated/.test(outcome);
      expect((await rows()).filter(({ outcome }) => strange(outcome))).toHaveLength(200);
      expect((await rows()).filter(({ outcome }) => !strange(outcome))).toHaveLength(6);
      await deleteOldDeliveries(queries, new Date(now.getTime() + 1));
      expect(await rows()).toEqual([]);
    });

    it('refuses every delivery before there is a secret, and those for an unknown source', async () => {
      await connect();
      expect(await deliver(push, { 'x-gitlab-token': '' })).toEqual([401, 'unauthenticated']);
      const none = await test.app.inject({
        method: 'POST',
        url: '/v1/webhooks/git/01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
        payload: {},
      });
      expect(none.statusCode).toBe(404);
    });
  });

  describe('with further sources', () => {
    const api = JSON.stringify({ ...JSON.parse(docsJson), name: 'API' });
    const path = (rest = '') => `/v1/projects/${slug}/sources${rest}`;
    const sources = async () => (await call('GET', path())).body.items;
    /** The newest deployment, and the pages that differ from what was live before. */
    async function newest() {
      // Those of one moment have no order; one of them supersedes the others.
      const { id } = (await deployments()).find(
        (deployment: { endReason: string | null }) => deployment.endReason !== 'superseded',
      );
      const { body } = await call('GET', `/v1/projects/${slug}/deployments/${id}`);
      const { added, changed, removed } = body.changes ?? {};
      const pages = { added: added?.pages, changed: changed?.pages, removed: removed?.pages };
      return { ...body, pages };
    }
    let apiDocs: TestRepository;

    /** Adds a source at /api to a site with a base. @returns its id */
    async function compose(): Promise<string> {
      apiDocs = server.createRepository(`${slug}-api`);
      apiDocs.push({ 'docs.json': api, 'index.mdx': 'The [first](/index) page.' }, 'API first');
      if ((await sources()).length === 0) await connect();
      const added = await call('POST', path(), { url: apiDocs.url, path: '/api/' });
      expect([added.status, added.body.path, added.body.isBase]).toEqual([201, 'api', false]);
      return added.body.id;
    }

    it('is composed of all of them, again after a push to any, with the commit of each', async () => {
      await compose();
      await run();
      expect(await newest()).toMatchObject({
        status: 'success',
        pages: { added: ['/', '/api'] },
      });
      later();
      const sha = apiDocs.push({ 'index.mdx': 'Second text.' }, 'API second');
      await run();
      expect(await newest()).toMatchObject({
        status: 'success',
        isLive: true,
        commit: { sha, message: 'API second' },
        sources: [
          { path: '', commit: { message: 'First' } },
          { path: 'api', commit: { sha } },
        ],
        pages: { added: [], changed: ['/api'], removed: [] },
      });
      later();
      docs.push({ 'docs/index.mdx': '# Hello' }, 'Base second');
      await run();
      expect(await newest()).toMatchObject({
        commit: { message: 'Base second' },
        pages: { added: [], changed: ['/'], removed: [] },
      });
      later();
      const count = (await deployments()).length;
      await run();
      expect(await deployments()).toHaveLength(count);
    });

    it('are listed and changed; one becomes the base, and the former base takes its path', async () => {
      const id = await compose();
      await run();
      const [base] = await sources();
      later();
      expect(await sources()).toMatchObject([
        { path: '', isBase: true, url: docs.url },
        { id, path: 'api', isBase: false, name: `${slug}-api` },
      ]);
      expect((await call('PATCH', path(`/${id}`), { path: 'reference' })).body.path).toBe(
        'reference',
      );
      await run();
      expect((await newest()).pages).toEqual({
        ...{ added: ['/reference'], changed: [], removed: ['/api'] },
      });
      expect((await call('PATCH', path(`/${id}`), { base: true })).body).toMatchObject({
        path: '',
        isBase: true,
      });
      later();
      const refused = await call('DELETE', path(`/${id}`));
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringContaining('make one of them the base first'),
      ]);
      expect((await call('DELETE', path(`/${base.id}`))).status).toBe(204);
      await run();
      expect(await newest()).toMatchObject({
        commit: { message: 'API first' },
        pages: { changed: ['/'], removed: ['/reference'] },
        sources: [],
      });
      expect(await sources()).toMatchObject([{ id, isBase: true }]);
    });

    it('may all be below a path, also the base', async () => {
      const first = await connect({ path: '/docs' });
      expect([first.path, first.isBase]).toEqual(['docs', true]);
      await run();
      expect((await newest()).pages).toMatchObject({ added: ['/docs'] });
      const id = await compose();
      later();
      await run();
      expect((await newest()).pages).toMatchObject({ added: ['/api'], removed: [] });
      const asBase = await call('PATCH', path(`/${id}`), { base: true });
      expect([asBase.body.path, asBase.body.isBase]).toEqual(['api', true]);
      expect(await sources()).toMatchObject([{ path: 'api' }, { path: 'docs', isBase: false }]);
      const taken = await call('PATCH', path(`/${id}`), { path: 'docs' });
      expect([taken.status, taken.body.errors[0].path]).toEqual([400, '/path']);
      const whole = await call('PATCH', path(`/${id}`), { path: '/' });
      expect([whole.status, whole.body.path]).toEqual([200, '']);
      later();
      await run();
      expect((await newest()).pages).toMatchObject({ added: ['/'], removed: ['/api'] });
    });

    it('have paths that do not overlap', async () => {
      const add = async (at: string) => {
        const { status, body } = await call('POST', path(), { url: docs.url, path: at });
        return [status, body.errors?.[0]?.path, body.errors?.[0]?.message];
      };
      await connect();
      expect(await add('api')).toEqual([201, undefined, undefined]);
      for (const at of ['api', 'api/v2']) {
        const refusal = [400, '/path', expect.stringContaining('overlaps with the path api')];
        expect(await add(at)).toEqual(refusal);
      }
      expect(await add('../x')).toEqual([400, '/path', expect.stringContaining('no')]);
      expect((await call('POST', path(), { url: docs.url })).status).toBe(400);
      expect(await sources()).toHaveLength(2);
    });

    it('are named if they cannot be fetched', async () => {
      const id = await compose();
      await call('PATCH', path(`/${id}`), { branch: 'gone' });
      expect((await call('POST', path(`/${id}/fetch`))).body.lastError).toContain('no branch gone');
      await run();
      const { status, summary } = await newest();
      expect([status, summary]).toEqual(['failure', expect.stringContaining('the source at /api')]);
    });

    it('wait with the base after a rollback', async () => {
      await connect();
      await run();
      const [first] = await deployments();
      later();
      const id = await compose();
      await run();
      await call('POST', `/v1/projects/${slug}/deployments/${first.id}/promote`);
      later();
      const sha = apiDocs.push({ 'index.mdx': 'Third.' }, 'Third');
      const count = (await deployments()).length;
      await run();
      expect(await deployments()).toHaveLength(count);
      expect((await sources()).find((one: { id: string }) => one.id === id).paused).toMatchObject({
        waitingSha: sha,
      });
      await call('POST', `/v1/projects/${slug}/sources/resume`);
      await run();
      expect(await newest()).toMatchObject({ isLive: true, sources: [{}, { commit: { sha } }] });
    });

    it('have each a webhook of its own', async () => {
      const id = await compose();
      const [base] = await sources();
      const { url } = (await call('POST', path(`/${id}/webhook-secret`))).body;
      expect(url).toContain(`/v1/webhooks/git/${id}`);
      expect((await sources()).map(({ webhook }: { webhook: object }) => webhook)).toMatchObject([
        { hasSecret: false, url: base.webhook.url },
        { hasSecret: true, url },
      ]);
    });
  });

  it('has the files of submodules once its owner turns them on, and names one that it must not read', async () => {
    const shared = server.createRepository(`${slug}-shared`);
    const sha = shared.push({ 'note.mdx': '# Shared' });
    const modules = (url: string) => `[submodule "s"]\n\tpath = docs/shared\n\turl = ${url}\n`;
    const link = (url: string) => {
      docs.push({ '.gitmodules': modules(url), 'docs/.seen': url });
      docs.git('update-index', '--add', '--cacheinfo', `160000,${sha},docs/shared`);
      docs.git('commit', '-q', '-m', 'Shared pages');
      docs.git('push', '-q', '-f', 'origin', 'HEAD');
    };
    link(`../${slug}-shared.git`);
    await connect();
    await run();
    const pages = async () => {
      const [{ id }] = await deployments();
      const { body } = await call('GET', `/v1/projects/${slug}/deployments/${id}`);
      return body.changes?.added?.pages;
    };
    expect(await pages()).toEqual(['/']);
    later();
    expect((await call('PATCH', '', { submodules: true, lfs: true })).body).toMatchObject({
      submodules: true,
      submoduleHosts: [],
      lfs: true,
    });
    await run();
    expect(await pages()).toEqual(['/shared/note']);
    later();
    link('https://elsewhere.example/shared.git');
    await run();
    expect((await deployments())[0]).toMatchObject({
      status: 'failure',
      summary: expect.stringContaining('elsewhere.example, another host'),
    });
    const invalid = await call('PATCH', '', { submoduleHosts: ['https://x'] });
    expect([invalid.status, invalid.body.errors[0].path]).toEqual([400, '/submoduleHosts/0']);
  });

  it('has its pages checked by Vale by its own .vale.ini, if the owner wants that', async () => {
    const folders: string[] = [];
    const deploy = async () => {
      later();
      docs.push({
        'docs/index.mdx': `# Again ${Math.random()}`,
        'docs/.vale.ini': '[*]',
        'docs/a.png': 'png',
      });
      await run();
      const [{ id }] = await deployments();
      const { body } = await call('GET', `/v1/projects/${slug}/deployments/${id}`);
      return body.report.diagnostics.filter(({ code }: { code: string }) => /^vale/.test(code));
    };
    await connect();
    expect(await deploy()).toEqual([]);
    expect((await call('PATCH', '', { vale: 'fails' })).body).toMatchObject({ hasVale: false });
    expect(await deploy()).toMatchObject([{ message: expect.stringContaining('not installed') }]);
    prose = (folder) => {
      folders.push(...readdirSync(folder).sort());
      const alert = { file: 'index.mdx', line: 1, rule: 'Acme.Words', message: 'No.' };
      return [{ ...alert, severity: 'error' }];
    };
    expect(await deploy()).toMatchObject([
      { code: 'vale-error', severity: 'warning', file: 'index.mdx', line: 1 },
    ]);
    expect(folders).toEqual(['.vale.ini', 'index.mdx']);
  });

  it('is a matter of its own organization', async () => {
    await connect();
    const stranger = await addOrganization(test);
    headers = (await addKey(test, stranger, { kind: 'admin' })).headers;
    expect((await call('GET')).status).toBe(404);
    expect((await call('DELETE')).status).toBe(404);
  });
});
