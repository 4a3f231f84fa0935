import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { publishFixture } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

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
  ])(
    'has no error, foreign request, serious accessibility violation or horizontal scrolling %s',
    async (_, options) => {
      for (const path of ['/guides/components', '/api-reference/users/get-a-user', '/nothing']) {
        const { page, faults } = await openPage(browser, `${site}${path}`, options);
        const expected =
          path === '/nothing' ? faults.filter((fault) => !fault.includes('404')) : faults;
        expect(expected, path).toEqual([]);
        expect(await seriousFindings(page), path).toEqual([]);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(overflow, `${path} scrolls horizontally`).toBeLessThanOrEqual(0);
        await page.context().close();
      }
    },
  );

  test('has no error or serious accessibility violation in our own documentation', async () => {
    for (const path of ['/', '/guides/components', '/api/export']) {
      const { page, faults } = await openPage(
        browser,
        `http://docent.localhost:${docent.port}${path}`,
      );
      expect(faults, path).toEqual([]);
      expect(await seriousFindings(page), path).toEqual([]);
      await page.context().close();
    }
  });

  test('a tooltip is shown on hover and on focus, stays while the pointer is on it, and Escape closes it', async () => {
    const { page } = await openPage(
      browser,
      `http://docent.localhost:${docent.port}/components/text`,
    );
    const word = page.locator('.d-term').first();
    const bubble = page.getByRole('tooltip');
    await word.hover();
    await expect.poll(() => bubble.textContent()).toContain('What programs call.');
    await bubble.hover();
    await page.waitForTimeout(300);
    await expect.poll(() => bubble.count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => bubble.count()).toBe(0);
    await word.focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => bubble.count(), { message: 'the link in it has the focus' }).toBe(1);
    await page.keyboard.press('Tab');
    await expect.poll(() => bubble.count()).toBe(0);
    await page.context().close();
  });

  test('a file tree is operated by keys', async () => {
    const { page } = await openPage(
      browser,
      `http://docent.localhost:${docent.port}/components/trees`,
    );
    const folder = page.locator('docent-tree details').first();
    await folder.locator('summary').first().focus();
    for (const [key, isOpen] of [
      ['ArrowLeft', false],
      ['ArrowRight', true],
    ] as const) {
      await page.keyboard.press(key);
      expect((await folder.getAttribute('open')) !== null, key).toBe(isOpen);
    }
    await page.context().close();
  });

  test('remembers the appearance that a reader chooses', async () => {
    const { page } = await openPage(browser, `${site}/guides/install`, { colorScheme: 'light' });
    await expect.poll(() => page.locator('html.dark').count()).toBe(0);
    await page.getByLabel('Appearance').first().click();
    await page.getByRole('button', { name: 'Dark' }).first().click();
    await expect.poll(() => page.locator('html.dark').count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator('html.dark').count()).toBe(1);
    await page.context().close();
  });

  test('finds a section by search and opens it', async () => {
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

  test('keeps what a reader types while the search is still loading', async () => {
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
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('rotate key');
    await page.context().close();
  });

  test('marks the entry of the current heading and its parents in the table of contents', async () => {
    const { page, faults } = await openPage(
      browser,
      `http://docent.localhost:${docent.port}/self-hosting/storage`,
    );
    const nested = page.locator('.toc-item[data-depth="1"]').first();
    await nested.locator('a').click();
    await expect.poll(() => nested.getAttribute('data-active-deepest')).toBe('');
    const active = page.locator('.toc-item[data-active]');
    expect(
      await active.evaluateAll((found) => found.map((item) => item.getAttribute('data-depth'))),
    ).toEqual(['0', '1']);
    await page.locator('.toc-item a').first().click();
    await expect.poll(() => active.count()).toBe(1);
    await expect
      .poll(() => page.locator('.toc-item').first().getAttribute('data-active-deepest'))
      .toBe('');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('switches tabs with the keyboard, and shows one panel', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    const first = page.getByRole('tab', { name: 'npm' });
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.getByRole('tab', { name: 'yarn' }).getAttribute('aria-selected'))
      .toBe('true');
    await expect.poll(() => page.getByText('Use yarn.').isVisible()).toBe(true);
    await expect.poll(() => page.getByText('npm install acme').isVisible()).toBe(false);
    await page.context().close();
  });

  test('a link to a heading with the id of a part of the layout leads to the heading', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`, {
      viewport: { width: 1280, height: 300 },
    });
    const top = `document.querySelector('#content [id="sidebar"]').getBoundingClientRect().top`;
    await expect.poll(() => page.evaluate(top)).toBeGreaterThan(300);
    await page.evaluate(`location.hash = '#sidebar'`);
    await expect.poll(() => page.evaluate(top)).toBeLessThan(300);
    await page.context().close();
  });

  test('lists have the markers that their authors set', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    const markers = `[...document.querySelectorAll('#content li')].map((item) => getComputedStyle(item).listStyleType)`;
    await expect.poll(() => page.evaluate(markers)).toEqual(['lower-alpha', 'square', 'decimal']);
    await expect
      .poll(() =>
        page.evaluate(
          `(({ start, reversed }) => [start, reversed])(document.querySelector('ol[type]'))`,
        ),
      )
      .toEqual([3, true]);
    await page.context().close();
  });

  test('is readable without JavaScript', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`, {
      javaScriptEnabled: false,
    });
    await expect
      .poll(() => page.getByText('Kept text of an unknown component.').isVisible())
      .toBe(true);
    await page.getByText('Why?').click();
    await expect.poll(() => page.getByText('Because.').isVisible()).toBe(true);
    await page.context().close();
  });

  test('stays on the same page when the reader switches the version', async () => {
    const { page } = await openPage(browser, `${site}/guides/install`);
    await page.locator('summary', { hasText: 'v2' }).first().click();
    await page.getByRole('link', { name: 'v1' }).first().click();
    await page.waitForURL(/\/v1\/guides\/install$/);
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).innerText())
      .toBe('Install (v1)');
    await page.context().close();
  });
});
