import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, seriousFindings, sharedBrowser } from '../support/browser.ts';
import { publishFixture } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(chromiumPath === '')('a published site in a browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let site: string;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    site = await publishFixture(docent, 'basic');
  });
  afterAll(() => closeContexts(browser));

  test.each([
    ['in light', {}],
    ['in dark', { colorScheme: 'dark' as const }],
    ['on a phone', { viewport: { width: 390, height: 844 } }],
  ])('its pages have no error, no request elsewhere, and no serious accessibility fault %s', async (_, options) => {
    for (const path of ['/guides/components', '/api-reference/users/get-a-user', '/nothing']) {
      const { page, faults } = await openPage(browser, `${site}${path}`, options);
      const expected = path === '/nothing' ? faults.filter((fault) => !fault.includes('404')) : faults;
      expect(expected, path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      expect(overflow, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
      await page.context().close();
    }
  });

  test('our own documentation has no serious accessibility fault either', async () => {
    for (const path of ['/', '/guides/components', '/api/export']) {
      const { page, faults } = await openPage(browser, `http://docent.localhost:${docent.port}${path}`);
      expect(faults, path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      await page.context().close();
    }
  });

  test('the appearance that a reader chooses stays when they come back', async () => {
    const { page } = await openPage(browser, `${site}/guides/install`, { colorScheme: 'light' });
    expect(await page.locator('html.dark').count()).toBe(0);
    await page.getByLabel('Appearance').first().click();
    await page.getByRole('button', { name: 'Dark' }).first().click();
    expect(await page.locator('html.dark').count()).toBe(1);
    await page.reload();
    expect(await page.locator('html.dark').count()).toBe(1);
    await page.context().close();
  });

  test('search finds a section by its words and leads to it', async () => {
    const { page, faults } = await openPage(browser, `${site}/guides/components`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rotate key');
    const hit = page.getByRole('option', { name: /Rotate a key/ }).first();
    await hit.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/install#rotate-a-key$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('what a reader types while search is still being fetched is not lost', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    await page.route(/search[^/]*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rotate key');
    await page
      .getByRole('option', { name: /Rotate a key/ })
      .first()
      .waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('rotate key');
    await page.context().close();
  });

  test('the entry of the heading in view and those above it are marked, for the CSS of authors too', async () => {
    const { page, faults } = await openPage(browser, `http://docent.localhost:${docent.port}/self-hosting/storage`);
    const nested = page.locator('.toc-item[data-depth="1"]').first();
    await nested.locator('a').click();
    await expect.poll(() => nested.getAttribute('data-active-deepest')).toBe('');
    const active = page.locator('.toc-item[data-active]');
    expect(await active.evaluateAll((found) => found.map((item) => item.getAttribute('data-depth')))).toEqual(['0', '1']);
    await page.locator('.toc-item a').first().click();
    await expect.poll(() => active.count()).toBe(1);
    expect(await page.locator('.toc-item').first().getAttribute('data-active-deepest')).toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('tabs follow the keyboard, and show one panel', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    const first = page.getByRole('tab', { name: 'npm' });
    await first.focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'yarn' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.getByText('Use yarn.').isVisible()).toBe(true);
    expect(await page.getByText('npm install acme').isVisible()).toBe(false);
    await page.context().close();
  });

  test('pages read without JavaScript', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`, { javaScriptEnabled: false });
    expect(await page.getByText('Kept text of an unknown component.').isVisible()).toBe(true);
    await page.getByText('Why?').click();
    expect(await page.getByText('Because.').isVisible()).toBe(true);
    await page.context().close();
  });

  test('the switch of versions keeps the reader on the same page', async () => {
    const { page } = await openPage(browser, `${site}/guides/install`);
    await page.locator('summary', { hasText: 'v2' }).first().click();
    await page.getByRole('link', { name: 'v1' }).first().click();
    await page.waitForURL(/\/v1\/guides\/install$/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Install (v1)');
    await page.context().close();
  });
});
