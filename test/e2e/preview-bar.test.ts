import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { call, fetchLocal, publishArchive, until } from '../support/http.ts';
import { rawTarGz } from '../support/raw-tar.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const WATCH_SHIFT = `window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: 'layout-shift', buffered: true });`;

function sourceOf(pages: Record<string, string>): Buffer<ArrayBuffer> {
  const navigation = { groups: [{ group: 'Guides', pages: Object.keys(pages) }] };
  const files = {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#4f46e5' },
      navigation,
    }),
    ...Object.fromEntries(
      Object.entries(pages).map(([path, text]) => [
        `${path}.mdx`,
        `---\ntitle: ${path}\n---\n\n${text}\n`,
      ]),
    ),
  };
  return Buffer.from(rawTarGz(Object.entries(files).map(([name, content]) => ({ name, content }))));
}

describe.skipIf(chromiumPath === '')('the bar of a preview in a browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let address: string;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(
      docent,
      'reviewed',
      sourceOf({ index: 'Start', setup: 'Old text', gone: 'Text' }),
    );
    await fetch(`${docent.apiUrl}/v1/project/reviewed/source?preview=next`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/gzip' },
      body: sourceOf({ index: 'Start', setup: 'New text', fresh: 'Text\n\n'.repeat(80) }),
    });
    address = `http://next--reviewed.localhost:${docent.port}`;
    await until(async () =>
      (await fetchLocal(`${address}/fresh`)).status === 200 ? true : undefined,
    );
  }, 240_000);
  afterAll(async () => {
    await call(docent, docent.adminKey, 'DELETE', '/v1/projects/reviewed');
    await closeContexts(browser);
  });

  const summary = (page: Page) => page.locator('.d-draft summary');

  test('opens a list whose links lead through the preview, and closes by Escape and by following a link', async () => {
    const { page, faults } = await openPage(browser, `${address}/`);
    await summary(page).click();
    await expect
      .poll(() => page.locator('.d-draft li').allInnerTexts())
      .toEqual(['fresh\n/fresh', 'setup\n/setup', 'gone\n/gone']);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.d-draft-list').waitFor({ state: 'hidden' });
    await summary(page).click();
    await page.getByRole('link', { name: 'setup /setup' }).click();
    await page.waitForURL(`${address}/setup`);
    await page.getByText('New text').waitFor();
    await expect.poll(() => page.locator('.d-draft-list').isVisible()).toBe(false);
    await expect
      .poll(() => page.getByRole('region', { name: 'Preview' }).innerText())
      .toContain('Changed pages: 3');
    await expect
      .poll(() => page.locator('.d-draft a[aria-current="page"] bdi').allTextContents())
      .toEqual(['/setup']);
    await expect
      .poll(() => page.locator('.d-draft a', { hasText: 'gone' }).getAttribute('href'))
      .toBe(`http://reviewed.localhost:${docent.port}/gone`);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('searches by the rules of the owners of the site', async () => {
    const change = (synonyms: string[][]) =>
      call(docent, docent.adminKey, 'PATCH', '/v1/project/reviewed/assistant-settings', {
        synonyms,
      });
    await change([['fresh', 'new']]);
    try {
      await until(async () => {
        const page = await (await fetchLocal(`${address}/fresh`)).text();
        return page.includes('/_docent/search-rules.js') || undefined;
      });
      const rules = await fetchLocal(`${address}/_docent/search-rules.js`);
      expect(await rules.text()).toContain('[["fresh","new"]]');
    } finally {
      await change([]);
    }
  });

  test('moves nothing on the page, and stays closed in its tab once it was closed', async () => {
    const { page, faults } = await openPage(
      browser,
      `${address}/setup`,
      {},
      (one) => void one.addInitScript(WATCH_SHIFT),
    );
    const bar = page.locator('.d-draft');
    await bar.waitFor();
    await bar.getByRole('button', { name: 'Close' }).click();
    await bar.waitFor({ state: 'hidden' });
    await page.reload();
    await waitOnPage(page, `document.querySelector('.d-draft-ready')`);
    await expect.poll(() => bar.isVisible()).toBe(false);
    await expect.poll(() => page.evaluate('window.shifts')).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(`${address}/setup`);
    await other.locator('.d-draft').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('opens and closes without JavaScript, and has no button that would do nothing', async () => {
    const { page } = await openPage(browser, `${address}/setup`, { javaScriptEnabled: false });
    await summary(page).click();
    await page.getByRole('link', { name: 'fresh /fresh' }).waitFor();
    await expect.poll(() => page.locator('.d-draft-close').isVisible()).toBe(false);
    await summary(page).click();
    await page.locator('.d-draft-list').waitFor({ state: 'hidden' });
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)(
    'fits a phone and is readable in %s colors',
    async (colorScheme) => {
      const viewport = { width: 390, height: 700 };
      const { page } = await openPage(browser, `${address}/fresh`, { viewport, colorScheme });
      await summary(page).click();
      for (const part of ['.d-draft', '.d-draft-list']) {
        const box = (await page.locator(part).boundingBox())!;
        expect(
          [box.x >= 0, box.y >= 0, box.x + box.width <= 390, box.y + box.height <= 700],
          part,
        ).toEqual(Array(4).fill(true));
      }
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      expect(await seriousFindings(page, ['color-contrast', 'target-size'])).toEqual([]);
      // No rule of the page applies to it: the sidebar's lists have a line.
      await expect
        .poll(() =>
          page.evaluate(
            `getComputedStyle(document.querySelector('.d-draft ul')).borderInlineStartWidth`,
          ),
        )
        .toBe('0px');
      await page.context().close();
    },
  );
});
