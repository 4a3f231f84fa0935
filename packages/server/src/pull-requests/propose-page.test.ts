import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callDeclared } from '../../../../test/support/declared.ts';
import { type HostName, type StandInHost, standInHost } from '../../../../test/support/git-host.ts';
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
import type { OutsideCall } from '../ports/outside-calls.ts';
import { gitHostOf } from './reports/git-hosts.ts';

const CONTENT = '---\ntitle: Rotate keys\nhidden: true\nnoindex: true\n---\n\nFirst text.\n';
const TOKEN = 's3cret-token';

let server: GitServer;
let close: () => Promise<void>;
let test: TestApp;
let headers: Record<string, string>;
let slug: string;
let docs: TestRepository;
let host: StandInHost;
let sites = 0;

describe.skipIf(!canServeGit)('a draft in the repository of a site', () => {
  beforeAll(async () => {
    const outsideCalls = { call: (call: OutsideCall) => host.call(call) };
    ({ server, test, close } = await openGitTestApp({ outsideCalls }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    await test.deps.database.queries.deleteFrom('git_sources').execute();
    server.password = undefined;
    server.intercept = undefined;
    sites += 1;
    slug = `drafts-${sites}`;
    const operator = await addOrganization(test);
    await addSite(test, operator, slug);
    headers = (await addKey(test, operator, { kind: 'admin' })).headers;
    docs = server.createRepository(`acme/${slug}`);
    docs.push({ 'docs/index.mdx': '# Welcome', 'src/x.ts': '1' }, 'First');
    host = standInHost('gitea', {
      origin: server.origin,
      authorization: `token ${TOKEN}`,
    });
    host.respond = () => [201, { number: 13 }];
  });

  const post = async (path: string, payload: object) => {
    const url = `/v1/projects/${slug}${path}`;
    const response = await callDeclared(test.app, { method: 'POST', url, headers, payload });
    return { status: response.statusCode, body: response.json() };
  };
  const connect = (more: object = {}) =>
    post('/sources', {
      ...{ url: docs.url, branch: 'main', folder: 'docs', provider: 'gitea' },
      credentials: { kind: 'token', token: TOKEN },
      ...more,
    });
  const propose = (more: object = {}) =>
    post('/drafts', { path: 'guides/rotate-keys.mdx', content: CONTENT, ...more });
  /** Runs Git where the server keeps the repository. */
  const git = (...args: string[]) => docs.git('--git-dir', docs.bare, ...args);
  const allowWrites = () => git('config', 'http.receivepack', 'true');

  it('is one new file on a new branch, hidden, and changes no other branch', async () => {
    server.password = TOKEN;
    allowWrites();
    await connect();
    const before = git('rev-parse', 'main');
    const { status, body } = await propose();
    expect([status, body]).toEqual([201, expect.any(Object)]);
    expect(body).toMatchObject({
      branch: expect.stringMatching(/^docent\/draft-rotate-keys-[0-9a-z]{6}$/),
      file: 'docs/guides/rotate-keys.mdx',
      pullRequest: null,
      pullRequestError: null,
    });
    expect(git('rev-parse', 'main')).toBe(before);
    expect(git('rev-parse', body.branch)).toBe(body.sha);
    expect(git('diff', '--name-status', 'main', body.branch)).toBe(
      'A\tdocs/guides/rotate-keys.mdx',
    );
    expect(`${git('show', `${body.branch}:${body.file}`)}\n`).toBe(CONTENT);
    expect(git('log', '-1', '--format=%an <%ae> %s', body.branch)).toMatch(
      /^Docent <docent@[^>]+> Draft: Rotate keys$/,
    );
    const again = await propose();
    expect(again.body.branch).not.toBe(body.branch);
    expect(host.requests).toEqual([]);
  });

  it('is a pull request too where that is requested; if none can be opened, the branch is there', async () => {
    allowWrites();
    await connect();
    const { body } = await propose({ pullRequest: true });
    expect(body.pullRequest).toEqual({
      number: 13,
      url: `${docs.url.replace(/\.git$/, '')}/pulls/13`,
    });
    expect(host.requests).toEqual(['POST /repos/{owner}/{repo}/pulls']);
    host.respond = () => [403, {}];
    const refused = await propose({ pullRequest: true });
    expect(refused).toMatchObject({
      status: 201,
      body: { pullRequest: null, pullRequestError: expect.stringContaining('let the token write') },
    });
    expect(git('rev-parse', refused.body.branch)).toBe(refused.body.sha);
  });

  it('is refused with a remedy where the server cannot write, and nothing is left there', async () => {
    const branches = () => git('branch', '--format=%(refname:short)');
    expect((await propose()).body.code).toBe('git_source_not_found');
    await connect();
    const readOnly = await propose();
    expect(readOnly).toMatchObject({ status: 400, body: { code: 'git_refused' } });
    expect(readOnly.body.detail).toContain('let the token write its contents');
    expect(JSON.stringify(readOnly.body)).not.toContain(TOKEN);
    // The copy is as it was: the next fetch works.
    allowWrites();
    expect((await propose({ path: 'index.mdx' })).body.detail).toContain('docs/index.mdx already');
    expect((await propose({ path: 'index.mdx/a.mdx' })).body.detail).toContain('another path');
    git('config', 'receive.denyCurrentBranch', 'refuse');
    git('config', 'receive.maxInputSize', '1');
    expect((await propose()).body.code).toBe('git_refused');
    expect(branches()).toBe('main');
    await test.deps.database.queries.deleteFrom('git_sources').execute();
    await connect({ credentials: { kind: 'none' } });
    expect((await propose()).body.detail).toContain('give it a token that may write');
    await test.deps.database.queries.deleteFrom('git_sources').execute();
    await connect({ provider: 'other' });
    expect((await propose({ pullRequest: true })).body.detail).toContain('create the branch alone');
    expect(branches()).toBe('main');
  });

  it('is no page that readers would see, and no file but a page', async () => {
    allowWrites();
    await connect();
    const visible = await propose({ content: '---\ntitle: Keys\n---\nText' });
    expect(visible.body.detail).toContain('hidden: true');
    for (const path of [
      '../x.mdx',
      '/x.mdx',
      '.github/x.mdx',
      'a/../../x.mdx',
      'a/.git/x.mdx',
      'x.yml',
      'a//b.mdx',
      'a\\b.mdx',
      'a\nb.mdx',
    ])
      expect([path, (await propose({ path })).status]).toEqual([path, 400]);
  });

  it('is refused to keys that only read, and to other organizations', async () => {
    allowWrites();
    await connect();
    const other = await addOrganization(test);
    headers = (await addKey(test, other, { kind: 'admin' })).headers;
    expect((await propose()).body.code).toBe('site_not_found');
    headers = (await addKey(test, other, { kind: 'admin', scopes: ['read'] })).headers;
    expect((await propose()).body.code).toBe('scope_missing');
  });
});

describe('the request that opens a pull request', () => {
  it.each([
    ['github', 'https://github.com/acme/docs.git'],
    ['gitlab', 'https://git.acme.example/a/team/docs'],
    ['bitbucket', 'https://bitbucket.org/acme/docs.git'],
    ['bitbucket-server', 'https://git.acme.example/scm/ACME/docs.git'],
    ['azure', 'https://dev.azure.com/acme/Team%20A/_git/docs'],
  ] as [HostName, string][])(
    'is as %s describes it, and says that it is a draft',
    async (name, url) => {
      const server = gitHostOf({ provider: name, url });
      if (!server) throw new Error('There is no API.');
      const api = standInHost(name, { origin: new URL(url).origin, authorization: '' });
      api.respond = () => [201, {}];
      const pull = { title: 'Keys', text: 'Text', head: 'docent/draft-keys-1', base: 'main' };
      const request = server.openPull(pull);
      const sent = JSON.stringify(request.body);
      const body = new Uint8Array(Buffer.from(sent));
      await api.call({ ...request, headers: [], body, timeoutMs: 1000 });
      expect(api.requests).toHaveLength(1);
      expect(sent).toMatch(/Draft: Keys|"(?:draft|isDraft)":true/);
      expect(sent).toContain('docent/draft-keys-1');
    },
  );
});
