import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, sharedBrowser } from '../support/browser.ts';
import { bundleServers } from '../support/bundle-servers.ts';
import { fixtureSite, until } from '../support/http.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

describe.skipIf(chromiumPath === '')(
  'an exported bundle, opened from the disk while offline',
  () => {
    let browser: Browser;
    let folder: string;
    beforeAll(async () => {
      folder = await temporaryFolder();
      const archive = join(folder, 'bundle.tar.gz');
      const { code, stderr } = await runDocent(['export', fixtureSite('basic'), '--out', archive]);
      expect(code, stderr).toBe(0);
      expect(spawnSync('tar', ['-xzf', archive], { cwd: folder }).status).toBe(0);
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await closeContexts(browser);
      await removeTemporaryFolders();
    });

    const open = (path: string) =>
      openPage(browser, pathToFileURL(join(folder, path)).href, { offline: true });

    test('shows a page with its styles and images, without errors', async () => {
      const { page, faults } = await open('index.html');
      await expect.poll(() => page.getByText('Welcome to Acme.').isVisible()).toBe(true);
      await expect
        .poll(() => page.evaluate("document.querySelector('article img').naturalWidth > 0"))
        .toBe(true);
      await expect
        .poll(() => page.evaluate("getComputedStyle(document.querySelector('.d-header')).position"))
        .toBe('sticky');
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test('omits the scripts of diagrams and the fonts of formulas, which none of its pages needs', () => {
      const names = readdirSync(join(folder, '_docent'));
      expect(names.filter((name) => /^(?:site|search)/.test(name)).length).toBeGreaterThan(2);
      expect(names.filter((name) => /^(?:mermaid|diagrams|katex)/i.test(name))).toEqual([]);
    });

    test('navigates between pages', async () => {
      const { page, faults } = await open('index.html');
      await page.getByRole('link', { name: 'how to install' }).click();
      await page.waitForURL(/guides\/install\.html#linux$/);
      await page.getByRole('link', { name: 'Components' }).first().click();
      await page.waitForURL(/guides\/components\.html$/);
      expect(faults).toEqual([]);
      await page.context().close();
    });

    test.each([
      ['in a worker', 1, 'How do I rotate an API key?'],
      ['on the page, where the browser runs no workers', 0, 'How do I rotate an API key?'],
      ['in another language', 1, 'Wie erneuere ich einen Schlüssel?'],
    ])(
      'answers a question from the disk %s, with a link to the page that it quotes',
      async (_, workers, question) => {
        const { page, faults } = await open('guides/components.html');
        if (workers === 0) await page.evaluate('window.Worker = undefined');
        await page.locator('#assistant-entry').click();
        await page.getByRole('textbox', { name: 'Ask a question…' }).fill(question);
        await page.keyboard.press('Enter');
        await page.locator('.panel .actions').waitFor();
        await expect
          .poll(() => page.locator('.panel .md > blockquote').first().innerText())
          .toContain('acme keys rotate');
        expect(page.workers()).toHaveLength(workers);
        await page.locator('.panel .md a').first().click();
        await page.waitForURL(/guides\/install\.html(?:#rotate-a-key)?$/);
        expect(faults).toEqual([]);
        await page.context().close();
      },
    );

    test('finds a section by search', async () => {
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
  },
);

/** Writes a site whose search index does not fit into one script: each page has unique words. */
async function writeLargeSite(folder: string, pageCount: number): Promise<void> {
  const names = Array.from({ length: pageCount }, (_, i) => `page-${i}`);
  const navigation = { groups: [{ group: 'All', pages: names }] };
  await writeFile(join(folder, 'docs.json'), JSON.stringify({ name: 'Large', navigation }));
  const word = (page: number, i: number) =>
    `w${((page * 7919 + i * 104729) % 1_000_003).toString(36)}x`;
  for (const [page, name] of names.entries()) {
    const sections = Array.from({ length: 4 }, (_, section) => {
      const words = Array.from({ length: 90 }, (_, i) => word(page, section * 90 + i));
      return `## Turnstile ${section} of ${word(page, section)}\n\nOpen the gate of ${words.join(' ')}.`;
    });
    await writeFile(
      join(folder, `${name}.mdx`),
      `---\ntitle: Gatekeeper ${page}\n---\n\n${sections.join('\n\n')}\n`,
    );
  }
}

describe.skipIf(chromiumPath === '')('a large bundle, opened from the disk', () => {
  test('finds pages with a small part of the search index, and loads each part once', async () => {
    const [source, folder] = [await temporaryFolder(), await temporaryFolder()];
    await writeLargeSite(source, 150);
    const archive = join(folder, 'bundle.tar.gz');
    const { code, stderr } = await runDocent(['export', source, '--out', archive]);
    expect(code, stderr).toBe(0);
    expect(spawnSync('tar', ['-xzf', archive], { cwd: folder }).status).toBe(0);
    const parts = readdirSync(join(folder, '_docent')).filter((name) =>
      name.startsWith('search-index-'),
    );
    expect(parts.length).toBeGreaterThan(100);

    const browser = await sharedBrowser();
    const { page, faults } = await openPage(
      browser,
      pathToFileURL(join(folder, 'page-0.html')).href,
      { offline: true },
    );
    const loaded: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/search-index-') && loaded.push(basename(request.url())),
    );
    await page.keyboard.press('Control+k');
    for (const wanted of [77, 140, 77]) {
      await page.locator('.d-search input').fill(`gatekeeper ${wanted} turnstile`);
      await page
        .locator('.d-search-page')
        .first()
        .getByText(`Gatekeeper ${wanted}`, { exact: true })
        .waitFor();
    }
    expect(new Set(loaded).size).toBe(loaded.length);
    const loadedBytes = loaded.reduce(
      (sum, name) => sum + statSync(join(folder, '_docent', name)).size,
      0,
    );
    expect(loadedBytes).toBeLessThan(150_000);
    expect(loaded.length).toBeLessThan(parts.length / 2);

    const before = await page.getByRole('option').count();
    for (let i = 0; i < before; i++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(before);
    await page.keyboard.press('Home');
    await page.locator('.d-search input').fill('gatekeeper 140');
    await page
      .locator('.d-search-page')
      .first()
      .getByText('Gatekeeper 140', { exact: true })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/page-140\.html/);
    expect(faults).toEqual([]);
    await closeContexts(browser);
    await removeTemporaryFolders();
  });
});

describe.skipIf(chromiumPath === '')(
  'a bundle that was exported without addresses of services',
  () => {
    const servers = bundleServers();
    let browser: Browser;
    let archive: string;
    beforeAll(async () => {
      archive = join(await temporaryFolder(), 'bundle.tar.gz');
      const { code, stderr } = await runDocent(['export', fixtureSite('basic'), '--out', archive]);
      expect(code, stderr).toBe(0);
      browser = await sharedBrowser();
    });
    afterAll(async () => {
      await closeContexts(browser);
      await servers.closeAll();
      await removeTemporaryFolders();
    });

    test('shows the assistant of its server, which answers with a source, and sends it its events', async () => {
      const server = await servers.serve(archive, {
        args: ['--assistant', '--analytics', '--base-path', '/docs'],
      });
      await server.serves();
      // The server counts a headless browser as a machine.
      const userAgent =
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
      const { page, faults } = await openPage(browser, `${server.url}/guides/install`, {
        userAgent,
      });
      await page.locator('#assistant-entry').click();
      await page.getByRole('textbox', { name: 'Ask a question…' }).fill('How do I rotate a key?');
      await page.keyboard.press('Enter');
      await page.locator('.panel .sources').waitFor();
      expect(faults).toEqual([]);
      const file = join(
        server.cache,
        'analytics',
        `events-${new Date().toISOString().slice(0, 10)}.ndjson`,
      );
      await page.goto(`${server.url}/guides/components`);
      const seen = async () =>
        (await readFile(file, 'utf8').catch(() => '')).includes('/guides/install')
          ? true
          : undefined;
      expect(await until(seen)).toBe(true);
      await page.context().close();
    });

    test('answers in the browser and shows no feedback form where the server has neither', async () => {
      const server = await servers.serve(archive);
      await server.serves();
      const { page, faults } = await openPage(browser, `${server.url}/guides/install`);
      await page.locator('#search-bar-entry').waitFor();
      await page.waitForLoadState('networkidle');
      await expect.poll(() => page.locator('#feedback-form:visible').count()).toBe(0);
      await page.keyboard.press('Control+i');
      await page
        .getByRole('textbox', { name: 'Ask a question…' })
        .fill('How do I rotate an API key?');
      await page.keyboard.press('Enter');
      await page.locator('.panel .actions').waitFor();
      await expect
        .poll(() => page.locator('.panel .md > blockquote').first().innerText())
        .toContain('acme keys rotate');
      expect(faults).toEqual([]);
      await page.context().close();
    });
  },
);
