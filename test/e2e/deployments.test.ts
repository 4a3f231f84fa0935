import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { canServeGit, type GitServer, startGitServer } from '../support/git-server.ts';
import { fixtureSite, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

/** What a team sees that publishes from Git, in this order. */
describe.skipIf(chromiumPath === '')('the deployments of a site in the dashboard', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let folder: string;
  let site: string;
  let repositories: GitServer | undefined;

  const git = (...args: string[]) =>
    spawnSync('git', [
      '-C',
      folder,
      '-c',
      'user.name=Grace Hopper',
      '-c',
      'user.email=grace@acme.example',
      ...args,
    ]);
  /** Publishes the folder as it is after a commit. */
  const publish = async (message: string, ...args: string[]) => {
    git('add', '.');
    git('commit', '-qm', message, '--allow-empty');
    const env = { DOCENT_DATA: docent.dataFolder, GITHUB_ACTIONS: '', GITLAB_CI: '' };
    return runDocent(['publish', folder, '--site', 'acme', '--json', ...args], env);
  };
  const write = (text: string) =>
    writeFile(
      join(folder, 'guides/install.mdx'),
      `---\ntitle: Install\n---\n\nRun the command.\n\n${text}\n`,
    );

  beforeAll(async () => {
    // Before the server, which gets to know its certificate.
    repositories = canServeGit ? await startGitServer() : undefined;
    const env = {
      DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000',
      DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
    };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    page.setDefaultTimeout(20_000);
    folder = await temporaryFolder();
    spawnSync('cp', ['-r', `${fixtureSite('small')}/.`, folder]);
    git('init', '-qb', 'main');
    git('remote', 'add', 'origin', 'https://github.com/acme/docs.git');
    await openDashboard(page, docent.setupUrl);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long passphrase');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
    site = `${page.url()}/acme`;
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await repositories?.close();
    await removeTemporaryFolders();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ has: link(name) });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const shot = async (name: string) => {
    const target = process.env.SHOTS;
    if (!target) return;
    await mkdir(target, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: join(target, `${name}-${width}-${colorScheme}.png`) });
      }
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1280, height: 720 });
  };

  it('are called by the message of their commit, with author, commit and changed pages, and their preview', async () => {
    await write('Install version 1 with the package manager.');
    expect((await publish('Start the documentation')).code).toBe(0);
    await write('Install version 2 with the package manager.');
    await writeFile(join(folder, 'new.mdx'), '---\ntitle: New\n---\n\nA page.\n');
    await publish('Explain version 2 <b>properly</b>');
    await write('Install version 3 with the package manager.');
    await publish('Try version 3', '--preview', 'feature/three');
    await openDashboard(page, `${site}/deployments`);
    const live = row('Explain version 2 <b>properly</b>');
    const sha = spawnSync('git', ['-C', folder, 'rev-parse', '--short=7', 'HEAD~1'], {
      encoding: 'utf8',
    }).stdout.trim();
    await live.getByText('Live').waitFor();
    const text = (await live.innerText()).replaceAll(/\s+/g, ' ');
    for (const part of ['Grace Hopper', `main@${sha}`, '1 page changed'])
      expect(text).toContain(part);
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await expect.poll(() => page.getByText('Try version 3').count()).toBe(0);
    await shot('list');
    await link('Previews').last().click();
    await row('Try version 3').getByText('Preview feature/three').waitFor();
    await expect.poll(() => row('Try version 3').getByText('In preview').count()).toBe(1);
    await link('All').click();
    await row('Start the documentation').waitFor();
    await page.getByLabel('Search deployments').fill('THREE');
    await row('Start the documentation').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await expect.poll(() => new URL(page.url()).search).toBe('?show=all&q=THREE');
    expect(await seriousFindings(page)).toEqual([]);
    await shot('found');
  });

  it('show where they can be seen, and link each changed page to what changed in it', async () => {
    await link('Try version 3').click();
    await heading('Try version 3').waitFor();
    await expect
      .poll(() => link('Open preview').getAttribute('href'))
      .toContain('feature-three--acme');
    await expect.poll(() => button('Promote').isVisible()).toBe(true);
    await shot('preview');
    await link('/guides/install').click();
    await page.getByText('Install version').first().waitFor();
    const marked = await page.locator('mark').allInnerTexts();
    expect(marked).toEqual(['2', '3']);
    expect(await seriousFindings(page)).toEqual([]);
    await shot('compare');
    await link('Swap').click();
    await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['3', '2']);
  });

  it('are compared with any other one', async () => {
    await openDashboard(page, `${site}/deployments`);
    await row('Start the documentation')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Compare with another' }).click();
    await page
      .getByText('Choose the deployment to compare “Start the documentation” with.')
      .waitFor();
    await link('Compare with Try version 3').click();
    await heading('Compare deployments').waitFor();
    await expect.poll(() => page.locator('mark').allInnerTexts()).toEqual(['3', '1']);
  });

  it('of a preview with a password come from files dropped here, are opened, promoted after a question, and rolled back', async () => {
    await openDashboard(page, `${site}/previews`);
    await button('Create preview').click();
    await page.getByLabel('Branch or name').fill('dropped');
    await button('Create preview').click();
    await page
      .getByText('Drop a folder or an archive, or use the last source of the site.')
      .waitFor();
    const archive = {
      name: 'docs.tar.gz',
      mimeType: 'application/gzip',
      buffer: tarball(fixtureSite('small')),
    };
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive);
    await page.getByLabel('Who can read it').selectOption('password');
    await page.getByLabel('Password').fill('correct horse');
    expect(await seriousFindings(page)).toEqual([]);
    await shot('new-preview');
    await button('Create preview').click();
    await heading('Uploaded by Ada Lovelace').waitFor();
    await page.getByText('In preview', { exact: true }).waitFor();
    const deployment = page.url();
    const address = (await link('Open preview').getAttribute('href')) as string;
    const preview = await (await browser.newContext()).newPage();
    await preview.goto(`${address}/guides/install`);
    await preview.getByLabel('Password').fill('correct horse');
    await preview.getByRole('button', { name: 'Continue' }).click();
    await preview.getByRole('heading', { name: 'Install', level: 1 }).waitFor();

    await openDashboard(page, `${site}/previews`);
    await page.getByText('Uploaded by Ada Lovelace').waitFor();
    await shot('previews');
    await button('Change the preview of dropped').click();
    await page.getByLabel('Who can read it').selectOption('members');
    await button('Save').click();
    await page.getByText('members', { exact: true }).waitFor();
    await preview.goto(address);
    await preview.getByRole('heading', { name: 'This preview is for members' }).waitFor();
    const signIn = (await preview.getByRole('link').getAttribute('href')) as string;
    await preview.context().close();
    const mine = await page.context().newPage();
    await mine.goto(signIn);
    await mine.waitForURL(`${address}/`);
    await mine.getByRole('heading', { level: 1 }).first().waitFor();
    await mine.close();

    await openDashboard(page, deployment);
    await button('Promote').click();
    await page.getByText('can then read it', { exact: false }).waitFor();
    await button('Promote to the live site').click();
    await link('Visit').waitFor();
    await openDashboard(page, `${site}/deployments`);
    const before = row('Explain version 2 <b>properly</b>');
    await before.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
    await before.getByText('Live').waitFor();
  });

  it('with errors are amber and counted, on the overview too, and can be built again after a failure', async () => {
    await writeFile(
      join(folder, 'guides/install.mdx'),
      '---\ntitle: Install\nopenapi: GET /nowhere\n---\n',
    );
    await publish('Break a page');
    await openDashboard(page, `${site}/deployments`);
    await row('Break a page')
      .getByText(/^\d+ errors?$/)
      .waitFor();
    await link('Break a page').click();
    await heading('Break a page').waitFor();
    await page.getByText('Unknown operation', { exact: true }).waitFor();
    await shot('errors');
    await link('Overview').first().click();
    await page.getByText(/^Live, \d+ errors?$/).waitFor();
    await writeFile(join(folder, 'docs.json'), '{ "name": ');
    await publish('Break the settings');
    await openDashboard(page, `${site}/deployments`);
    await link('Break the settings').click();
    await heading('Break the settings').waitFor();
    const failure = await page.locator('main').innerText();
    expect(failure.split('docs.json').length - 1, failure).toBeLessThanOrEqual(3);
    await expect.poll(() => page.getByText('Why it failed').isVisible()).toBe(true);
    await shot('failed');
    const before = page.url();
    await button('Publish again').click();
    await expect.poll(() => page.url()).not.toBe(before);
    await page.getByText('Failed', { exact: true }).waitFor();
    // A page that is left stops loading.
    expect(faults.filter((fault) => !fault.includes('net::ERR_ABORTED'))).toEqual([]);
  });

  it('of many, half of them of previews, are listed apart, page by page, and each only once', async () => {
    const broken = await temporaryFolder();
    await writeFile(join(broken, 'docs.json'), '{');
    const archive = tarball(broken);
    for (let round = 0; round < 64; round++) {
      const target =
        round % 2 === 0 ? `message=Live%20${round}` : `message=Draft%20${round}&preview=flux`;
      const answer = await fetch(`${docent.apiUrl}/v1/project/acme/source?${target}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/gzip' },
        body: archive,
      });
      expect(answer.status).toBe(202);
    }
    await openDashboard(page, `${site}/deployments`);
    const messages = () => page.getByRole('link', { name: /^(?:Live|Draft) \d+$/ }).allInnerTexts();
    const ofKind = (word: string, from: number) =>
      Array.from({ length: 32 }, (_, index) => `${word} ${62 - 2 * index + from}`);
    await expect.poll(async () => (await messages()).length).toBe(25);
    await button('Show more').click();
    await expect.poll(messages).toEqual(ofKind('Live', 0));
    await link('Previews').last().click();
    await row('Draft 63').waitFor();
    await expect.poll(() => page.getByText('Preview flux').count()).toBe(25);
    await button('Show more').click();
    await expect.poll(messages).toEqual(ofKind('Draft', 1));
    await shot('many');
  });

  it.skipIf(!canServeGit)(
    'come from the repository that the site is connected with: what is pushed is live',
    async () => {
      // A site of its own, also if the test is repeated.
      const slug = `handbook-${Date.now()}`;
      const handbook = site.replace(/acme$/, slug);
      const docs = (repositories as GitServer).createRepository(slug);
      const config = {
        name: 'Handbook',
        theme: 'mint',
        colors: { primary: '#0a0' },
        navigation: { pages: ['index'] },
      };
      const first = docs.push(
        { 'docs/docs.json': JSON.stringify(config), 'docs/index.mdx': '# Handbook' },
        'Write the handbook',
      );
      await openDashboard(page, site.replace(/acme$/, 'settings/new-site'));
      await button('Connect it').click();
      await page.getByLabel('Repository').fill(docs.url);
      expect(await page.getByLabel('Identifier').inputValue()).toBe(slug);
      expect(await seriousFindings(page)).toEqual([]);
      await button('Create site and continue').click();
      await page.getByLabel('Folder').fill('docs');
      expect(await page.getByLabel('Address').inputValue()).toBe(docs.url);
      expect(await seriousFindings(page)).toEqual([]);
      await button('Connect').click();
      await page.getByText(first.slice(0, 7)).waitFor({ timeout: 60_000 });
      await openDashboard(page, `${handbook}/deployments`);
      await row('Write the handbook').getByText('Live').waitFor({ timeout: 120_000 });
      const second = docs.push({ 'docs/index.mdx': '# Handbook\n\nMore.' }, 'Extend the handbook');
      await openDashboard(page, `${handbook}/git`);
      await page.getByText('Connected', { exact: true }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await shot('git');
      await button('Check now').click();
      await page.getByText('The repository can be read').waitFor();
      await page.getByText(second.slice(0, 7)).waitFor({ timeout: 60_000 });
      await openDashboard(page, `${handbook}/deployments`);
      await row('Extend the handbook').getByText('Live').waitFor({ timeout: 120_000 });
      const api = (repositories as GitServer).createRepository(`handbook-api-${Date.now()}`);
      api.push(
        { 'docs.json': JSON.stringify({ ...config, name: 'API' }), 'index.mdx': '# API' },
        'Describe the API',
      );
      await openDashboard(page, `${handbook}/git`);
      await button('Add repository').click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Address').fill(api.url);
      await form.getByLabel('Path').fill('api');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('At /api').waitFor();
      await page.getByText('Base of the site').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await shot('git-sources');
      await openDashboard(page, `${handbook}/deployments`);
      await row('Describe the API').getByText('Live').waitFor({ timeout: 120_000 });
      await openDashboard(page, `${handbook}/git`);
      await button('Remove').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await expect.poll(() => page.getByText('At /api').count()).toBe(0);
      await openDashboard(page, `${handbook}/git`);
      await button('Change').click();
      await page.getByLabel('Credentials').selectOption('github_app');
      await page.getByLabel('Organization at GitHub').fill('acme');
      const sent: string[] = [];
      const atGitHub = 'https://github.com/**';
      await page.route(atGitHub, async (route) => {
        const request = route.request();
        const url = new URL(request.url());
        const form = new URLSearchParams(request.postData() ?? '');
        const { redirect_url } = JSON.parse(form.get('manifest') ?? '{}');
        sent.push(`${request.method()} ${url.pathname}`);
        const location = `${redirect_url}?code=right&state=${url.searchParams.get('state')}`;
        await route.fulfill({ status: 302, headers: { location } });
      });
      let completed: Record<string, string> = {};
      const app = {
        ...{ id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD', host: 'github.com', name: 'docent-acme' },
        ...{ owner: 'acme', url: 'https://github.com/apps/docent-acme', webhookAt: null },
        installUrl: 'https://github.com/apps/docent-acme/installations/new',
        ...{ createdBy: null, createdAt: new Date().toISOString() },
      };
      const completion = '**/v1/github-apps/complete';
      await page.route(completion, (route) => {
        completed = route.request().postDataJSON();
        return route.fulfill({ status: 201, json: app });
      });
      await button('Create GitHub App').click();
      await page.getByText('docent-acme is created').waitFor({ timeout: 60_000 });
      expect(sent).toEqual(['POST /organizations/acme/settings/apps/new']);
      expect(completed).toMatchObject({ code: 'right', state: expect.stringMatching(/^.{40,}$/) });
      expect(await seriousFindings(page)).toEqual([]);
      await shot('github-app');
      await page.unroute(atGitHub);
      await page.unroute(completion);
      await page.getByText('Continue where you were').click();
      await page.getByText('Connected', { exact: true }).waitFor();
      await button('Disconnect').click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: 'Disconnect', exact: true })
        .click();
      await button('Connect repository').first().waitFor();
    },
  );

  it.skipIf(!canServeGit)(
    'say after a rollback that pushes wait, as the list of deliveries does, until somebody resumes',
    async () => {
      const env = { DOCENT_DATA: docent.dataFolder };
      const slug = `rolled-${Date.now()}`;
      const rolled = site.replace(/acme$/, slug);
      const docs = (repositories as GitServer).createRepository(slug);
      const config = { name: 'Rolled', theme: 'mint', colors: { primary: '#0a0' } };
      const navigation = { pages: ['index'] };
      const first = docs.push(
        { 'docs.json': JSON.stringify({ ...config, navigation }), 'index.mdx': '# First' },
        'Write first',
      );
      await runDocent(['publish', fixtureSite('small'), '--site', slug], env);
      const git = async (command: string, ...args: string[]) => {
        const run = await runDocent(['git', command, ...args, '--site', slug, '--json'], env);
        expect([run.code, run.stderr]).toEqual([0, run.stderr]);
        return JSON.parse(run.stdout);
      };
      /** The list shows what began before it was opened. */
      const openWith = async (sha: string) => {
        await expect.poll(async () => (await git('show')).seenSha, { timeout: 120_000 }).toBe(sha);
        await openDashboard(page, `${rolled}/deployments`);
      };
      await git('connect', docs.url);
      await openWith(first);
      await row('Write first').getByText('Live').waitFor({ timeout: 120_000 });
      const second = docs.push({ 'index.mdx': '# Second' }, 'Write second');
      await git('check');
      await openWith(second);
      await row('Write second').getByText('Live').waitFor({ timeout: 120_000 });
      await row('Write first')
        .getByRole('button', { name: /^Actions/ })
        .click();
      await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
      const notice = page.getByText('pushes are not published until you resume');
      await notice.waitFor();
      const third = docs.push({ 'index.mdx': '# Third' }, 'Write third');
      const { url, secret } = await git('webhook');
      const headers = { 'x-gitlab-token': secret, 'x-gitlab-event': 'Push Hook' };
      const sent = await fetch(url, { method: 'POST', headers, body: '{}' });
      expect(sent.status).toBe(202);
      await openDashboard(page, `${rolled}/git`);
      await page.getByText(`Commit ${third.slice(0, 7)} waits.`).waitFor({ timeout: 60_000 });
      await button('Deliveries').click();
      const deliveries = page.getByRole('dialog');
      await deliveries.getByText('pushes wait until somebody resumes').waitFor();
      await deliveries.getByText('Push Hook').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => deliveries.count()).toBe(0);
      await button('Resume').click();
      await expect.poll(() => notice.count()).toBe(0);
      await openDashboard(page, `${rolled}/deployments`);
      await row('Write third').getByText('Live').waitFor({ timeout: 120_000 });
      await expect.poll(() => notice.count()).toBe(0);
    },
  );
});
