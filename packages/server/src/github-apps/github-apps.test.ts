import { createHmac } from 'node:crypto';
import type { Actor } from '@docent/format/access/may.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import {
  canServeGit,
  type GitServer,
  type TestRepository,
} from '../../../../test/support/git-server.ts';
import { openGitTestApp } from '../../../../test/support/git-test-app.ts';
import {
  APP_PEM,
  APP_WEBHOOK_SECRET,
  type StandInGitHub,
  standInGitHub,
} from '../../../../test/support/github-app.ts';
import {
  addKey,
  addOrganization,
  addSite,
  type TestApp,
} from '../../../../test/support/test-app.ts';
import type { OutsideCall } from '../ports/outside-calls.ts';
import { syncGitSource } from '../publishing/sync-git-source.ts';

let server: GitServer;
let close: () => Promise<void>;
let test: TestApp;
let github: StandInGitHub;
let host: string;
let operator: Actor;
let headers: Record<string, string>;
let docs: TestRepository;
let slug: string;
let sites = 0;

describe.skipIf(!canServeGit)('a GitHub App', () => {
  beforeAll(async () => {
    ({ server, test, close } = await openGitTestApp({
      outsideCalls: { call: (call: OutsideCall) => github.call(call) },
    }));
    host = new URL(server.origin).host;
  });
  afterAll(() => close());
  beforeEach(async () => {
    github = standInGitHub(host, test.deps.clock);
    test.deps.jobs.added.length = 0;
    sites += 1;
    slug = `app-${sites}`;
    operator = await addOrganization(test);
    await addSite(test, operator, slug);
    headers = (await addKey(test, operator, { kind: 'admin' })).headers;
    docs = server.createRepository(`acme/${slug}`);
    docs.push({ 'docs.json': '{}', 'index.mdx': '# Welcome' }, 'First');
    github.installed.push(`acme/${slug}`);
    server.password = undefined;
  });

  async function call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
    const request = { method, url, headers, ...(payload && { payload }) };
    const response = await callDeclared(test.app, request);
    return { status: response.statusCode, body: response.body ? response.json() : {} };
  }
  const prepare = async (owner = 'acme') => {
    const { status, body } = await call('POST', '/v1/github-apps', { host, owner });
    expect(status).toBe(201);
    const state = new URL(body.action).searchParams.get('state') ?? '';
    return { ...body, state, manifest: JSON.parse(body.manifest) };
  };
  /** What a person does in the browser: confirms the form at GitHub, and comes back. */
  async function create() {
    const { state } = await prepare();
    const code = `code-${state}`;
    github.codes.set(code, { id: 4711, slug: 'docent-acme' });
    return call('POST', '/v1/github-apps/complete', { state, code });
  }
  const connect = (more: object = {}) =>
    call('POST', `/v1/projects/${slug}/sources`, {
      url: docs.url,
      credentials: { kind: 'github_app', ...more },
    });
  const sourceUrl = async () => {
    const list = `/v1/projects/${slug}/sources`;
    return `${list}/${(await call('GET', list)).body.items[0].id}`;
  };
  const check = async () => (await call('POST', `${await sourceUrl()}/fetch`)).body;
  const deliver = async (id: string, repository: string, more: Record<string, string> = {}) => {
    const payload = JSON.stringify({
      ref: 'refs/heads/main',
      repository: { full_name: repository },
    });
    const hmac = createHmac('sha256', APP_WEBHOOK_SECRET).update(payload).digest('hex');
    const response = await test.app.inject({
      method: 'POST',
      url: `/v1/github-apps/${id}/webhook`,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': 'd-1',
        'x-hub-signature-256': `sha256=${hmac}`,
        ...more,
      },
      payload,
    });
    return [response.statusCode, response.json().outcome];
  };

  it('is created with a form that a person confirms at GitHub, once, and its secrets are shown to nobody', async () => {
    const { action, manifest } = await prepare('acme inc');
    expect(action).toMatch(`https://${host}/organizations/acme%20inc/settings/apps/new?state=`);
    expect(manifest).toMatchObject({
      public: false,
      default_permissions: { contents: 'read', checks: 'write' },
    });
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ name: 'docent-acme', owner: 'acme', host }),
    ]);
    const { body: list } = await call('GET', '/v1/github-apps');
    expect(list.items).toEqual([body]);
    const rows = await test.deps.database.queries.selectFrom('github_apps').selectAll().execute();
    for (const secret of [APP_PEM.slice(40, 100), APP_WEBHOOK_SECRET])
      expect(JSON.stringify([list, rows])).not.toContain(secret);
  });

  it('is not created by who did not prepare it, twice, or with a code that GitHub does not know', async () => {
    const { state } = await prepare();
    const complete = (code: string) => call('POST', '/v1/github-apps/complete', { state, code });
    expect((await complete('wrong')).status).toBe(400);
    github.codes.set('right', { id: 4711, slug: 'docent' });
    const mine = headers;
    headers = (await addKey(test, await addOrganization(test), { kind: 'admin' })).headers;
    expect((await complete('right')).status).toBe(404);
    headers = mine;
    expect((await complete('right')).status).toBe(201);
    expect((await complete('right')).status).toBe(404);
  });

  it('sends the form to no host that is none, and is one of at most ten', async () => {
    const bad = { host: 'github.com/evil?', owner: '' };
    expect((await call('POST', '/v1/github-apps', bad)).status).toBe(400);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => call('POST', '/v1/github-apps', { host })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(10);
    test.deps.clock.advance(3601);
    expect((await call('POST', '/v1/github-apps', { host })).status).toBe(201);
  });

  it('lists the repositories that it is installed for', async () => {
    const { body: app } = await create();
    const { body } = await call('GET', `/v1/github-apps/${app.id}/repositories`);
    expect(body.repositories).toEqual([
      {
        url: `https://${host}/acme/${slug}`,
        name: `acme/${slug}`,
        defaultBranch: 'main',
        isPrivate: true,
      },
    ]);
  });

  it('lets the server read a repository over https, with a token for that repository alone, which is kept until it expires', async () => {
    await create();
    server.password = 'ghs_1';
    const { status, body } = await connect();
    expect([status, body.credentials]).toEqual([
      201,
      {
        kind: 'github_app',
        username: null,
        publicKey: null,
        githubApp: expect.objectContaining({ name: 'docent-acme' }),
      },
    ]);
    const signal = new AbortController().signal;
    await syncGitSource(test.deps, body.id, signal);
    const sha = docs.push({ 'index.mdx': '# Again' }, 'Second');
    await syncGitSource(test.deps, body.id, signal);
    const [source] = (await call('GET', `/v1/projects/${slug}/sources`)).body.items;
    expect([source.lastError, source.seenSha]).toEqual([null, sha]);
    expect(github.tokens).toEqual([
      { token: 'ghs_1', repositories: [slug], permissions: { contents: 'read' } },
    ]);
    test.deps.clock.advance(3600);
    server.password = 'ghs_2';
    await syncGitSource(test.deps, body.id, signal);
    expect(github.tokens).toHaveLength(2);
  });

  it('says where to install it if it may not read the repository', async () => {
    await create();
    github.installed.length = 0;
    await connect();
    expect((await check()).lastError).toContain(
      `install it at https://${host}/apps/docent-acme/installations/new`,
    );
    github.installed.push(`acme/${slug}`);
    expect((await check()).lastError).toBeNull();
  });

  it('leaves GitHub alone until it takes requests again', async () => {
    await create();
    const { body } = await connect();
    const { clock } = test.deps;
    const seconds = Math.floor(clock.now().getTime() / 1000);
    github.down = 403;
    github.downHeaders = [
      ['date', clock.now().toUTCString()],
      ['x-ratelimit-remaining', '0'],
      ['x-ratelimit-reset', String(seconds + 600)],
    ];
    expect((await check()).lastError).toContain('status 403');
    github.down = undefined;
    const before = github.requests.length;
    expect((await check()).lastError).toContain('takes no more requests until');
    expect(github.requests).toHaveLength(before);
    clock.advance(601);
    expect((await check()).lastError).toBeNull();
    expect(body.credentials.kind).toBe('github_app');
  });

  it('takes pushes to each of its repositories at one address, only with its signature and once', async () => {
    const { body: app } = await create();
    await connect();
    test.deps.jobs.added.length = 0;
    expect(await deliver(app.id, 'acme/another')).toEqual([202, 'ignored']);
    expect(await deliver(app.id, `acme/${slug}`)).toEqual([202, 'accepted']);
    expect(await deliver(app.id, `acme/${slug}`)).toEqual([202, 'repeated']);
    expect(test.deps.jobs.added.map(({ name }) => name)).toEqual(['sync-git-source']);
    const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
    expect((await deliver(app.id, `acme/${slug}`, forged))[0]).toBe(401);
    expect((await deliver(`${'0'.repeat(26)}`, `acme/${slug}`))[0]).toBe(404);
  });

  it('is not used at another server, nor by another organization', async () => {
    const { body: app } = await create();
    const elsewhere = { url: 'https://github.com/acme/docs', credentials: { kind: 'github_app' } };
    expect((await call('POST', `/v1/projects/${slug}/sources`, elsewhere)).status).toBe(400);
    const other = await addOrganization(test);
    await addSite(test, other, `${slug}-other`);
    headers = (await addKey(test, other, { kind: 'admin' })).headers;
    slug = `${slug}-other`;
    expect((await connect({ githubAppId: app.id })).status).toBe(400);
    expect((await call('DELETE', `/v1/github-apps/${app.id}`)).status).toBe(404);
  });

  it('is removed and uninstalled, but not while a site uses it, and ends with its organization', async () => {
    const { body: app } = await create();
    await connect();
    const refused = await call('DELETE', `/v1/github-apps/${app.id}`);
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      409,
      'github_app_in_use',
      expect.stringContaining(slug),
    ]);
    await call('DELETE', await sourceUrl());
    expect((await call('DELETE', `/v1/github-apps/${app.id}`)).status).toBe(204);
    expect(github.removed).toEqual(['77']);
    expect((await call('GET', '/v1/github-apps')).body.items).toEqual([]);
    await create();
    await connect();
    const { queries } = test.deps.database;
    const { organizationId } = operator;
    await queries.deleteFrom('organizations').where('id', '=', organizationId).execute();
    const left = queries.selectFrom('github_apps').where('organization_id', '=', organizationId);
    expect(await left.selectAll().execute()).toEqual([]);
  });
});
