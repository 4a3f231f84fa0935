import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  sharedBrowser,
  type WatchedPage,
} from '../support/browser.ts';
import { fixtureSite, publishFixture } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

describe.skipIf(chromiumPath === '')("the author's React components in a browser", () => {
  let docent: RunningDocent;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishFixture(docent, 'islands');
    const archive = join(folder, 'bundle.tar.gz');
    const { code, stderr } = await runDocent(['export', fixtureSite('islands'), '--out', archive]);
    expect(code, stderr).toBe(0);
    expect(spawnSync('tar', ['-xzf', archive], { cwd: folder }).status).toBe(0);
  });
  afterAll(async () => {
    await closeContexts(browser);
    await removeTemporaryFolders();
  });

  const hosted = (path: string): Promise<WatchedPage> =>
    openPage(browser, `http://islands.localhost:${docent.port}${path}`);
  const bundled = (path: string): Promise<WatchedPage> =>
    openPage(
      browser,
      pathToFileURL(join(folder, path === '/' ? 'index.html' : `${path.slice(1)}.html`)).href,
      { offline: true },
    );

  const outputs = (page: Page): Promise<string[]> => page.locator('output').allInnerTexts();

  test.each([
    ['on a server', hosted],
    ['in a bundle opened from the disk', bundled],
  ])(
    'share the state of surrounding components and fetch files of the site %s',
    async (_, open) => {
      const { page, faults } = await open('/guides/together');
      const marks = () => page.locator('mark:visible').allInnerTexts();
      await expect.poll(() => page.getByLabel('Prices').innerText()).toBe('small: 3\nlarge: 8');
      expect(await marks()).toEqual(['Python', 'Python']);
      await expect
        .poll(() => page.locator('section:has(strong)').innerText())
        .toBe('Install it with pip.');
      await page.getByRole('button', { name: 'Use Go' }).click();
      await expect.poll(marks).toEqual(['Go', 'Go', 'Go']);
      await expect.poll(() => page.getByText('Install it with').isVisible()).toBe(false);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test.each([
    ['on a server', hosted],
    ['in a bundle opened from the disk', bundled],
  ])('are interactive, receive their props, and keep their children %s', async (_, open) => {
    const { page, faults } = await open('/');
    await page.locator('docent-island[data-island]').first().waitFor({ state: 'attached' });
    await expect.poll(() => outputs(page)).toEqual(['3', '10']);
    await page.getByRole('button', { name: 'Increase' }).first().click();
    await page.getByRole('button', { name: 'Increase' }).first().click();
    await page.getByRole('button', { name: 'Increase' }).first().click();
    await expect.poll(() => outputs(page)).toEqual(['6', '10']);
    await expect
      .poll(() => page.locator('docent-island strong', { hasText: 'bold' }).count())
      .toBe(1);
    // Content that is hidden at first can be shown, hidden and shown again.
    await expect.poll(() => page.getByText('Hidden words').isVisible()).toBe(false);
    const panel = page.getByRole('button', { name: 'details' });
    for (const isOpen of [true, false, true]) {
      await panel.click();
      await expect.poll(() => page.getByText('Hidden words').isVisible()).toBe(isOpen);
    }
    await page.getByRole('button', { name: 'Turn' }).click();
    await expect.poll(() => page.locator('em', { hasText: 'dark' }).count()).toBe(1);
    await expect.poll(() => page.getByText('Inside').isVisible()).toBe(true);
    await expect
      .poll(() => page.evaluate("document.querySelector('docent-island img').naturalWidth > 0"))
      .toBe(true);
    await page.getByRole('button', { name: 'Greet me' }).click();
    await expect.poll(() => page.locator('body').getAttribute('data-greeted')).toBe('yes');
    await page.getByRole('link', { name: 'Plain in the dark' }).click();
    await page.waitForURL(/guides\/plain(?:\.html)?#end$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['on a server', hosted],
    ['in a bundle opened from the disk', bundled],
  ])(
    'render our components inside them after every update, and read their children %s',
    async (_, open) => {
      const { page, faults } = await open('/guides/cards');
      const cards = page.locator('docent-island .d-card');
      const titles = () => cards.locator('.d-box-title').allInnerTexts();
      await page.locator('docent-island .d-columns').first().waitFor();
      const all = ['Apple', 'Bread', 'Also Apple', 'Also Bread'];
      await expect.poll(titles).toEqual(all);
      const code = () => page.locator('docent-island .d-code pre').innerText();
      expect(await code()).toBe('{\n  "shown": 2\n}');
      await page.getByLabel('Filter').fill('app');
      await expect.poll(titles).toEqual(['Apple', 'Also Apple']);
      expect(await code()).toBe('{\n  "shown": 1\n}');
      await page.getByLabel('Filter').fill('');
      await expect.poll(titles).toEqual(all);
      await expect.poll(() => cards.locator('.d-box-sign img').count()).toBe(2);
      // Items that the build never rendered become cards, too.
      await page.getByRole('button', { name: 'Show all' }).click();
      await expect
        .poll(titles)
        .toEqual(['Apple', 'Bread', 'Cider', 'Also Apple', 'Also Bread', 'Also Cider']);
      await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['First', 'Second']);
      await expect.poll(() => page.getByRole('tabpanel').allInnerTexts()).toEqual(['one', 'two']);
      // Our components that only the browser renders are styled, and show no icon name as text.
      const late = page.locator('#late');
      const drawn = () => late.locator('button path').first().getAttribute('d');
      const before = await drawn();
      await page.getByRole('button', { name: 'Show late' }).click();
      await expect.poll(drawn).not.toBe(before);
      expect(await drawn()).not.toBe(null);
      await expect
        .poll(() => late.locator('.d-callout[data-kind=warning]').innerText())
        .toBe('Mind this');
      await late.locator('details.d-accordion > summary').click();
      await expect.poll(() => late.getByText('within').isVisible()).toBe(true);
      await expect.poll(() => late.locator('.d-badge[data-color=green]').innerText()).toBe('new');
      await expect.poll(() => late.innerText()).not.toContain('chevron');
      await page.locator('output').click();
      await expect.poll(() => outputs(page)).toEqual(['Install it and run.Then read.!']);
      expect(faults).toEqual([]);
      await page.getByRole('link', { name: 'Also Cider' }).click();
      await page.waitForURL(/(?:localhost:\d+\/|index\.html)$/);
      await page.context().close();
    },
  );

  test.each([
    ['on a server', hosted],
    ['in a bundle opened from the disk', bundled],
  ])('select the children to show by the props of these %s', async (_, open) => {
    const { page, faults } = await open('/guides/gallery');
    const gallery = page.locator('#gallery');
    await expect.poll(() => gallery.getByRole('button').allInnerTexts()).toEqual(['Dawn', 'Noon']);
    for (const [name, words] of [
      ['Noon', 'The shortest shadow'],
      ['Dawn', 'The first light'],
      ['Noon', 'The shortest shadow'],
    ] as const) {
      await gallery.getByRole('button', { name }).click();
      await expect.poll(() => gallery.locator('figure').allInnerTexts()).toEqual([words]);
    }
    const choices = page.locator('#choices');
    await expect.poll(() => choices.locator('p').innerText()).toBe('Costs nothing');
    await choices.getByLabel('Plan').selectOption('Team');
    await expect.poll(() => choices.locator('p').innerText()).toBe('Costs a little');
    for (const [id, first, steps] of [
      ['#panes', 'Cold and clear', { South: 'Warm and wet', North: 'Cold and clear' }],
      ['#views', 'The porch', { Far: 'The hills\n\nand the sea', Near: 'The porch' }],
    ] as const) {
      const shown = () => page.locator(`${id} blockquote`).allInnerTexts();
      await expect.poll(shown).toEqual([first]);
      for (const [name, words] of Object.entries(steps)) {
        await page.locator(id).getByRole('button', { name }).click();
        await expect.poll(shown).toEqual([words]);
      }
    }
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/guides\/plain(?:\.html)?#end$/);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Plain');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('show pictures of other servers as boxes in a bundle, which requests none', async () => {
    const { page, faults } = await bundled('/guides/far');
    const boxes = page.locator('docent-island .d-outside');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect
      .poll(() => boxes.allInnerTexts())
      .toEqual(['Far away\npictures.invalid', 'Farther\npictures.invalid']);
    const heights = await boxes.evaluateAll((found) =>
      found.map((box) => box.getBoundingClientRect().height),
    );
    expect(heights[0]).toBe(heights[1]);
    await expect.poll(() => page.locator('docent-island img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('start after instant navigation, and load their scripts only on pages that use them', async () => {
    const { page, faults } = await hosted('/guides/plain');
    await expect
      .poll(() =>
        page.evaluate(
          "[...document.scripts].filter((one) => one.src.includes('_docent/islands')).length",
        ),
      )
      .toBe(0);
    await page.locator('nav, aside').getByRole('link', { name: 'Forms' }).first().click();
    await page.waitForURL(/guides\/forms$/);
    await page.getByLabel('Name').fill('Ada');
    await page.getByText('Hello Ada').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'Sent' }).innerText())
      .toBe('Sent Ada');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('keep what a reader typed before hydration', async () => {
    const { page, faults } = await openPage(browser, 'about:blank');
    await page.route(/_docent\/islands[^/]*\.js/, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
    await page.goto(`http://islands.localhost:${docent.port}/guides/forms`, {
      waitUntil: 'commit',
    });
    await page.getByLabel('Name').fill('Ada');
    await page.getByText('Hello Ada').waitFor();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(faults.filter((fault) => !fault.startsWith('elsewhere'))).toEqual([]);
    await page.context().close();
  });

  test('that fail keep what the build has rendered, and do not break others', async () => {
    const warnings: string[] = [];
    const { page, faults } = await hosted('/guides/plain');
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.goto(`http://islands.localhost:${docent.port}/guides/faults`);
    await page.getByRole('button', { name: 'Fine 0' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Fine 1' }).isVisible()).toBe(true);
    await expect.poll(() => page.getByText('Width: known').isVisible()).toBe(true);
    await expect.poll(() => page.getByText('Stays true').isVisible()).toBe(true);
    // It needs a package that cannot be imported, which the script that all share uses as soon as
    // it loads.
    await expect
      .poll(() => page.getByText('Interactive component: Celebrate').isVisible())
      .toBe(true);
    // The endless one runs only when a reader clicks it.
    await expect.poll(() => page.getByRole('button', { name: 'Endless' }).isVisible()).toBe(true);
    expect(warnings.filter((text) => text.includes('<Explodes>'))).toHaveLength(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
