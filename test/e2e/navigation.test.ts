import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Shows the first hidden panel as soon as it is in the document. */
const SHOW_HIDDEN = `new MutationObserver((_, observer) => {
  const panel = document.querySelector('[hidden=until-found]');
  if (!panel) return;
  observer.disconnect();
  panel.removeAttribute('hidden');
}).observe(document, { childList: true, subtree: true })`;

/** Survives only swaps, so it distinguishes a swap from a full load. */
const MARK = 'globalThis.__sameDocument = true';
const isSameDocument = (page: Page): Promise<boolean> =>
  page.evaluate('globalThis.__sameDocument === true');

/** Clicks a link of the navigation and waits until its page is shown. */
async function follow(page: Page, name: string | RegExp): Promise<void> {
  const arrived = page.evaluate(
    'new Promise((done) => document.addEventListener("docent:page", () => done(true), { once: true }))',
  );
  await page.locator('#navigation-items').getByRole('link', { name }).first().click();
  await arrived;
}

/** Writes a copy of the fixture with another text on one page. */
function changedSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-site-'));
  cpSync(fixtureSite('basic'), folder, { recursive: true });
  writeFileSync(join(folder, 'guides/install.mdx'), '---\ntitle: "Install anew"\n---\n\nNew.\n');
  return folder;
}

const GROUPS = 24;
const PAGES = 8;

/**
 * Writes a site whose list of pages is too long to be in every page: `group-5/page-3` has the title
 * "Page 5-3".
 */
function longSite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-long-'));
  const groups = Array.from({ length: GROUPS }, (_, group) => ({
    group: `Group ${group}`,
    pages: Array.from({ length: PAGES }, (_, page) => {
      const path = `group-${group}/page-${page}`;
      mkdirSync(join(folder, `group-${group}`), { recursive: true });
      writeFileSync(
        join(folder, `${path}.mdx`),
        `---\ntitle: "Page ${group}-${page}"\n---\n\nText.\n`,
      );
      return path;
    }),
  }));
  writeFileSync(
    join(folder, 'group-0/page-1.mdx'),
    '---\ntitle: "Page 0-1"\n---\n\n[Deep](/group-0/page-2#deep)\n',
  );
  writeFileSync(
    join(folder, 'group-0/page-2.mdx'),
    '---\ntitle: "Page 0-2"\n---\n\n<Tabs>\n<Tab title="A">\nFirst.\n</Tab>\n<Tab title="B">\n\n## Deep\n\nSecond.\n\n</Tab>\n</Tabs>\n',
  );
  const config = {
    theme: 'mint',
    name: 'Long',
    colors: { primary: '#0f766e' },
    navigation: { groups },
  };
  writeFileSync(join(folder, 'docs.json'), JSON.stringify(config));
  return folder;
}

describe.skipIf(chromiumPath === '')('instant navigation', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let site: string;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(docent, 'moved', tarball(fixtureSite('basic')));
    site = `http://moved.localhost:${docent.port}`;
  });
  afterAll(() => closeContexts(browser));

  test('updates the page, its title, its address and the current link, and moves the focus to the content', async () => {
    const { page, faults } = await openPage(browser, `${site}/guides/components`);
    await page.evaluate(MARK);
    await follow(page, 'Install');
    await expect.poll(() => isSameDocument(page)).toBe(true);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/guides/install');
    await expect.poll(() => page.title()).toContain('Install');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Install');
    await expect
      .poll(() => page.locator('#navigation-items [aria-current="page"]').allInnerTexts())
      .toEqual(['Install']);
    await expect
      .poll(() => page.locator('link[rel="canonical"]').getAttribute('href'))
      .toMatch(/\/guides\/install$/);
    await expect
      .poll(() => page.locator('html').getAttribute('data-current-path'))
      .toBe('/guides/install');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content-area');
    await page.getByRole('status').filter({ hasText: 'Install' }).waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('restores the scroll position on back and forward', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`, {
      viewport: { width: 1280, height: 500 },
    });
    await page.evaluate(MARK);
    const top = await page.evaluate('scrollTo({ top: 150, behavior: "instant" }), scrollY');
    expect(top).toBe(150);
    await follow(page, 'Install');
    await waitOnPage(page, 'scrollY === 0');
    await page.goBack();
    await waitOnPage(
      page,
      'document.querySelector("h1").innerText === "Components" && scrollY === 150',
    );
    await page.goForward();
    await waitOnPage(page, 'document.querySelector("h1").innerText === "Install" && scrollY === 0');
    await expect.poll(() => isSameDocument(page)).toBe(true);
    await page.context().close();
  });

  test('makes a section of another page the target of the address', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    await page.evaluate(MARK);
    await page.evaluate(
      'document.getElementById("content").insertAdjacentHTML("afterbegin", `<a id="x" href="/guides/install#rotate-a-key">x</a>`)',
    );
    await page.locator('#x').click();
    await waitOnPage(page, 'document.querySelector(":target")?.id === "rotate-a-key"');
    await expect.poll(() => isSameDocument(page)).toBe(true);
    await page.context().close();
  });

  test('scrolls to a section by the id that another platform gives its heading', async () => {
    const viewport = { width: 1280, height: 300 };
    const { page } = await openPage(browser, `${site}/guides/install#Rotate_aKey`, { viewport });
    const isAtTop =
      'scrollY > 0 && Math.abs(document.getElementById("rotate-a-key").getBoundingClientRect().top) < 150';
    await waitOnPage(page, isAtTop);
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" }), location.hash = "#nowhere"');
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await page.evaluate('location.hash = "#rotateakey"');
    await waitOnPage(page, isAtTop);
    await page.context().close();
  });

  test('keeps elements that a script added to the frame, and open groups of the navigation', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    await page.evaluate(
      'document.querySelector("#navbar").insertAdjacentHTML("afterbegin", `<i id="added">x</i>`)',
    );
    await follow(page, 'Install');
    await expect.poll(() => page.locator('#added').count()).toBe(1);
    await expect
      .poll(() => page.locator('#navigation-items details.d-branch').first().getAttribute('open'))
      .not.toBeNull();
    await page.context().close();
  });

  test('loads the next page in full after a new deployment', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    await page.evaluate(MARK);
    await publishArchive(docent, 'moved', tarball(changedSite()));
    await page.locator('#navigation-items').getByRole('link', { name: 'Install' }).first().click();
    await waitOnPage(page, 'document.querySelector("h1")?.innerText === "Install anew"');
    await expect.poll(() => isSameDocument(page)).toBe(false);
    await publishArchive(docent, 'moved', tarball(fixtureSite('basic')));
    await page.context().close();
  });

  test('leaves links to missing pages to the browser', async () => {
    const { page } = await openPage(browser, `${site}/guides/components`);
    await page.evaluate(MARK);
    await page.evaluate(
      'document.getElementById("content").insertAdjacentHTML("afterbegin", `<a id="x" href="/nowhere">x</a>`)',
    );
    await page.locator('#x').click();
    await waitOnPage(page, 'document.querySelector(".d-not-found")');
    await expect.poll(() => isSameDocument(page)).toBe(false);
    await page.context().close();
  });

  test('does not leak nodes, listeners or documents over fifty pages', async () => {
    const { page, faults } = await openPage(browser, `${site}/guides/components`);
    const client = await page.context().newCDPSession(page);
    const counters = async () => {
      await client.send('HeapProfiler.collectGarbage');
      return client.send('Memory.getDOMCounters');
    };
    const visit = async (times: number) => {
      for (let i = 0; i < times; i++) await follow(page, i % 2 === 0 ? 'Install' : 'Components');
    };
    await visit(6);
    const before = await counters();
    await visit(50);
    const after = await counters();
    expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners * 1.1 + 10);
    expect(after.nodes).toBeLessThanOrEqual(before.nodes * 1.25 + 200);
    expect(after.documents).toBeLessThanOrEqual(before.documents + 2);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(chromiumPath === '')('a list of pages that is too long to be in every page', () => {
  let browser: Browser;
  let site: string;
  beforeAll(async () => {
    const [docent, shared] = await Promise.all([sharedDocent(), sharedBrowser()]);
    browser = shared;
    await publishArchive(docent, 'long-menu', tarball(longSite()));
    site = `http://long-menu.localhost:${docent.port}`;
  });
  afterAll(() => closeContexts(browser));

  const links = (page: Page) => page.locator('#navigation-items a');
  const currentTop = (page: Page): Promise<number> =>
    page.evaluate(
      `document.querySelector('#navigation-items [aria-current="page"]').getBoundingClientRect().top`,
    );

  test('leads without scripts from the heading of a group to its first page, which shows the group', async () => {
    const { page, faults } = await openPage(browser, `${site}/group-3/page-2`, {
      javaScriptEnabled: false,
    });
    expect(await links(page).count()).toBeLessThan(GROUPS + PAGES);
    await links(page).filter({ hasText: 'Group 5' }).click();
    await page.waitForURL(/group-5\/page-0$/);
    await links(page).filter({ hasText: 'Page 5-7' }).click();
    await page.waitForURL(/group-5\/page-7$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('is completed when the reader turns to it, moves nothing, and stays on the next pages', async () => {
    const { page, faults } = await openPage(browser, `${site}/group-20/page-2`);
    await page.evaluate(MARK);
    const toggle = page.getByLabel('Show pages of Group 19');
    await expect.poll(() => toggle.isVisible()).toBe(true);
    const top = await currentTop(page);
    await toggle.focus();
    await expect.poll(() => links(page).count()).toBe(GROUPS * (PAGES + 1));
    expect(Math.abs((await currentTop(page)) - top)).toBeLessThan(2);
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Show pages of Group 19');
    await page.keyboard.press('Enter');
    const target = links(page).filter({ hasText: 'Page 19-6' });
    await expect.poll(() => target.isVisible()).toBe(true);
    await target.click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Page 19-6');
    await expect
      .poll(() => page.locator('#navigation-items [aria-current="page"]').allInnerTexts())
      .toEqual(['Page 19-6']);
    // The group of the page before is still open.
    await expect.poll(() => links(page).filter({ hasText: 'Page 20-2' }).isVisible()).toBe(true);
    expect(await isSameDocument(page)).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a page of text loads one script, and a page with components that follows it works at once, where the link leads', async () => {
    const { page, faults } = await openPage(browser, `${site}/group-0/page-1`);
    await page.evaluate(MARK);
    await page.waitForLoadState('networkidle');
    const scripts = () =>
      page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => /_docent\\/([a-z]+)-\\w+\\.js$/.exec(name)?.[1]).filter(Boolean)`,
      );
    expect(await scripts()).toEqual(['site']);
    await page.locator('#content').getByRole('link', { name: 'Deep' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Page 0-2');
    await page.getByRole('heading', { name: 'Deep' }).waitFor();
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('B');
    await page.getByRole('tab', { name: 'A' }).click();
    await page.getByText('First.').waitFor();
    expect(await isSameDocument(page)).toBe(true);
    expect(await scripts()).toEqual(['site', 'navigation', 'components']);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('the tab that a browser has shown before the scripts ran, as Firefox does for a link into it, is the selected one', async () => {
    const { page } = await openPage(browser, `${site}/group-0/page-2`, {}, (opened) =>
      opened.addInitScript(SHOW_HIDDEN),
    );
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('B');
    expect(await page.getByText('First.').isVisible()).toBe(false);
    await page.context().close();
  });

  test('without the script that swaps pages, for example after an upgrade of the server, the browser loads them', async () => {
    const { page } = await openPage(browser, `${site}/group-0/page-1`, {}, (opened) =>
      opened.route(/\/navigation-\w+\.js$/, (route) => route.fulfill({ status: 404 })),
    );
    await page.evaluate(MARK);
    await page.locator('#content').getByRole('link', { name: 'Deep' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Page 0-2');
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('B');
    expect(await isSameDocument(page)).toBe(false);
    await page.context().close();
  });
});
