import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { bundleOf, finish, start, unpack } from '../support/exports.ts';
import { call, publishArchive, tarball } from '../support/http.ts';
import { startBundleServer } from '../support/start-bundle-server.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Writes a site in two languages, whose French pages have words that no English page has. */
async function writeSite(folder: string): Promise<void> {
  const pages: Record<string, string> = {};
  const add = (path: string, title: string, text: string) => {
    pages[`${path}.mdx`] = `---\ntitle: ${title}\n---\n\n${text}\n`;
    return path;
  };
  const filler = (word: string) =>
    Array.from({ length: 400 }, (_, i) => `${word}${(i * 7919) % 10007}`).join(' ');
  const guides = ['Deploy', 'Custom domain', 'Webhooks'].map((title, i) =>
    add(`guides/g${i}`, title, `About ${title}. ${filler('en')}`),
  );
  const api = Array.from({ length: 60 }, (_, i) =>
    add(`api/a${i}`, `Operation ${i}`, `Custom domain webhooks. ${filler(`e${i}n`)}`),
  );
  const french = Array.from({ length: 60 }, (_, i) =>
    add(`fr/p${i}`, i === 0 ? 'Domaine' : `Page ${i}`, filler(`fr${i}x`)),
  );
  const languages = [
    {
      language: 'en',
      tabs: [
        { tab: 'Guides', groups: [{ group: 'Publish', pages: guides }] },
        { tab: 'Reference', groups: [{ group: 'Operations', pages: api }] },
      ],
    },
    { language: 'fr', groups: [{ group: 'Débuter', pages: french }] },
  ];
  const config = {
    theme: 'mint',
    name: 'Two',
    colors: { primary: '#4f46e5' },
    navigation: { languages },
  };
  for (const [path, text] of Object.entries({ ...pages, 'docs.json': JSON.stringify(config) })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

describe.skipIf(chromiumPath === '')('the search of a site in a browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let site: string;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser(), writeSite(folder)]);
    await publishArchive(docent, 'two', tarball(folder));
    site = `http://two.localhost:${docent.port}`;
  });
  afterAll(async () => {
    await closeContexts(browser);
    await removeTemporaryFolders();
  });

  const type = async (page: Page, text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(text);
  };
  const options = (page: Page) => page.getByRole('option');

  test('loads only the index of the language of the page, and only a part of it', async () => {
    const { page, faults } = await openPage(browser, `${site}/guides/g0`);
    const loaded: string[] = [];
    let bytes = 0;
    page.on('response', async (response) => {
      if (!response.url().includes('/search-index-')) return;
      loaded.push(basename(new URL(response.url()).pathname));
      bytes += (await response.body()).length;
    });
    await type(page, 'custom domain');
    await options(page).filter({ hasText: 'About Custom domain' }).first().waitFor();
    expect(loaded.length).toBeGreaterThan(1);
    for (const name of loaded) expect(name).toMatch(/^search-index-[0-9a-f]{8}-en(?:-\d+)?\.js$/);
    expect(bytes).toBeLessThan(120_000);
    // Once, although the field has text.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.goto(`${site}/fr/p1`);
    loaded.length = 0;
    await type(page, 'domaine');
    await options(page)
      .filter({ has: page.locator('.d-search-text') })
      .first()
      .waitFor();
    for (const name of loaded) expect(name).toContain('-fr');
    expect(await page.getByRole('combobox').getAttribute('aria-label')).toBe('Recherche');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('shows a matching title first, with its place in the navigation, on any page', async () => {
    for (const path of ['/guides/g0', '/api/a3']) {
      const { page } = await openPage(browser, `${site}${path}`);
      await type(page, 'custom domain');
      const group = page.locator('.d-search-set').first();
      await group.getByText('Custom domain', { exact: true }).first().waitFor();
      await expect
        .poll(() => group.locator('.d-search-trail').innerText())
        .toContain('Guides › Publish');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/guides\/g1$/);
      await page.context().close();
    }
  });

  test.each([
    ['on a wide screen', {}],
    ['on a phone', { viewport: { width: 390, height: 844 } }],
  ])('passes the query to the assistant from its last row, by keyboard, %s', async (_, context) => {
    const { page, faults } = await openPage(browser, `${site}/guides/g0`, context);
    await type(page, 'custom domain');
    await options(page).filter({ hasText: 'About Custom domain' }).first().waitFor();
    const last = options(page).last();
    await expect.poll(() => last.innerText()).toContain('Ask the assistant: “custom domain”');
    await page.keyboard.press('ArrowUp');
    // More results are loaded before the last row is reached.
    await expect.poll(() => options(page).last().getAttribute('aria-selected')).toBe('true');
    await expect
      .poll(() => page.getByRole('combobox').getAttribute('aria-activedescendant'))
      .toBe(await options(page).last().getAttribute('id'));
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'Assistant' })
      .or(page.getByRole('complementary', { name: 'Assistant' }))
      .first()
      .waitFor();
    await page.getByText('custom domain', { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('offers the assistant if nothing is found', async () => {
    const { page } = await openPage(browser, `${site}/guides/g0`);
    await type(page, 'qqqqzzzz');
    await options(page).filter({ hasText: 'Ask the assistant: “qqqqzzzz”' }).waitFor();
    await page.context().close();
  });

  test('offers pages of the menu before the first query, and later recent searches and pages', async () => {
    const { page, faults } = await openPage(browser, `${site}/guides/g0`);
    await page.keyboard.press('Control+k');
    await options(page).filter({ hasText: 'Custom domain' }).waitFor();
    await expect.poll(() => options(page).filter({ hasText: 'Deploy' }).count()).toBe(0);
    // The field has a line below it, so the first title has none above.
    const line = `getComputedStyle(document.querySelector('.d-search-title')).borderBlockStartWidth`;
    await expect.poll(() => page.evaluate(line)).toBe('0px');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('combobox').fill('webhooks');
    await options(page).filter({ hasText: 'About Webhooks' }).first().click();
    await page.waitForURL(/\/guides\/g2$/);
    await page.goto(`${site}/api/a1`);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('group', { name: 'Recently visited pages' })
      .getByRole('option', { name: 'Webhooks' })
      .waitFor();
    await options(page)
      .filter({ hasText: /^webhooks$/ })
      .waitFor();
    await page
      .getByRole('group', { name: 'Recently visited pages' })
      .getByRole('option', { name: 'Webhooks' })
      .click();
    await page.waitForURL(/\/guides\/g2$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect
      .poll(() =>
        options(page)
          .filter({ hasText: /^webhooks$/ })
          .count(),
      )
      .toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  const fromDisk = async (folder: string) => {
    const address = pathToFileURL(join(folder, 'guides/g0.html')).href;
    const { page, faults } = await openPage(browser, address, { offline: true });
    await type(page, 'doorbells');
    await options(page).filter({ hasText: 'About Webhooks' }).first().waitFor();
    await page.getByRole('combobox').fill('my custom domain');
    await expect.poll(() => options(page).first().innerText()).toContain('Deploy');
    await page.keyboard.press('Escape');
    await page.locator('#assistant-entry').click();
    await page.getByRole('textbox', { name: 'Ask a question…' }).fill('What about doorbells?');
    await page.keyboard.press('Enter');
    await page.locator('.panel .actions').waitFor();
    await expect.poll(() => page.locator('.panel .md').innerText()).toContain('About Webhooks');
    expect(faults).toEqual([]);
    await page.context().close();
  };
  const fromServer = async (archive: string) => {
    const server = await startBundleServer(archive, { args: ['--assistant'] });
    try {
      await server.serves();
      const response = await fetch(new URL('/v1/search/two', server.url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'doorbells' }),
      });
      expect(await response.json()).toContainEqual(expect.objectContaining({ path: 'guides/g2' }));
    } finally {
      await server.kill();
    }
  };

  test('follows the rules of the owners of the site in the browser too, and takes them along in a bundle, for its search, its answers and its server', async () => {
    const path = '/v1/project/two/assistant-settings';
    const change = (rules: object) => call(docent, docent.adminKey, 'PATCH', path, rules);
    await change({
      synonyms: [['doorbells', 'webhooks']],
      pageRules: [{ question: 'custom domain', pin: ['guides/g0'], block: [] }],
    });
    try {
      const { page, faults } = await openPage(browser, `${site}/guides/g0`);
      await type(page, 'doorbells');
      await options(page).filter({ hasText: 'About Webhooks' }).first().waitFor();
      await page.getByRole('combobox').fill('my custom domain');
      await expect.poll(() => options(page).first().innerText()).toContain('Deploy');
      expect(faults).toEqual([]);
      await page.context().close();
      const { jobId } = await start(docent, { domain: 'two' });
      await finish(docent, jobId);
      const folder = await unpack(await bundleOf(docent, jobId));
      await fromDisk(folder);
      await fromServer(join(folder, 'bundle.tar.gz'));
    } finally {
      await change({ synonyms: [], pageRules: [] });
    }
  });
});
