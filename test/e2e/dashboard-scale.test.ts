import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
  signUp,
} from '../support/browser.ts';
import { call, fetchSite, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

const READER = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';
const COUNT = 200;
/** Of one site; every other one is of a preview. */
const DEPLOYMENTS = 120;
/** Those with "product" and "19" in their names. */
const MATCHES = 12;

/** An owner with two hundred sites, of which three have the same name. */
describe.skipIf(chromiumPath === '')('the dashboard with two hundred sites', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let home = '';

  beforeAll(async () => {
    const env = { DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000' };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    home = await signUp(page, docent);
    for (let index = 0; index < COUNT; index++) {
      const name =
        index % 80 === 7 ? 'Sample' : index === 150 ? 'Guía de Córdoba' : `Product ${index}`;
      await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug: `docs-${index}`, name });
    }
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    await removeTemporaryFolders();
  });

  /** A site without a deployment, another one in each attempt of each test. */
  let unused = 20;
  beforeEach(async () => {
    unused += 1;
    await page.context().setOffline(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const rows = () => page.getByRole('table', { name: 'Sites' }).getByRole('row');
  const results = () => page.getByRole('option');
  /** What Enter chooses: a moment after the list has it. */
  const highlighted = () => results().and(page.locator('[data-highlighted]'));

  it('lists them in parts, searches all of them, and sorts them, in the URL', async () => {
    await openDashboard(page, home);
    await expect.poll(() => rows().count()).toBe(51);
    await expect.poll(() => rows().nth(1).innerText()).toContain('Docent');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows().count()).toBe(101);
    await page.getByLabel('Search sites').fill('product 19');
    await expect.poll(() => rows().count()).toBe(MATCHES + 1);
    await page.getByLabel('Sorted by').selectOption('name');
    await expect.poll(() => rows().nth(1).innerText()).toMatch(/^Product 119/);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=product+19&sort=name');
    await page.reload();
    await expect.poll(() => rows().nth(1).innerText()).toMatch(/^Product 119/);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('finds sites of the same name in the command menu, and leaves none behind when the text changes', async () => {
    await openDashboard(page, home);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.fill('sample');
    await expect
      .poll(() =>
        results()
          .filter({ hasText: /docs-(?:7|87|167)$/ })
          .count(),
      )
      .toBe(3);
    await field.fill('sample 87');
    await expect.poll(() => results().filter({ hasText: 'Sample' }).count()).toBe(1);
    await field.fill('no such thing');
    await page.getByText('No results.').waitFor();
    await expect.poll(() => results().count()).toBe(0);
    await field.fill('docs-167');
    await highlighted().filter({ hasText: 'docs-167' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs-167');
  });

  it('says how to publish a site that never was, names it in the tab, and switches to any other', async () => {
    await openDashboard(page, `${home}/docs-167`);
    await page.getByRole('heading', { name: 'Sample', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Choose folder' }).waitFor();
    await page.getByRole('link', { name: 'Deployments' }).click();
    await expect.poll(() => page.title()).toBe('Deployments · Sample · Docent');
    await page.getByTitle('Switch the site').click();
    await page.getByRole('combobox', { name: 'Search sites' }).fill('product 199');
    await highlighted().filter({ hasText: 'docs-199' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs-199');
  });

  it('finds a site that is written nearly like the text, in the menu and in the list, and says where the rest is', async () => {
    await openDashboard(page, home);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await field.fill('product');
    await results().filter({ hasText: 'Show all sites that match' }).click();
    await page.waitForURL('**?q=product');
    await expect.poll(() => rows().count()).toBe(51);
    await page.getByRole('searchbox', { name: 'Search sites' }).fill('cordova');
    await expect.poll(() => rows().last().innerText()).toContain('Guía de Córdoba');
    await expect.poll(() => rows().count()).toBe(2);
    await page.keyboard.press('Control+k');
    await field.fill('cordova');
    await results().filter({ hasText: 'docs-150' }).click();
    await page.waitForURL('**/docs-150');
    await page.getByRole('heading', { name: 'Guía de Córdoba', level: 1 }).waitFor();
  });

  it('loads only the site that a page belongs to, and leads from its former identifier to it', async () => {
    await call(docent, docent.adminKey, 'PATCH', '/v1/projects/docs-3', { slug: 'docs-three' });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/v1/projects')) asked.push(pathname + search);
    });
    await openDashboard(page, `${home}/docs-12/previews?q=x`);
    await page.getByRole('heading', { name: 'Previews', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked.filter((address) => /^\/v1\/projects(?:$|\?)/.test(address))).toEqual([]);
    expect(asked.filter((address) => address === '/v1/projects/docs-12')).toHaveLength(1);
    await openDashboard(page, `${home}/docs-3/previews?q=x`);
    await page.waitForURL(`${home}/docs-three/previews?q=x`);
    await expect.poll(() => page.title()).toBe('Previews · Product 3 · Docent');
    // Its console reports the refusal.
    const other = await page.context().newPage();
    await openDashboard(other, `${home}/no-such-site/previews`);
    await other.getByRole('heading', { name: 'Page not found' }).waitFor();
    await other.close();
  });

  it('does everything from anywhere with the command menu, what was used last first', async () => {
    await openDashboard(page, home);
    const command = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(text);
      await highlighted().waitFor();
      await page.keyboard.press('Enter');
    };
    await command('invite');
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await page.keyboard.press('Escape');
    await command('admin key');
    await page.getByRole('dialog', { name: 'Create key' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await expect.poll(() => results().first().innerText()).toMatch(/Create admin key\s+Recent/);
    await page.keyboard.press('Escape');
  });

  it('shows in the audit log who did what, filters it, and shows what changed', async () => {
    await call(docent, docent.adminKey, 'PATCH', '/v1/project/docs-7/assistant-settings', {
      retentionDays: 30,
    });
    await openDashboard(page, `${home}/settings/audit-log?q=assistant+settings`);
    await page
      .getByRole('button', { name: /^The key .* changed the assistant settings of Sample$/ })
      .last()
      .click();
    const row = page.getByRole('table', { name: 'Changed properties' }).getByRole('row').last();
    expect((await row.innerText()).split(/\s+/)).toEqual(['Retention', 'days', '90', '30']);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('shows every limit with what is used of it, and the plan by its name', async () => {
    await openDashboard(page, `${home}/settings/usage`);
    await page.getByText('Enterprise', { exact: true }).waitFor();
    for (const name of [
      'Sites',
      'Storage',
      'Publishes',
      'Requests to the assistant',
      'Exports',
      'New keys',
    ])
      await page.getByRole('progressbar', { name, exact: true }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('puts a key into the code of the widget, which is known as public', async () => {
    await openDashboard(page, `${home}/docent/settings`);
    await page.getByRole('button', { name: 'Create a key for it' }).click();
    await page.getByText(/data-key="svc_dsc_\w{20,}"/).waitFor();
    await page.getByText(/The key is public/).waitFor();
  });

  it('binds a key to sites that are chosen by name with the keyboard, and lists it with their names', async () => {
    await openDashboard(page, `${home}/settings/keys?create=true`);
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    const name = `Pipeline ${unused}`;
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    const field = dialog.getByRole('combobox', { name: 'Sites' });
    const choose = async (text: string, site: string) => {
      await field.fill(text);
      const option = page.getByRole('option', { name: site });
      await option.waitFor();
      await expect.poll(() => results().count()).toBe(1);
      const highlight = async () => {
        await page.keyboard.press('ArrowDown');
        return option.getAttribute('data-highlighted');
      };
      await expect.poll(highlight).not.toBeNull();
      await page.keyboard.press('Enter');
      await dialog
        .getByRole('button', { name: `Remove ${site.replace(/ docs-.*/, '')}` })
        .waitFor();
    };
    await choose('product 199', 'Product 199 docs-199');
    await choose('docs-167', 'Sample docs-167');
    await choose('docs-142', 'Product 142 docs-142');
    await dialog.getByRole('button', { name: 'Remove Product 142' }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page
      .getByRole('dialog', { name: 'Copy the key now' })
      .getByRole('button', { name: 'Done' })
      .click();
    const row = page.getByRole('row', { name: new RegExp(`^${name}`) });
    await expect.poll(() => row.innerText()).toContain('Product 199');
    expect(await row.innerText()).toContain('Sample');
    const { keys } = (await (await call(docent, docent.adminKey, 'GET', '/v1/keys')).json()) as {
      keys: object[];
    };
    expect(keys).toContainEqual(
      expect.objectContaining({
        name,
        sites: ['docs-167', 'docs-199'],
        siteNames: ['Sample', 'Product 199'],
      }),
    );
  });

  it('offers the versions and pages that a site has for an export, and calls the export by what it contains', async () => {
    const slug = `docs-${unused}`;
    await publishArchive(docent, slug, tarball(fixtureSite('basic')));
    await openDashboard(page, `${home}/${slug}/exports?start=true`);
    const dialog = page.getByRole('dialog', { name: 'Start export' });
    const version = dialog.getByLabel('Version');
    await expect
      .poll(() => version.locator('option').allInnerTexts())
      .toEqual(['All versions', 'v2', 'v1']);
    await expect.poll(() => dialog.getByLabel('Language').count()).toBe(0);
    await version.selectOption('v1');
    await dialog.getByRole('combobox', { name: 'Pages', exact: true }).fill('install');
    const choices = page.getByRole('listbox').getByRole('option');
    await expect
      .poll(() => choices.allInnerTexts())
      .toEqual([expect.stringContaining('/v1/guides/install')]);
    await choices.click();
    await dialog.getByTitle('/v1/guides/install').waitFor();
    await expect.poll(() => choices.count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start export' }).click();
    const name = /^Version v1, 1 page, [A-Z][a-z]{2} \d+$/;
    const sheet = page.getByRole('dialog', { name });
    await sheet.getByRole('button', { name: 'Download' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('table', { name: 'Exports' }).getByRole('button', { name }).waitFor();
  });

  it('lists the pages by the views that it shows, whatever machines read', async () => {
    const view = (path: string) => ({ t: 'page', at: 1, path, from: 'example.com' });
    const views = ['/', '/', '/', '/guides/install', '/guides/install'].map(view);
    const slug = `docs-${unused}`;
    await publishArchive(docent, slug, tarball(fixtureSite('basic')));
    await fetchSite(docent, slug, '/_docent/events', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'user-agent': READER },
      body: JSON.stringify({ v: 1, now: 2, events: views }),
    });
    const machine = {
      headers: {
        'user-agent': 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
      },
    };
    for (let times = 0; times < 4; times++)
      await fetchSite(docent, slug, '/guides/install', machine);
    const ofAi = async () => {
      const answer = await call(docent, docent.adminKey, 'GET', `/v1/analytics/${slug}/views`);
      return ((await answer.json()) as { totals: { human: number; ai: number } }).totals;
    };
    await expect.poll(ofAi).toMatchObject({ human: 5, ai: 4 });
    await openDashboard(page, `${home}/${slug}/analytics`);
    const rows = page.getByRole('table', { name: 'Pages', exact: true }).getByRole('row');
    await expect
      .poll(async () => (await rows.allInnerTexts()).slice(1).map((row) => row.split(/\s+/)[0]))
      .toEqual(['/', '/guides/install']);
  });

  it('keeps an owner at work among many deployments, while the session ends, the connection drops and another tab signs out', async () => {
    const slug = `docs-${unused}`;
    const archive = tarball(fixtureSite('small'));
    const headers = {
      authorization: `Bearer ${docent.adminKey}`,
      'content-type': 'application/gzip',
    };
    const upload = async (index: number) => {
      const query = new URLSearchParams({ message: `Change ${index}`, author: 'Grace Hopper' });
      if (index % 2 === 1) query.set('preview', `branch-${index % 10}`);
      const url = `${docent.apiUrl}/v1/project/${slug}/source?${query}`;
      expect((await fetch(url, { method: 'PUT', headers, body: archive })).status).toBe(202);
    };
    await publishArchive(docent, slug, archive);
    for (let index = 0; index < DEPLOYMENTS; index += 4)
      await Promise.all([index, index + 1, index + 2, index + 3].map((each) => upload(each)));

    // From two hundred sites to one deployment of many.
    await openDashboard(page, home);
    const search = (name: string) => page.getByRole('searchbox', { name });
    const table = page.getByRole('table', { name: 'Deployments' });
    const titles = () => table.getByRole('link').allInnerTexts();
    await search('Search sites').fill(slug);
    await rows().filter({ hasText: slug }).getByRole('link').click();
    await page.getByRole('link', { name: 'Deployments', exact: true }).click();
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    await expect.poll(() => table.getByText(/^(?:In preview|branch-)/).count()).toBe(0);
    await page.getByRole('link', { name: 'Previews', exact: true }).last().click();
    await page.waitForURL('**?show=previews');
    await expect.poll(async () => (await titles())[0]).toMatch(/^Change \d*[13579]$/);
    await search('Search deployments').fill('Change 117');
    await expect.poll(titles).toEqual(['Change 117']);
    await page.goBack();
    await expect.poll(async () => (await titles()).length).toBeGreaterThan(20);

    // The connection drops; what was seen stays, and what was not opens once there is one again.
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('You are offline.').waitFor();
    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await page
      .getByText(/You are offline/)
      .last()
      .waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor();

    // Another tab signs out while something is written here, and its sign-in saves it.
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Renamed during the walk');
    const other = await page.context().newPage();
    await openDashboard(other, `${home}/${slug}`);
    await other.evaluate(async () => {
      const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
      await fetch('/v1/auth/sign-out', body);
    });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await openDashboard(other, `${docent.apiUrl}/dashboard/sign-in`);
    await other.getByLabel('Email').fill('ada@example.com');
    await other.getByLabel('Password').fill('a long passphrase');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
    await other.close();
    await page.bringToFront();
    await page.getByText('Settings saved').waitFor();
    await expect.poll(() => name.inputValue()).toBe('Renamed during the walk');
    await expect.poll(() => page.getByRole('dialog', { name: 'Sign in again' }).count()).toBe(0);
  }, 360_000);

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      '',
      '/settings/audit-log',
      '/settings/usage',
      '/docent/searches',
      '/docs-9',
    ]) {
      await openDashboard(page, home + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path })
        .toBeLessThanOrEqual(390);
    }
  });

  it('causes no console error', () => {
    // Those of the walk are its own: a page that was left, the save without a session, a request
    // while offline.
    const caused = /ERR_ABORTED|status of 401|ERR_INTERNET_DISCONNECTED/;
    expect(faults.filter((fault) => !caused.test(fault))).toEqual([]);
  });
});
