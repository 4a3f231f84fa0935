import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, sharedBrowser } from '../support/browser.ts';
import { fixtureSite } from '../support/http.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';
import { type StaticServer, serveFolder } from '../support/static-server.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const PAGES = [
  'index',
  'guides/install',
  'guides/components',
  'api-reference/users/get-a-user',
  'v1/guides/install',
  '404',
];

let browser: Browser;
let folder: string;
let servers: StaticServer[] = [];

describe.skipIf(chromiumPath === '')('a bundle', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    const { code, stderr } = await runDocent(['build', fixtureSite('basic'), '--out', folder]);
    expect(code, stderr).toBe(0);
    servers = [await serveFolder(folder, '/'), await serveFolder(folder, '/a/b/')];
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closeContexts(browser);
    for (const server of servers) await server.close();
    await removeTemporaryFolders();
  });

  describe.each(['from the disk', 'at the root of a server', 'below a path'])('%s', (place) => {
    const at = (path: string): [string, BrowserContextOptions] => {
      if (place === 'from the disk')
        return [pathToFileURL(join(folder, path)).href, { offline: true }];
      const server = servers[place === 'below a path' ? 1 : 0];
      return [`${server?.address}${path}`, {}];
    };

    test('shows every kind of page without a failed request, an error or a request to another origin', async () => {
      for (const path of PAGES) {
        const { page, faults } = await openPage(browser, ...at(`${path}.html`));
        await expect
          .poll(
            () => page.evaluate("getComputedStyle(document.querySelector('.d-header')).position"),
            { message: path },
          )
          .toBe('sticky');
        expect(faults, path).toEqual([]);
        await page.context().close();
      }
    });

    test('copies the page as Markdown', async () => {
      const { page, faults } = await openPage(browser, ...at('guides/components.html'));
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
      );
      await page.locator('[data-copy-page]').first().click();
      await page.waitForFunction('globalThis.copied !== undefined');
      const copied = String(await page.evaluate('globalThis.copied'));
      expect(copied).toMatch(/^(?:>.*\n\n)?# Components\n/);
      expect(copied).toContain('npm install acme');
      expect(copied).toContain('Kept text of an unknown component.');
      expect(copied).toMatch(/\[broken link\]\(/);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('navigates between pages and versions, and back', async () => {
      const { page, faults } = await openPage(browser, ...at('guides/components.html'));
      await page.locator('[data-kind="version"] summary').first().click();
      await page.getByRole('link', { name: 'v1' }).first().click();
      await page.waitForURL(/v1\/guides\/install\.html$/);
      // Leaving a page while its images load would count as a failed request.
      await page.waitForLoadState('networkidle');
      await page.locator('.d-logo, #navbar a').first().click();
      await page.waitForURL(/(?:\/|index\.html)$/);
      await page.waitForLoadState('networkidle');
      await page.goBack();
      await page.waitForURL(/v1\/guides\/install\.html$/);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('switches to dark colors, and finds a section by search', async () => {
      const { page, faults } = await openPage(browser, ...at('guides/components.html'));
      await page.locator('[data-kind="appearance"] summary').click();
      await page.locator('[data-appearance-choice="dark"]').click();
      await expect
        .poll(() => page.evaluate("document.documentElement.classList.contains('dark')"))
        .toBe(true);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('rotate key');
      await page
        .getByRole('option', { name: /Rotate a key/ })
        .first()
        .click();
      await page.waitForURL(/guides\/install\.html#rotate-a-key$/);
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });

  test.each([0, 1])(
    'shows its page for unknown addresses with styles and search at any depth, on server %i',
    async (index) => {
      const server = servers[index] as StaticServer;
      const { page } = await openPage(browser, `${server.address}guides/deep/nowhere`);
      await expect
        .poll(() => page.evaluate("getComputedStyle(document.querySelector('.d-header')).position"))
        .toBe('sticky');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('rotate key');
      await page
        .getByRole('option', { name: /Rotate a key/ })
        .first()
        .click();
      await page.waitForURL(`${server.address}guides/install.html#rotate-a-key`);
      await page.context().close();
    },
  );

  test('uses the assistant and reports page views and searches at the addresses that the build sets', async () => {
    const live = join(folder, 'live');
    const flags = ['--assistant-url', '/_docent/assistant', '--analytics-url', '/_docent/events'];
    expect((await runDocent(['build', fixtureSite('basic'), '--out', live, ...flags])).code).toBe(
      0,
    );
    const server = await serveFolder(live, '/a/b/');
    servers.push(server);
    const { page } = await openPage(browser, 'about:blank');
    const asked: string[] = [];
    const events: { t: string; path: string; query?: string }[] = [];
    page.on('request', (request) => {
      if (request.url() === `${server.address}_docent/events`)
        events.push(...JSON.parse(request.postData() ?? '{}').events);
      if (request.url().startsWith(`${server.address}_docent/assistant/`))
        asked.push(request.url());
    });
    await page.goto(`${server.address}guides/components.html`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rotate key');
    await page
      .getByRole('option', { name: /Rotate a key/ })
      .first()
      .click();
    await page.waitForURL(/guides\/install\.html#rotate-a-key$/);
    await page.locator('#assistant-entry').click();
    const seen = () => events.map(({ t, path }) => `${t} ${path}`);
    const expected = [
      'page /guides/components',
      'search /guides/components',
      'page /guides/install',
    ];
    await vi.waitUntil(() => asked.length > 0 && expected.every((one) => seen().includes(one)), {
      timeout: 20_000,
    });
    expect(asked[0]).toBe(`${server.address}_docent/assistant/settings`);
    expect(events.find(({ t }) => t === 'search')?.query).toBe('rotate key');
    await page.context().close();
  });
});
