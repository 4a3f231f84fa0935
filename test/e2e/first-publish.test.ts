import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  sharedBrowser,
  signUp,
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
  let site = '';
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
    home = await signUp(page, docent);
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    rmSync(folder, { recursive: true });
    await removeTemporaryFolders();
  });

  // Each attempt has a site that was never published.
  beforeEach(async () => {
    site = `notes-${Date.now()}`;
    await call(docent, docent.adminKey, 'POST', '/v1/projects', { slug: site, name: 'Notes' });
    await openDashboard(page, `${home}/${site}`);
  });

  it('offers to publish in place of its overview and says nothing of exports, keys or hostnames', async () => {
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
    await page.waitForURL(/\/notes-\d+\/deployments\/\w+$/);
    await page.getByRole('link', { name: 'Visit' }).first().waitFor();
    const text = await (await fetchSite(docent, site, '/guides/install')).text();
    expect(text).toContain('Run the installer.');
    expect(text).toMatch(/<a[^>]* href="\/guides\/install"[^>]*>(?:<[^>]*>)*Install/);
    // Requests of a page that was left.
    expect(faults.filter((fault) => !fault.includes('net::ERR_ABORTED'))).toEqual([]);
  });
});
