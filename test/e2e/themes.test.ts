import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { fixtureSite, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const THEMES = ['mint', 'maple', 'palm', 'aspen'] as const;
const FULL_NETWORK = { offline: false, latency: 0, uploadThroughput: -1 };
/** Slow enough that the browser paints the start of a page before it receives its end. */
const SLOW_BYTES_PER_S = 8000;
const PHONE = { width: 390, height: 844 };

/** The layout shift of the page since it was opened, as browsers measure it. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 300);
})`;
/**
 * The top of a heading, the bottom of the header that may cover it, and the height of the window.
 */
const HEADING_PLACE = `[
  document.getElementById('facts').getBoundingClientRect().top,
  document.documentElement.dataset.shell === 'side' ? 0 : document.getElementById('navbar').getBoundingClientRect().bottom,
  innerHeight,
]`;

/** The fixture site with another theme. */
async function themed(theme: string): Promise<string> {
  const folder = join(await temporaryFolder(), theme);
  await cp(fixtureSite('themes'), folder, { recursive: true });
  const file = join(folder, 'docs.json');
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace('"theme": "mint"', `"theme": "${theme}"`),
  );
  return folder;
}

function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

function styleOf(page: Page, selector: string, property: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
}

describe.skipIf(chromiumPath === '')('themes', () => {
  let docent: RunningDocent;
  let browser: Browser;
  const at = (theme: string, path: string): string =>
    `http://${theme}.localhost:${docent.port}${path}`;
  const open = (theme: string, path: string, options: BrowserContextOptions = {}) =>
    openPage(browser, at(theme, path), { reducedMotion: 'reduce', ...options });

  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    for (const theme of THEMES) {
      const { status, logs } = await publishArchive(docent, theme, tarball(await themed(theme)));
      expect(status, logs.join('\n')).toBe('success');
    }
  });
  afterAll(async () => {
    await closeContexts(browser);
    await removeTemporaryFolders();
  });

  const looks = THEMES.flatMap((theme) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [1280, 390].map((widthPx) => [theme, colorScheme, widthPx] as const),
    ),
  );
  test.each(looks)(
    '%s in %s at %i pixels has no error, serious accessibility violation or horizontal scrolling',
    async (theme, colorScheme, widthPx) => {
      const viewport = widthPx === 390 ? PHONE : { width: widthPx, height: 800 };
      // Each kind of page once in light and once in dark; axe is slow, and the style sheet is the
      // same.
      const paths =
        colorScheme === 'light'
          ? widthPx === 390
            ? ['/']
            : ['/', '/ar']
          : widthPx === 390
            ? ['/reference/plant']
            : ['/'];
      for (const path of paths) {
        const { page, faults } = await open(theme, path, { colorScheme, viewport });
        expect(faults, path).toEqual([]);
        expect(await seriousFindings(page), path).toEqual([]);
        await expect
          .poll(() => sidewaysPx(page), { message: `${path} scrolls horizontally` })
          .toBeLessThanOrEqual(0);
        await page.context().close();
      }
    },
  );

  test.each(THEMES)('%s does not scroll horizontally at 320 pixels', async (theme) => {
    const { page } = await open(theme, '/', { viewport: { width: 320, height: 640 } });
    for (const path of ['/', '/ar', '/modes/center', '/reference/plant']) {
      await page.goto(at(theme, path));
      await expect.poll(() => sidewaysPx(page), { message: path }).toBeLessThanOrEqual(0);
    }
    await page.context().close();
  });

  test.each(THEMES)(
    '%s has the ids that custom styles select, and shows the parts that the mode of a page requests',
    async (theme) => {
      const { page } = await open(theme, '/');
      const ids = [
        'navbar',
        'sidebar',
        'content-area',
        'page-title',
        'pagination',
        'search-bar-entry',
        'footer',
        'table-of-contents',
      ];
      for (const id of ids)
        await expect.poll(() => page.locator(`#${id}`).isVisible(), { message: id }).toBe(true);
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(theme);
      const icons = await page.locator('#navigation-items .d-icon').all();
      const sizes = await Promise.all(icons.map(async (icon) => (await icon.boundingBox())?.width));
      expect(sizes.length).toBeGreaterThan(0);
      expect(new Set(sizes)).toEqual(new Set([16]));
      const hasRoom = (maxWidth: string) =>
        page.evaluate<boolean>(`(() => {
          const bar = document.querySelector('.d-header-bar');
          if (!bar) return true;
          Object.assign(bar.style, { transition: 'none', maxWidth: '${maxWidth}' });
          const [start, search, links] = ['.d-logo', '#search-bar-entry', '.d-navbar-links'].map((one) => bar.querySelector(one).getBoundingClientRect());
          return links.width === 0 || (start.right <= search.left && search.right <= links.left);
        })()`);
      expect(await hasRoom('44rem'), 'next to an open assistant, the links cover the search').toBe(
        true,
      );
      await page.evaluate(
        `document.querySelectorAll('.d-navbar-links li').forEach((link) => link.after(link.cloneNode(true)))`,
      );
      await page.setViewportSize({ width: 1030, height: 800 });
      expect(await hasRoom('none'), 'four links cover the search of a tablet').toBe(true);
      await page.setViewportSize({ width: 1280, height: 800 });
      const shown = async (path: string): Promise<string[]> => {
        await page.goto(at(theme, path));
        const parts = ['navbar', 'sidebar', 'page-title', 'table-of-contents', 'footer'];
        const visible = await Promise.all(parts.map((id) => page.locator(`#${id}`).isVisible()));
        return parts.filter((_, index) => visible[index]);
      };
      expect(await shown('/modes/wide')).toEqual(['navbar', 'sidebar', 'page-title', 'footer']);
      expect(await shown('/modes/center')).toEqual(['navbar', 'page-title', 'footer']);
      expect(await shown('/modes/frame')).toEqual(['navbar', 'sidebar']);
      expect(await shown('/modes/custom')).toEqual(['navbar']);
      await page.context().close();
    },
  );

  test('the width of a border is enough to show it, subtly, and an input of the author has none', async () => {
    const { page } = await open('mint', '/modes/custom');
    const borderOf = (selector: string) =>
      page.evaluate(`(({ borderTopWidth, borderTopStyle, borderTopColor, color }) =>
        ({ borderTopWidth, borderTopStyle, isSubtle: borderTopColor !== color }))(getComputedStyle(document.querySelector('${selector}')))`);
    const subtle = { borderTopWidth: '1px', borderTopStyle: 'solid', isSubtle: true };
    expect(await borderOf('#framed')).toEqual(subtle);
    expect(await borderOf('#framed-by-class')).toEqual(subtle);
    expect(await borderOf('[aria-label=Bare]')).toMatchObject({ borderTopWidth: '0px' });
    await page.context().close();
  });

  test('styles and scripts of sites find the link, the area and the label of the button in the header', async () => {
    const { page } = await open('mint', '/', { viewport: { width: 1440, height: 900 } });
    await page.addStyleTag({
      content: '#topbar-cta-button > a > span.bg-primary-dark { background: rgb(1, 2, 3) }',
    });
    // The label gets another width when its font has loaded.
    const area = page.locator('#topbar-cta-button a > span').first();
    const button = page.locator('#topbar-cta-button a').first();
    const boxes = () =>
      Promise.all([area, button].map(async (part) => JSON.stringify(await part.boundingBox())));
    await expect.poll(async () => new Set(await boxes()).size).toBe(1);
    await expect
      .poll(() => styleOf(page, '#topbar-cta-button span.absolute', 'backgroundColor'))
      .toBe('rgb(1, 2, 3)');
    await expect
      .poll(() => styleOf(page, '#topbar-cta-button span.z-10', 'backgroundColor'))
      .toBe('rgba(0, 0, 0, 0)');
    await expect.poll(() => page.locator('#topbar-cta-button a[href]').count()).toBe(1);
    await page.context().close();
  });

  test('paragraphs in markup that was copied from a page of the hosted service stand on separate lines', async () => {
    const { page } = await open('mint', '/modes/custom');
    await expect.poll(() => page.locator('#copied').innerText()).toBe('One\nTwo');
    await page.context().close();
  });

  test.each(THEMES)(
    '%s allows custom styles to move and hide the sidebar, the content and the side column',
    async (theme) => {
      const { page } = await open(theme, '/', { viewport: { width: 1440, height: 900 } });
      const box = async (id: string) => {
        const { x, width } = (await page.locator(`#${id}`).boundingBox()) ?? { x: -1, width: -1 };
        return { left: x, right: x + width, width };
      };
      const [sidebar, container, area, rail] = await Promise.all(
        ['sidebar', 'content-container', 'content-area', 'content-side-layout'].map(box),
      );
      expect(container?.left).toBeGreaterThanOrEqual(sidebar?.right ?? 0);
      expect(area?.right).toBeLessThanOrEqual(rail?.left ?? 0);
      expect(rail?.right).toBeLessThanOrEqual(container?.right ?? 0);

      // Without the side column, the article may use its space.
      await page.addStyleTag({
        content: '#content-side-layout { display: none } #content-area { max-width: 100% }',
      });
      // Polled, because even with reduced motion every change takes a millisecond.
      await expect
        .poll(async () => (await box('content-area')).width)
        .toBeGreaterThan((area?.width ?? 0) + (rail?.width ?? 0));
      // A margin of the site replaces the space that the theme reserves for a fixed sidebar.
      await page.addStyleTag({
        content: '#content-container { margin-left: 400px; width: 800px }',
      });
      if (theme !== 'mint') {
        const left = Math.floor((await box('sidebar')).left) + 400;
        await expect.poll(async () => (await box('content-container')).left).toBe(left);
      }
      // Without the sidebar, the content may use the whole page.
      await page.addStyleTag({
        content: '#sidebar { display: none } #content-container { margin-left: 0; width: auto }',
      });
      await expect.poll(async () => (await box('content-container')).width).toBeGreaterThan(1370);
      await expect.poll(() => sidewaysPx(page)).toBe(0);
      await page.context().close();
    },
  );

  test.each(THEMES)(
    '%s keeps its layout if custom styles hide the eyebrow, space paragraphs and color the links of the header',
    async (theme) => {
      const { page } = await open(theme, '/', { viewport: { width: 1440, height: 900 } });
      const top = async (selector: string) =>
        (await page.locator(selector).first().boundingBox())?.y ?? -1;
      const height = async (selector: string) =>
        (await page.locator(selector).first().boundingBox())?.height ?? -1;
      const lines = ['.d-banner', '#sidebar .sidebar-group-header'];
      const before = await Promise.all(lines.map(height));
      const label = '#topbar-cta-button .z-10';
      const color = await styleOf(page, label, 'color');
      await page.addStyleTag({
        content:
          '.eyebrow { display: none !important } p { margin-bottom: 3rem } #navbar a, #sidebar a { color: #123456 !important }',
      });
      await expect.poll(() => top('.eyebrow')).toBe(-1);
      expect((await top('.d-actions')) - (await top('#page-title'))).toBeLessThan(20);
      expect(await top('.d-description')).toBeGreaterThan(
        (await top('#page-title')) + (await height('#page-title')) - 1,
      );
      expect(await Promise.all(lines.map(height))).toEqual(before);
      await expect.poll(() => styleOf(page, label, 'color')).toBe(color);
      await page.context().close();
    },
  );

  test.each(THEMES)('%s has almost no layout shift on a slow network', async (theme) => {
    // The first page fills the cache: without cached styles, nothing is painted before the document
    // is complete.
    const { page } = await open(theme, '/reference/plant');
    const network = await page.context().newCDPSession(page);
    await network.send('Network.emulateNetworkConditions', {
      ...FULL_NETWORK,
      downloadThroughput: SLOW_BYTES_PER_S,
    });
    await page.goto(at(theme, '/'));
    await page.evaluate('document.fonts.ready.then(() => {})');
    // Links of the header may move to make room for the button next to them.
    await expect.poll(() => page.evaluate(LAYOUT_SHIFT)).toBeLessThan(0.02);
    await page.context().close();
  });

  test.each(THEMES)('%s keeps the heading that an address targets visible', async (theme) => {
    const { page } = await open(theme, '/#facts');
    const isInSight = async () => {
      const [top, hidden, height] = (await page.evaluate(HEADING_PLACE)) as [
        number,
        number,
        number,
      ];
      return top > hidden && top < height;
    };
    await expect.poll(isInSight).toBe(true);
    await page.context().close();
  });

  test('open the navigation on small screens in a drawer at the side where reading starts', async () => {
    for (const theme of THEMES) {
      const { page } = await open(theme, '/ar', { viewport: PHONE });
      await expect
        .poll(() => page.locator('#mobile-nav').isVisible(), { message: theme })
        .toBe(false);
      await page.locator('.d-local-menu').click();
      const end = async () => {
        const box = await page.locator('#mobile-nav').boundingBox();
        return box && Math.round(box.x + box.width);
      };
      await expect.poll(end, { message: theme }).toBe(PHONE.width);
      await expect
        .poll(
          () => page.evaluate("getComputedStyle(document.querySelector('article pre')).direction"),
          { message: theme },
        )
        .toBe('ltr');
      await page.context().close();
    }
  });

  test('print the article expanded, in light colors and without what surrounds it', async () => {
    const { page } = await open('aspen', '/', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const text of [
      'Sweet.',
      'Soft.',
      'Twice the root.',
      'Every second day.',
      'plant(kind="pear")',
    ])
      await expect.poll(() => page.getByText(text).isVisible(), { message: text }).toBe(true);
    for (const id of ['navbar', 'sidebar', 'footer', 'pagination', 'banner'])
      await expect.poll(() => page.locator(`#${id}`).isVisible(), { message: id }).toBe(false);
    await expect
      .poll(() => page.evaluate("document.documentElement.classList.contains('dark')"))
      .toBe(false);
    await page.context().close();
  });
});
