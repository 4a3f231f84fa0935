import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, launchBrowser, openPage } from '../support/browser.ts';
import { fixtureSite } from '../support/http.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(chromiumPath === '')('an exported bundle, opened from the disk with the network cut', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const archive = join(folder, 'bundle.tar.gz');
    const { code, stderr } = await runDocent(['export', fixtureSite('basic'), '--out', archive]);
    expect(code, stderr).toBe(0);
    expect(spawnSync('tar', ['-xzf', archive], { cwd: folder }).status).toBe(0);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await removeTemporaryFolders();
  });

  const open = (path: string) => openPage(browser, pathToFileURL(join(folder, path)).href, { offline: true });

  test('shows its pages with their look, their images and nothing missing', async () => {
    const { page, faults } = await open('index.html');
    expect(await page.getByText('Welcome to Acme.').isVisible()).toBe(true);
    expect(await page.evaluate("document.querySelector('article img').naturalWidth > 0")).toBe(true);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.d-header')).position")).toBe('sticky');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('leaves out what none of its pages needs: the scripts of diagrams, the fonts of formulas', () => {
    const names = readdirSync(join(folder, '_docent'));
    expect(names.filter((name) => /^(?:site|search)/.test(name)).length).toBeGreaterThan(2);
    expect(names.filter((name) => /^(?:mermaid|diagrams|katex)/i.test(name))).toEqual([]);
  });

  test('leads from page to page', async () => {
    const { page, faults } = await open('index.html');
    await page.getByRole('link', { name: 'how to install' }).click();
    await page.waitForURL(/guides\/install\.html#linux$/);
    await page.getByRole('link', { name: 'Components' }).first().click();
    await page.waitForURL(/guides\/components\.html$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('searches', async () => {
    const { page, faults } = await open('guides/components.html');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rotate key');
    await page
      .getByRole('option', { name: /Rotate a key/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/guides\/install\.html#rotate-a-key$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
