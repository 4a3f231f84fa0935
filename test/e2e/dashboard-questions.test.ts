import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
  signUp,
} from '../support/browser.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { canServeGit, type GitServer, startGitServer } from '../support/git-server.ts';
import { call, publishArchive, tarball, until } from '../support/http.ts';
import { linksIn, startSmtpServer } from '../support/smtp-server.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

const DRAFT = '# Paint the mast\n\nPaint it on a dry day.\n';
const MISSING = 'This documentation does not say that.\n<!-- status: not_in_docs -->';

const HUB = 'How do I leave a hub?';
const NAMED = 'Choose Leave.\n<!-- status: answered -->';

/** What an owner sees of the questions of readers, and makes of them. */
describe.skipIf(chromiumPath === '' || !canServeGit)('the questions of readers', () => {
  let docent: RunningDocent & { setupUrl: string };
  let model: FakeOpenAi;
  let mail: Awaited<ReturnType<typeof startSmtpServer>>;
  let git: GitServer;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let home = '';
  /** Each attempt asks another question. */
  let subject = '';

  beforeAll(async () => {
    [model, mail, git] = await Promise.all([
      startFakeOpenAi([]),
      startSmtpServer(),
      startGitServer(),
    ]);
    model.answer = ({ messages }) => {
      const isDraft = String(messages[0]?.content).includes('first draft of a page');
      if (String(messages.at(-1)?.content).includes(HUB))
        return [
          { text: JSON.stringify(messages).includes('Name the button') ? NAMED : 'Leave it.' },
        ];
      return [{ text: isDraft ? DRAFT : MISSING }];
    };
    const env = {
      DOCENT_MODEL: 'openai-compatible:fake',
      DOCENT_MODEL_URL: model.url,
      DOCENT_SMTP_URL: `smtp://${mail.host}`,
      DOCENT_MAIL_FROM: 'docs@acme.example',
      DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32,::1/128',
      GIT_SSL_CAINFO: process.env.GIT_SSL_CAINFO ?? '',
    };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    home = `${await signUp(page, docent)}/docent`;
  });
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await Promise.all([model?.close(), mail?.stop(), git?.close()]);
    await removeTemporaryFolders();
  });

  const send = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    call(docent, docent.adminKey, method, path, body);
  const sheet = (): Locator => page.getByRole('dialog', { name: 'Question' });
  const button = (name: string, on: Page | Locator = page) =>
    on.getByRole('button', { name, exact: true });

  /** A page that is left loads no further, and a page that does not exist is one of the tests. */
  const unexpected = () => faults.filter((fault) => !/ERR_ABORTED|status of 40[04]/.test(fault));

  /** Asks as a reader on the site, and returns the page with the panel. */
  async function askOnSite(question: string): Promise<Page> {
    const { page: reader } = await openPage(browser, `http://docent.localhost:${docent.port}/`);
    const detail = JSON.stringify({ question });
    await reader.evaluate(
      `document.dispatchEvent(new CustomEvent('docent:ask', { detail: ${detail} }))`,
    );
    await reader.getByText('This documentation does not say that.').last().waitFor();
    return reader;
  }
  async function openQuestion(question: string): Promise<void> {
    await openDashboard(page, `${home}/questions`);
    await page.getByRole('button', { name: question, exact: true }).click();
    await sheet().waitFor();
  }

  it('lead to a message for the reader who left an address, once an owner names the page', async () => {
    subject = `mast-${Date.now()}`;
    const question = `How do I paint the ${subject}?`;
    const closed = await askOnSite(question);
    expect(await closed.getByLabel('E-mail address').count()).toBe(0);
    await closed.context().close();
    await openDashboard(page, `${home}/assistant`);
    await page.getByLabel('Let readers leave an e-mail address').check();
    await button('Save changes').click();
    await until(async () => {
      const settings = await send('GET', '/v1/project/docent/assistant-settings');
      return ((await settings.json()) as { tellsReaders: boolean }).tellsReaders || undefined;
    });

    const reader = await askOnSite(question);
    const field = reader.getByLabel('E-mail address');
    await field.waitFor();
    expect(await reader.locator('.wait').textContent()).toContain('after 90 days at the latest');
    expect(await seriousFindings(reader)).toEqual([]);
    await field.fill('reader@example.org');
    await reader.locator('.wait').getByRole('button', { name: 'Send' }).click();
    await button('Delete my address', reader).click();
    await field.waitFor();
    await field.fill('reader@example.org');
    await field.press('Enter');
    await button('Delete my address', reader).waitFor();

    await openQuestion(question);
    await sheet().getByText('1 reader left an address').waitFor();
    await sheet().getByLabel('Page that answers it').fill('/no-such-page');
    await button('Tell them', sheet()).click();
    await sheet().getByText('The live site has no such page.').waitFor();
    await sheet().getByLabel('Page that answers it').fill('/quickstart');
    expect(await seriousFindings(page)).toEqual([]);
    await button('Tell them', sheet()).click();
    await sheet().getByText('1 reader will be told.').waitFor();
    const message = await until(async () =>
      mail.mails.find(({ to }) => to.includes('reader@example.org')),
    );
    const [answer, forget] = linksIn(message.text);
    expect(answer).toContain('/quickstart');
    await reader.goto(forget as string);
    await button('Delete my address', reader).click();
    await reader.getByRole('heading', { name: 'Your address is deleted' }).waitFor();
    await reader.context().close();
    expect(unexpected()).toEqual([]);
  });

  it('become a test, and a draft that is added to the repository of the site', async () => {
    subject = `rotor-${Date.now()}`;
    const question = `How do I paint the ${subject}?`;
    const name = `acme/${subject}`;
    const repository = git.createRepository(name);
    repository.git('--git-dir', repository.bare, 'config', 'http.receivepack', 'true');
    repository.push({ 'docs/index.mdx': '# Welcome' });
    await (await askOnSite(question)).context().close();
    const { items } = (await (await send('GET', '/v1/projects/docent/sources')).json()) as {
      items: { id: string }[];
    };
    const source = { url: repository.url, folder: 'docs', automatic: false, previews: 'none' };
    const credentials = { kind: 'token', token: 's3cret' };
    const [existing] = items;
    const change = { ...source, provider: 'gitea', branch: 'main', credentials };
    await send(
      existing ? 'PATCH' : 'POST',
      `/v1/projects/docent/sources${existing ? `/${existing.id}` : ''}`,
      change,
    );

    await openQuestion(question);
    const entry = sheet().getByLabel('Another page');
    await entry.fill('quickstart');
    await sheet().getByText('pages: ["quickstart"]').waitFor();
    await sheet().getByText('Draft a page that answers it').click();
    await button('Write a draft', sheet()).click();
    await sheet().getByText('Paint it on a dry day').waitFor();
    await sheet().getByLabel('Path of the new file').fill('../outside.mdx');
    await button('Add to the repository', sheet()).click();
    await sheet().getByText('must be the path of a new .mdx or .md file').waitFor();
    await sheet().getByLabel('Path of the new file').fill(`guides/${subject}.mdx`);
    await button('Add to the repository', sheet()).click();
    await sheet().getByText(`Added docs/guides/${subject}.mdx`).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const branches = repository.git(
      '--git-dir',
      repository.bare,
      'branch',
      '--format=%(refname:short)',
    );
    const branch = branches.split('\n').find((ref) => ref.startsWith('docent/draft-'));
    expect(
      repository.git('--git-dir', repository.bare, 'show', `${branch}:docs/guides/${subject}.mdx`),
    ).toContain('Paint it on a dry day');
    expect(unexpected()).toEqual([]);
  });

  it('are what an owner tries other instructions with, before they are saved', async () => {
    const folder = await temporaryFolder();
    const files = {
      'docs.json': JSON.stringify({
        theme: 'mint',
        name: 'Tried',
        colors: { primary: '#4f46e5' },
        navigation: { pages: ['hub'] },
      }),
      'hub.mdx': '---\ntitle: Leave a hub\n---\n\nTo leave a hub, open it and choose Leave.\n',
      'questions.yaml': `questions:\n  - question: ${HUB}\n    pages: [hub]\n    words: [choose Leave]\n`,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await publishArchive(docent, 'tried', tarball(folder));
    await openDashboard(page, `${home.replace(/docent$/, 'tried')}/assistant`);
    await page.getByLabel('Instructions', { exact: true }).fill('Name the button.');
    await button('Try instructions with the test questions').click();
    await page.getByText('Answers 1 more, loses 0: 1 of 1 question answered').waitFor();
    await page.getByText(`+ ${HUB}`).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const settings = await send('GET', '/v1/project/tried/assistant-settings');
    expect(await settings.json()).toMatchObject({ instructions: null });
    expect(unexpected()).toEqual([]);
  });
});
