import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { type EchoSocket, startEchoSocket } from '../support/echo-socket.ts';
import { publishArchive, tarball } from '../support/http.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts';
import { proxiedSite } from '../support/playground-sites.ts';
import { type ShopApi, startShopApi } from '../support/shop-api.ts';
import { type RunningBundleServer, startBundleServer } from '../support/start-bundle-server.ts';
import { type RunningDev, startDev } from '../support/start-dev.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 400_000 });

const PAGE = 'api-reference/add-a-pet';
const ALLOWED = { DOCENT_ALLOWED_PRIVATE_RANGES: '127.0.0.1/32', DOCENT_LOG_LEVEL: 'info' };

describe.skipIf(chromiumPath === '')('the API playground with a proxy', () => {
  let docent: RunningDocent;
  let dev: RunningDev;
  let bundle: RunningBundleServer;
  let browser: Browser;
  let api: ShopApi;
  let oauth: OAuthServer;
  let socket: EchoSocket;
  let folder: string;
  let disk: string;
  beforeAll(async () => {
    [browser, api, oauth, socket, docent] = await Promise.all([
      sharedBrowser(),
      startShopApi(),
      startOAuthServer(),
      startEchoSocket(),
      startDocent({ env: ALLOWED }),
    ]);
    folder = await proxiedSite(api.port, oauth.port, socket.port);
    await publishArchive(docent, 'pets', tarball(folder));
    const archive = join(await temporaryFolder(), 'pets.tar.gz');
    const made = await runDocent(['export', folder, '--out', archive]);
    expect(made.code, made.stderr).toBe(0);
    disk = await temporaryFolder();
    execFileSync('tar', ['-xzf', archive, '-C', disk]);
    process.env.DOCENT_ALLOWED_PRIVATE_RANGES = '127.0.0.1/32';
    [bundle, dev] = await Promise.all([
      startBundleServer(archive, { args: ['--playground-proxy'], env: ALLOWED }),
      startDev(folder),
    ]);
  });
  afterAll(async () => {
    delete process.env.DOCENT_ALLOWED_PRIVATE_RANGES;
    api?.close();
    oauth?.close();
    socket?.close();
    await closeContexts(browser);
    await Promise.all([docent?.stop(), dev?.stop(), bundle?.stop()]);
    await removeTemporaryFolders();
  });
  beforeEach(() => {
    api.requests.length = 0;
    oauth.visits.length = 0;
  });

  const onSite = (): string => `http://pets.localhost:${docent.port}/${PAGE}`;

  async function open(address: string): Promise<{ page: Page; form: Locator; faults: string[] }> {
    const { page, faults } = await openPage(browser, address);
    await page.locator('[data-playground-open]').click();
    const form = page.locator('dialog.d-pg');
    await form.waitFor();
    return { page, form, faults };
  }

  async function send(form: Locator): Promise<string> {
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('.d-pg-status, .d-pg-failure').waitFor();
    return form.locator('.d-pg-answer').innerText();
  }

  test.each([
    ['a live site', () => onSite()],
    ['docent dev', () => `${dev.url}/${PAGE}`],
    ['serve-bundle', () => `${bundle.url}/${PAGE}`],
  ])('shows the response of an API that does not allow other origins: %s', async (_, address) => {
    const { page, form, faults } = await open(address());
    await expect
      .poll(() => form.locator('.d-pg-answer').innerText())
      .toContain('The server of this documentation');
    await form.getByLabel('Authorization', { exact: true }).selectOption('sid (cookie)');
    await form.getByLabel('sid cookie').fill('s3cret');
    await expect.poll(() => form.locator('.d-pg-warning').isVisible()).toBe(false);
    const answer = await send(form);
    expect(answer).toContain('200');
    expect(answer).toContain('secret');
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]).toMatchObject({
      method: 'POST',
      url: '/closed/pets',
      body: expect.stringContaining('Ada'),
    });
    expect(api.requests[0]?.headers.cookie).toBe('sid=s3cret');
    expect(answer).not.toContain('Only the beginning is shown');
    // Chromium reports a streamed response as aborted if a script reads its end before the network
    // service reports its completion.
    const abortedAtEnd = `failed: POST ${new URL('/_docent/playground', address()).href} (net::ERR_ABORTED)`;
    expect(faults.filter((fault) => fault !== abortedAtEnd)).toEqual([]);
    await page.context().close();
  });

  test('calls the API directly from the disk', async () => {
    const { page, form } = await open(pathToFileURL(join(disk, `${PAGE}.html`)).href);
    await expect
      .poll(() => form.locator('.d-pg-answer').innerText())
      .toContain('Your browser calls the API directly');
    expect(await send(form)).toContain('(CORS)');
    await page.context().close();
  });

  test('logs a call without its path and its credentials', async () => {
    const { page, form } = await open(onSite());
    await form.getByLabel('Authorization', { exact: true }).selectOption('sid (cookie)');
    await form.getByLabel('sid cookie').fill('never-logged');
    await send(form);
    await page.context().close();
    await vi.waitFor(() => expect(docent.log()).toMatch(/API call of a reader/));
    expect(docent.log()).not.toMatch(/never-logged|closed\/pets/);
  });

  test('gets a token by signing in, and keeps it out of addresses and persistent storage', async () => {
    const { page, form } = await open(onSite());
    await form.locator('summary', { hasText: 'Get a token' }).click();
    await form.getByLabel('Client ID').fill('reader');
    const redirect = `http://pets.localhost:${docent.port}/_docent/oauth.html`;
    await expect.poll(() => form.getByText(redirect).isVisible()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Get a token' }).click();
    await form.getByText('A token was received and filled in.').waitFor();
    const asked = oauth.visits[0]?.searchParams;
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      response_type: 'code',
      client_id: 'reader',
      redirect_uri: redirect,
      scope: 'pets:read',
      code_challenge_method: 'S256',
    });
    await send(form);
    expect(api.requests.at(-1)?.headers.authorization).toBe('Bearer token-of-reader');
    expect(page.context().pages()).toHaveLength(1);
    await expect.poll(() => page.url()).not.toContain('token');
    await expect
      .poll(() => page.evaluate('JSON.stringify(localStorage) + document.cookie'))
      .not.toContain('token-of-reader');
    const keys = (await page.evaluate('Object.keys(sessionStorage)')) as string[];
    expect(keys).toContain(`docent.playground http://pets.localhost:${docent.port}/`);
    await page.context().close();
  });

  test('ignores an authorization code with a foreign state', async () => {
    const { page, form } = await open(onSite());
    await form.locator('summary', { hasText: 'Get a token' }).click();
    await form.getByLabel('Client ID').fill('forged');
    let calls = 0;
    const isCall = (request: Request) =>
      request.method() === 'POST' && !request.url().endsWith('/_docent/events');
    page.on('request', (request) => (calls += isCall(request) ? 1 : 0));
    // The redirect page closes its window once it has passed on the result.
    const closed = page
      .context()
      .waitForEvent('page')
      .then((popup) => popup.waitForEvent('close').then(() => popup.url()));
    await form.getByRole('button', { name: 'Get a token' }).click();
    expect(await closed).toBe(`http://pets.localhost:${docent.port}/_docent/oauth.html`);
    expect(oauth.visits.map((visit) => visit.searchParams.get('client_id'))).toEqual(['forged']);
    await send(form);
    // An accepted code would have been exchanged by an earlier call.
    expect(calls).toBe(1);
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    await expect
      .poll(() => form.getByText('Waiting for the sign-in window').isVisible())
      .toBe(true);
    await expect.poll(() => form.getByLabel('Authorization header: Bearer').inputValue()).toBe('');
    await page.context().close();
  });

  test('gets a token with client credentials, and reports wrong ones', async () => {
    const { page, form } = await open(onSite());
    await form.locator('summary', { hasText: 'Get a token' }).click();
    await form.getByLabel('Get a token').selectOption('Client credentials');
    await form.getByLabel('Client ID').fill('shop');
    await form.getByLabel('Client secret').fill('wrong');
    await form.getByRole('button', { name: 'Get a token' }).click();
    await form.getByText('No token was received: invalid_grant').waitFor();
    await form.getByLabel('Client secret').fill('hush');
    await form.getByRole('button', { name: 'Get a token' }).click();
    await form.getByText('A token was received and filled in.').waitFor();
    await expect
      .poll(() => form.getByLabel('Authorization header: Bearer').inputValue())
      .toBe('token-of-client pets:read');
    await page.context().close();
  });

  test.each([
    ['on the site', () => `http://pets.localhost:${docent.port}/chat`],
    ['from the disk', () => pathToFileURL(join(disk, 'chat.html')).href],
  ])(
    'connects to a channel, sends its example, shows the messages, and disconnects: %s',
    async (_, address) => {
      const { page, form } = await open(address());
      await expect
        .poll(() => form.locator('.d-pg-url').innerText())
        .toBe(`ws://127.0.0.1:${socket.port}/rooms/blue?limit=5`);
      const sendMessage = form.getByRole('button', { name: 'Send', exact: true });
      await expect.poll(() => sendMessage.isDisabled()).toBe(true);
      await form.getByRole('button', { name: 'Connect', exact: true }).click();
      await form.getByText('Connected', { exact: true }).waitFor();
      await form.getByText('/rooms/blue?limit=5').last().waitFor();
      await expect
        .poll(() => form.locator('.d-pg-log li').first().innerText())
        .toContain('"protocol": "chat.v1"');
      await expect
        .poll(() => form.getByLabel('Message', { exact: true }).last().inputValue())
        .toContain('"text": "Hi"');
      await sendMessage.click();
      await form.locator('.d-pg-log').getByText('echo').waitFor();
      await expect.poll(() => form.locator('.d-pg-log li').allInnerTexts()).toHaveLength(3);
      expect(await seriousFindings(page)).toEqual([]);
      await form.getByRole('button', { name: 'Disconnect' }).click();
      await form.getByText('Disconnected (1000)').waitFor();
      await page.context().close();
    },
  );

  test('reports a channel that cannot be reached', async () => {
    const { page, form } = await open(`http://pets.localhost:${docent.port}/chat`);
    await form.getByLabel('Server', { exact: true }).selectOption('Another address');
    await form.getByLabel('Another address').fill('ws://127.0.0.1:9/');
    await form.getByRole('button', { name: 'Connect', exact: true }).click();
    await form.getByText('The connection to 127.0.0.1:9 failed.').waitFor();
    await page.context().close();
  });
});
