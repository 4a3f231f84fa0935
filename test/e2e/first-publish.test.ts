import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  sharedBrowser,
} from '../support/browser.ts';
import { call, fetchSite } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

describe.skipIf(chromiumPath === '')('a site that was never published', () => {
  let docent: RunningDocent & { setupUrl: string };
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let home = '';
  const folder = mkdtempSync(join(tmpdir(), 'docent-plain-'));

  beforeAll(async () => {
    mkdirSync(join(folder, 'notes/guides'), { recursive: true });
    writeFileSync(join(folder, 'notes/README.md'), '# Welcome\n\nStart here.\n');
    writeFileSync(join(folder, 'notes/guides/install.md'), '# Install\n\nRun the installer.\n');
    [docent, browser] = await Promise.all([
      startDocent({ isBasic: true }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    await openDashboard(page, docent.setupUrl);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long passphrase');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
    home = page.url().replace(/\/$/, '');
    await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug: 'notes', name: 'Notes' });
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    rmSync(folder, { recursive: true });
    await removeTemporaryFolders();
  });

  it('offers to publish in place of its overview and says nothing of exports, keys or hostnames', async () => {
    await openDashboard(page, `${home}/notes`);
    await page.getByRole('region', { name: 'Drop a folder or an archive' }).waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('Nothing is published yet');
    expect(text).not.toMatch(/export|hostname|Next steps/i);
    await expect
      .poll(() => page.getByRole('link', { name: 'how to get it' }).getAttribute('href'))
      .toBe('/help/guides/command-line');
  });

  it('becomes a site with a menu from a folder of plain Markdown', async () => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await (await chosen).setFiles(join(folder, 'notes'));
    await page.waitForURL(/\/notes\/deployments\/\w+$/);
    await page.getByRole('link', { name: 'Visit' }).first().waitFor({ timeout: 90_000 });
    const site = await (await fetchSite(docent, 'notes', '/guides/install')).text();
    expect(site).toContain('Run the installer.');
    expect(site).toMatch(/<a[^>]* href="\/guides\/install"[^>]*>(?:<[^>]*>)*Install/);
    // Requests of a page that was left.
    expect(faults.filter((fault) => !fault.includes('net::ERR_ABORTED'))).toEqual([]);
  });
});
