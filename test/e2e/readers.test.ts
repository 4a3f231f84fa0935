import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { SignJWT } from 'jose';
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
import { tarball, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

const ADA = { name: 'Ada Lovelace', email: 'ada@acme.example', password: 'a long passphrase' };
const SLUG = 'readers';
const KEY = generateKeyPairSync('ed25519');
const SECRET = 'tenant-secret-4711';

/** Writes a site with pages for two groups, for everybody, and of an API at this port. */
async function siteFolder(apiPort: number): Promise<string> {
  const folder = await temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const page = (path: string, lines: string, text: string) =>
    write(`${path}.mdx`, `---\ntitle: "${path}"\n${lines}\n---\n\n${text}\n`);
  page(
    'index',
    '',
    'Welcome {user.content?.firstName ?? "reader"}.\n\n<Card title={user.content?.team ?? "Team"} href={user.content?.dashboardUrl}>Work</Card>',
  );
  page('open', '', 'Openword.');
  page('second', '', 'Secondword.');
  page('staff', 'groups: [staff]', 'Staffword.');
  page('partners', 'groups: [partners]', 'Partnerword.');
  const parameter = (name: string, place: string) => ({
    ...{ name, in: place, required: true, schema: { type: 'string' } },
  });
  const api = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: `http://localhost:${apiPort}` }],
    paths: {
      '/orders/{order}': {
        get: {
          summary: 'Get an order',
          parameters: [
            parameter('order', 'path'),
            parameter('limit', 'query'),
            parameter('X-Tenant', 'header'),
          ],
          responses: { 200: { description: 'The order.' } },
        },
      },
    },
  };
  write('openapi.json', JSON.stringify(api));
  page('call', 'openapi: "openapi.json GET /orders/{order}"', '');
  const navigation = { pages: ['index', 'open', 'second', 'staff', 'partners', 'call'] };
  const config = { theme: 'mint', name: 'Readers', colors: { primary: '#123456' }, navigation };
  write('docs.json', JSON.stringify(config));
  return folder;
}

describe.skipIf(chromiumPath === '')('the readers of a private site', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let site: string;
  let api: Server;
  let deploymentId = '';
  const called: { url: string; tenant: string | undefined }[] = [];

  /** Sends a request as the owner, and returns the answer. */
  const send = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([verb, address, text]) => {
        const headers = { 'content-type': 'application/json' };
        const init = { method: verb, ...(text !== '' && { headers, body: text }) };
        const response = await fetch(address, init);
        const answer = await response.text();
        if (!response.ok) throw new Error(answer);
        return answer === '' ? {} : JSON.parse(answer);
      },
      [method, path, body ? JSON.stringify(body) : ''] as const,
    );

  const tokenOf = (user: object) =>
    new SignJWT({ ...user })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setJti(crypto.randomUUID())
      .setExpirationTime('50s')
      .sign(KEY.privateKey);

  /** Opens a page of the site as a reader in a browser of their own. */
  async function enter(user: object, path = '/') {
    const requests: string[] = [];
    const address = `${site}/login/jwt-callback?redirect=${encodeURIComponent(path)}#${await tokenOf(user)}`;
    const { page: reader } = await openPage(browser, address, {}, (opened) =>
      opened.on('request', (request) =>
        requests.push(
          `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
        ),
      ),
    );
    await reader.waitForURL(site + path);
    return { reader, requests };
  }

  beforeAll(async () => {
    api = createServer((request, response) => {
      const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
      response.writeHead(200, { ...cors, 'content-type': 'application/json' });
      if (request.method === 'GET')
        called.push({
          url: request.url ?? '',
          tenant: request.headers['x-tenant'] as string | undefined,
        });
      response.end('{"status":"shipped"}');
    });
    api.listen(0);
    await once(api, 'listening');
    [docent, browser] = await Promise.all([
      startDocent() as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page } = await openPage(browser, docent.apiUrl));
    await signUp(page, docent, ADA);
    await send('POST', '/v1/projects', { slug: SLUG });
    const publicKey = KEY.publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const access = { visibility: 'private', jwt: { loginUrl: null, publicKey } };
    await send('PATCH', `/v1/projects/${SLUG}/access`, access);
    const { key } = await send('POST', '/v1/keys', { kind: 'admin', name: SLUG });
    const folder = await siteFolder((api.address() as AddressInfo).port);
    const upload = await fetch(`${docent.apiUrl}/v1/project/${SLUG}/source`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' },
      body: tarball(folder),
    });
    deploymentId = ((await upload.json()) as { statusId: string }).statusId;
    await until(async () => {
      const { state } = await send('GET', `/v1/projects/${SLUG}`);
      return state === 'live' ? true : undefined;
    });
    site = `http://${SLUG}.localhost:${docent.port}`;
  }, 240_000);
  afterAll(async () => {
    api?.close();
    api?.closeAllConnections();
    await closeContexts(browser);
    await docent?.stop();
    await removeTemporaryFolders();
  });

  it('begin the form of an API page with what their session says, which only their own request sends', async () => {
    const apiPlaygroundInputs = {
      path: { order: 'o-7' },
      query: { limit: '25' },
      header: { 'x-tenant': SECRET },
    };
    const { reader, requests } = await enter({ groups: [], apiPlaygroundInputs }, '/call');
    await reader.locator('[data-playground-open]').click();
    const form = reader.locator('dialog.d-pg');
    await form.waitFor();
    await expect.poll(() => form.getByLabel('X-Tenant string required').inputValue()).toBe(SECRET);
    expect(await form.getByLabel('order string required').inputValue()).toBe('o-7');
    expect(await form.getByLabel('limit string required').inputValue()).toBe('25');
    const named = () => requests.filter((line) => line.includes(SECRET));
    expect([named(), called]).toEqual([[], []]);
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('.d-pg-status').waitFor();
    expect(called).toEqual([{ url: '/orders/o-7?limit=25', tenant: SECRET }]);
    expect(named().every((line) => !line.includes(site))).toBe(true);
    const { reader: other } = await enter({ groups: [] }, '/call');
    expect(await other.content()).not.toContain(SECRET);
    await other.locator('[data-playground-open]').click();
    const empty = other.locator('dialog.d-pg').getByLabel('X-Tenant string required');
    await empty.waitFor();
    expect(await empty.inputValue()).toBe('');
  });

  it('are led by links of components to their own addresses, and by none that runs something', async () => {
    const dashboardUrl = 'https://app.acme.example/core';
    const { reader } = await enter({ content: { firstName: 'Ada', team: 'Core', dashboardUrl } });
    await reader.getByText('Welcome Ada.').waitFor();
    const link = reader.getByRole('link', { name: 'Core', exact: true });
    expect(await link.getAttribute('href')).toBe(dashboardUrl);
    const { reader: mallory } = await enter({
      content: { team: 'Core', dashboardUrl: 'javascript:alert(1)' },
    });
    await mallory.getByText('Core', { exact: true }).waitFor();
    expect(await mallory.content()).not.toContain('javascript:');
  });

  it('see the sign-in after their session was revoked, also for pages that were prefetched before', async () => {
    const { reader } = await enter({ groups: ['staff'], email: 'grace@acme.example' });
    await reader.clock.install();
    const link = (name: string) =>
      reader.locator('#navigation-items').getByRole('link', { name, exact: true });
    for (const name of ['staff', 'open', 'second']) {
      const prefetched = reader.waitForResponse(`${site}/${name}`);
      await link(name).hover();
      await reader.clock.runFor(200);
      expect((await (await prefetched).text()).toLowerCase()).toContain(`${name}word`);
    }
    const { items } = await send('GET', `/v1/projects/${SLUG}/reader-sessions`);
    const session = items.find(({ name }: { name: string }) => name === 'grace@acme.example');
    await send('DELETE', `/v1/projects/${SLUG}/reader-sessions/${session.id}`);
    await reader.clock.runFor(5000);
    const bodies: string[] = [];
    reader.on('response', (response) => {
      response.text().then(
        (text) => bodies.push(text),
        () => {},
      );
    });
    await link('staff').click();
    await reader.waitForURL((url) => url.pathname === '/login');
    const words = /staffword|openword|secondword|partnerword/i;
    expect(await reader.content()).not.toMatch(words);
    expect(bodies.join('\n')).not.toMatch(words);
  });

  it('are shown to the owner who tries the sign-in: who, with which groups, until when', async () => {
    await openDashboard(page, `${docent.apiUrl}/dashboard/acme/${SLUG}/access`);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Try the sign-in' }).click();
    const tab = await opened;
    await tab.waitForURL((url) => url.pathname === '/login');
    await page.getByText('Sign in in the other tab.').waitFor();
    const name = `${crypto.randomUUID()}@acme.example`;
    const token = await tokenOf({ groups: ['staff', 'partners'], email: name });
    await tab.goto(`${site}/login/jwt-callback#${token}`);
    await tab.waitForURL(`${site}/`);
    const result = page.getByRole('status').filter({ hasText: name });
    await result.getByText('Tokens (JWT)').waitFor();
    expect(await result.innerText()).toMatch(/staff, partners[\s\S]*in \d+ days/);
    await tab.close();
  });

  it('are counted by group in the analytics, which a group filters', async () => {
    const name = `group-${crypto.randomUUID().slice(0, 8)}`;
    const { reader } = await enter({ groups: ['staff', name] }, '/staff');
    // A page that is left before its scripts run is not counted, so the reader stays.
    await until(async () => {
      const { pages } = await send('GET', `/v1/analytics/${SLUG}/pages?group=staff`);
      return pages.some(({ path }: { path: string }) => path === '/staff') || undefined;
    });
    await reader.context().close();
    const { groups } = await send('GET', `/v1/analytics/${SLUG}/groups`);
    const names: string[] = groups.map(({ group }: { group: string }) => group);
    expect(names).toContain('staff');
    // Groups that no page names could name the reader.
    expect(names).not.toContain(name);
    await openDashboard(page, `${docent.apiUrl}/dashboard/acme/${SLUG}/analytics`);
    await page.getByText('Groups of readers', { exact: true }).first().scrollIntoViewIfNeeded();
    const report = page.getByRole('table', { name: 'Groups of readers' });
    await report.getByRole('button', { name: /^staff/ }).click();
    await page.waitForURL((url) => url.searchParams.get('group') === 'staff');
    const pages = page.getByRole('table', { name: 'Pages', exact: true }).first();
    await pages.getByText('/staff').first().waitFor();
  });

  it('are named with their groups by the owner, and removed again', async () => {
    await openDashboard(page, `${docent.apiUrl}/dashboard/acme/${SLUG}/access`);
    await page.getByLabel('Email address or domain').fill('grace@acme.example');
    await page.getByLabel('Groups', { exact: true }).fill('staff, partners');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const named = page.getByRole('table', { name: 'Named readers' });
    const row = named.getByRole('row', { name: /grace@acme\.example/ });
    await row.getByText('partners').waitFor();
    await page.getByRole('button', { name: 'Remove grace@acme.example' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('are counted by group in the report of a deployment', async () => {
    await openDashboard(
      page,
      `${docent.apiUrl}/dashboard/acme/${SLUG}/deployments/${deploymentId}`,
    );
    const table = page.getByRole('table', { name: 'Pages by group' });
    await table.waitFor();
    const rows = (await table.getByRole('row').allInnerTexts()).map((text) =>
      text.split(/\s*\t\s*/),
    );
    expect(rows.slice(1)).toEqual([
      ['Readers without a group', '4'],
      ['partners', '5'],
      ['staff', '5'],
    ]);
  });

  it('are whom the owner can see the site as, for a while', async () => {
    await openDashboard(page, `${docent.apiUrl}/dashboard/acme/${SLUG}/access`);
    await page.getByLabel('Groups of the reader').fill('staff');
    await page.getByRole('button', { name: 'Open the site' }).click();
    await page.waitForURL(`${site}/`);
    await page.getByText('You see this site as a reader of staff.').waitFor();
    await page.locator('#navigation-items').getByRole('link', { name: 'staff' }).click();
    await page.getByText('Staffword.').waitFor();
    const links = await page.locator('#navigation-items').getByRole('link').allInnerTexts();
    expect(links.map((text) => text.trim())).not.toContain('partners');
    expect((await page.goto(`${site}/partners`))?.status()).toBe(404);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForURL(`${site}/logout`);
    await page.goto(`${site}/staff`);
    expect(new URL(page.url()).pathname).toBe('/login');
  });
});
