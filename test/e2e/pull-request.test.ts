import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  sharedBrowser,
  signUp,
} from '../support/browser.ts';
import {
  canServeGit,
  type GitServer,
  startGitServer,
  type TestRepository,
} from '../support/git-server.ts';
import { APP_WEBHOOK_SECRET, type StandInGitHub, standInGitHub } from '../support/github-app.ts';
import { call, fetchLocal, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 300_000 });

const APP = { id: 4711, slug: 'docent-acme' };
const DOCS_JSON = JSON.stringify({
  name: 'Walk',
  theme: 'mint',
  colors: { primary: '#0a0' },
  navigation: { pages: ['index', 'guide'] },
});

/** What a team sees whose repository is at GitHub, from the connection to the closed pull request. */
describe.skipIf(chromiumPath === '' || !canServeGit)('a site and its repository at GitHub', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let home: string;
  let server: GitServer;
  let github: StandInGitHub;
  let appId: string;
  let deliveries = 0;
  /** Where webhooks of the repository go, and what they are signed with. */
  let hook: { url: string; secret: string };
  let repository: TestRepository;
  let slug: string;
  let fullName: string;
  /** Requests that GitHub would not understand. */
  const refused: unknown[] = [];

  beforeAll(async () => {
    server = await startGitServer();
    const { host } = new URL(server.origin);
    github = standInGitHub(host, { now: () => new Date() });
    server.intercept = (request, response) => {
      const isForApi = request.url?.startsWith('/api/v3/') === true;
      if (isForApi) void answer(request, response).catch((error) => refused.push(error));
      return isForApi;
    };
    const env = {
      NODE_EXTRA_CA_CERTS: process.env.GIT_SSL_CAINFO as string,
      DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
    };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    page.setDefaultTimeout(60_000);
    home = await signUp(page, docent);
    const { action } = await send('POST', '/v1/github-apps', { host, owner: 'acme' });
    github.codes.set('right', APP);
    const state = new URL(action).searchParams.get('state');
    const app = await send('POST', '/v1/github-apps/complete', { state, code: 'right' });
    appId = app.id;
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await server?.close();
    await removeTemporaryFolders();
  });

  /** Answers as the API of GitHub. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const { method = '', url = '' } = request;
    const body = await buffer(request);
    const sent = { method, url: server.origin + url, headers, timeoutMs: 0 };
    const { status, body: content } = await github.call({
      ...sent,
      body: body.length > 0 ? body : undefined,
    });
    response.writeHead(status, { 'content-type': 'application/json' });
    for await (const chunk of content) response.write(chunk);
    response.end();
  }
  async function send(method: string, path: string, body?: object) {
    const response = await call(docent, docent.adminKey, method, path, body);
    const text = await response.text();
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
    return text === '' ? undefined : JSON.parse(text);
  }
  /** Tells the server as GitHub does. */
  async function deliver(event: 'push' | 'pull_request', message: object): Promise<void> {
    const body = JSON.stringify({ ...message, repository: { full_name: fullName } });
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
    deliveries += 1;
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': `${slug}-${deliveries}`,
      'x-hub-signature-256': `sha256=${signature}`,
    };
    const response = await fetch(hook.url, { method: 'POST', headers, body });
    expect([response.status, await response.text()]).toEqual([202, expect.any(String)]);
  }
  const deliverPull = (number: number, head: string, more: { isFork?: boolean; state?: string }) =>
    deliver('pull_request', {
      action: more.state === 'closed' ? 'closed' : 'opened',
      pull_request: {
        number,
        state: more.state ?? 'open',
        title: `Change ${head}`,
        user: { login: 'grace' },
        author_association: 'NONE',
        head: { ref: head, repo: { full_name: more.isFork ? 'stranger/docs' : fullName } },
        base: { ref: 'main' },
        updated_at: new Date().toISOString(),
      },
    });
  /** Pushes a change as the head of a pull request; of a fork, the repository has no branch. */
  function openPull(number: number, head: string, files: Record<string, string>, isFork = false) {
    repository.git('checkout', '-q', '-B', head, 'main');
    const sha = repository.push(files, `Change ${head}`);
    repository.setRef(`refs/pull/${number}/head`, sha);
    if (isFork) repository.setRef(`refs/heads/${head}`, null);
    repository.git('checkout', '-q', 'main');
    return sha;
  }
  async function startSite(name: string): Promise<void> {
    // Another one if the test is repeated.
    slug = `${name}-${Date.now()}`;
    fullName = `acme/${slug}`;
    github.installed.push(fullName);
    github.comments.length = 0;
    repository = server.createRepository(fullName);
    repository.push(
      {
        'docs/docs.json': DOCS_JSON,
        'docs/index.mdx': '# Welcome\n\nStart here.',
        'docs/guide.mdx': '# Guide\n\nOld words.',
      },
      'Write the first pages',
    );
    await send('POST', '/v1/projects', { slug });
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const comment = () => github.comments[0]?.text ?? '';
  const statesOf = (sha: string) =>
    github.statuses.filter((status) => status.sha === sha).map(({ state }) => state);
  const linkIn = (text: string, label: string) =>
    new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(text)?.[1] ?? '';
  /** Waits until the comment says something; there is never another. */
  async function commentWith(text: string): Promise<void> {
    await expect.poll(comment, { timeout: 120_000 }).toContain(text);
    expect(github.comments).toHaveLength(1);
  }
  async function expectLive(message: string): Promise<void> {
    await until(async () => {
      const { items } = await send('GET', `/v1/projects/${slug}/deployments`);
      return items.some(
        (item: { commit?: { message: string } }) => item.commit?.message === message,
      )
        ? true
        : undefined;
    });
    await openDashboard(page, `${home}/${slug}/deployments`);
    await row(message).getByText('Live', { exact: true }).waitFor({ timeout: 120_000 });
  }
  /** Opens the preview by the link in the comment, and reads the list in its bar. */
  async function changedPages(): Promise<{ preview: Page; address: string; changed: string[] }> {
    const address = linkIn(comment(), 'Open the preview');
    const preview = await (await browser.newContext()).newPage();
    await preview.goto(address);
    await preview.locator('.d-draft summary').click();
    const items = preview.locator('.d-draft li bdi');
    await items.first().waitFor();
    return { preview, address, changed: await items.allTextContents() };
  }
  async function expectGone(address: string): Promise<void> {
    await commentWith('the pull request is closed, and its preview has ended.');
    expect(comment()).not.toContain(address);
    await expect.poll(async () => (await fetchLocal(address)).status).toBe(404);
  }

  it('are connected in the dashboard; a push goes live, and a pull request has its preview until it is closed', async () => {
    await startSite('walk');
    const url = `${docent.apiUrl}/v1/github-apps/${appId}/webhook`;
    hook = { url, secret: APP_WEBHOOK_SECRET };
    await openDashboard(page, `${home}/${slug}/git`);
    await button('Connect repository').first().click();
    await page.getByLabel('Credentials').selectOption('github_app');
    await page.getByLabel('Repository', { exact: true }).selectOption({ label: fullName });
    await page.getByLabel('Folder').fill('docs');
    await page.getByText('More settings').click();
    await page.getByLabel('Git host').selectOption('github');
    await page.getByLabel('Who can read pull request previews').selectOption('public');
    await page.getByLabel('Fail the check on').selectOption('links');
    await button('Connect').click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await button('Create webhook secret').click();
    await page.getByText('It is shown only once.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('No delivery was accepted yet').waitFor();
    await expectLive('Write the first pages');

    repository.push({ 'docs/guide.mdx': '# Guide\n\nNew words.' }, 'Improve the guide');
    await deliver('push', { ref: 'refs/heads/main' });
    await expectLive('Improve the guide');

    const sha = openPull(7, 'better', {
      'docs/guide.mdx': '# Guide\n\nNew words.\n\nSee [nothing](/nowhere).',
    });
    await deliverPull(7, 'better', {});
    await commentWith('Open the preview');
    expect(comment()).toContain('the preview is ready, with 1 new problem.');
    expect(comment()).toContain('Changed pages (1):');
    expect(comment()).toContain(sha.slice(0, 7));
    const run = () => github.checkRuns.findLast(({ head_sha }) => head_sha === sha);
    await expect.poll(() => run()?.conclusion).toBe('failure');
    expect(run()).toMatchObject({
      name: `docent/${slug}`,
      details_url: linkIn(comment(), 'Details'),
      annotations: [{ path: 'docs/guide.mdx', start_line: 5, message: /\/nowhere/ }].map(
        (item) => ({
          ...item,
          message: expect.stringMatching(item.message),
        }),
      ),
    });

    const { preview, address, changed } = await changedPages();
    expect(changed).toEqual(['/guide']);
    await preview.getByRole('link', { name: '/guide' }).click();
    await preview.getByText('See nothing').waitFor();
    const [next, live] = [linkIn(comment(), 'preview'), linkIn(comment(), 'live')];
    expect(next).toBe(`${address}/guide`);
    expect(await (await fetchLocal(live)).text()).toContain('New words');
    await preview.context().close();
    await openDashboard(page, linkIn(comment(), 'Details'));
    await page.getByRole('heading', { name: 'Change better', level: 1 }).waitFor();

    await deliverPull(7, 'better', { state: 'closed' });
    await expectGone(address);
    await openDashboard(page, `${home}/${slug}/previews`);
    await page.getByRole('heading', { name: 'Previews', level: 1 }).waitFor();
    await expect.poll(() => page.getByText('pr-7').count()).toBe(0);
    expect(refused).toEqual([]);
    // A page that is left stops loading.
    expect(faults.filter((fault) => !fault.includes('net::ERR_ABORTED'))).toEqual([]);
  });

  it('show a pull request from a fork once somebody has approved its commit', async () => {
    await startSite('fork');
    const token = `ghp_${slug}`;
    github.tokens.push({ token, repositories: undefined, permissions: {} });
    const sources = `/v1/projects/${slug}/sources`;
    const { id } = await send('POST', sources, {
      url: repository.url,
      folder: 'docs',
      provider: 'github',
      previews: 'public',
      credentials: { kind: 'token', token },
    });
    hook = await send('POST', `${sources}/${id}/webhook-secret`);
    await expectLive('Write the first pages');
    const sha = openPull(8, 'strange', { 'docs/guide.mdx': '# Guide\n\nStrange words.' }, true);
    await deliverPull(8, 'strange', { isFork: true });
    await commentWith('an editor must approve the commit of this fork');
    expect(linkIn(comment(), 'Open the preview')).toBe('');
    await expect.poll(() => statesOf(sha).at(-1)).toBe('pending');

    await openDashboard(page, linkIn(comment(), 'Details'));
    await row('#8').getByText('Waits for approval').waitFor();
    await row('#8').getByRole('button', { name: 'Approve' }).click();
    const question = page.getByRole('dialog');
    await question.getByText(`The commit ${sha.slice(0, 7)} of grace comes from a fork.`).waitFor();
    await question.getByRole('button', { name: 'Build preview' }).click();
    await commentWith('the preview is ready.');
    await expect.poll(() => statesOf(sha).at(-1)).toBe('success');
    const { preview, address, changed } = await changedPages();
    expect(changed).toEqual(['/guide']);
    await preview.getByRole('link', { name: '/guide' }).click();
    await preview.getByText('Strange words.').waitFor();
    await preview.context().close();

    await deliverPull(8, 'strange', { isFork: true, state: 'closed' });
    await expectGone(address);
    expect(refused).toEqual([]);
  });
});
