import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { publishFixture } from '../support/http.ts';
import { sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

const PHONE = { viewport: { width: 390, height: 844 } };
const APPEARANCES = ['light', 'dark'] as const;

/**
 * What has moved on a page since it was opened, as browsers measure it. The last thing to move is a
 * mark: all before it is reported.
 */
const LAYOUT_SHIFTS = `new Promise((resolve) => {
  const mark = document.createElement('div');
  mark.textContent = 'The end';
  mark.style = 'position: fixed; top: 0; left: 0; z-index: 9; width: 200px; height: 200px; background: red';
  const moved = [];
  new PerformanceObserver((list, observer) => {
    const sources = list.getEntries().flatMap((entry) => entry.sources);
    moved.push(...sources.filter(({ node }) => node !== mark));
    if (!sources.some(({ node }) => node === mark)) return;
    observer.disconnect();
    resolve(moved.map(({ node }) => (node?.outerHTML ?? node?.textContent)?.slice(0, 80)));
  }).observe({ type: 'layout-shift', buffered: true });
  document.body.append(mark);
  requestAnimationFrame(() => requestAnimationFrame(() => { mark.style.top = '400px'; }));
})`;

/** The rendered boxes of everything that a selector matches, with the start of its markup. */
function boxes(
  page: Page,
  selector: string,
): Promise<{ width: number; height: number; middle: number; markup: string }[]> {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const { width, height, top } = element.getBoundingClientRect();
      return { width, height, middle: top + height / 2, markup: element.outerHTML.slice(0, 120) };
    }),
  );
}

/** Channels of `rgb(1, 2, 3)`. */
function channels(color: string): number[] {
  return (
    color
      .match(/[\d.]+/g)
      ?.slice(0, 3)
      .map(Number) ?? []
  );
}

/** The contrast ratio of two opaque colors by the formula of WCAG 2.2. */
function contrastOf(first: string, second: string): number {
  const [a = 0, b = 0] = [first, second].map((color) => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((channel) =>
      channel <= 10.31 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

describe.skipIf(chromiumPath === '')('a repository written for the hosted service', () => {
  let browser: Browser;
  let site: string;
  const open = (path: string, options: BrowserContextOptions = {}) =>
    openPage(browser, `${site}${path}`, { reducedMotion: 'reduce', ...options });
  const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);

  beforeAll(async () => {
    const [docent, shared] = await Promise.all([sharedDocent(), sharedBrowser()]);
    browser = shared;
    site = await publishFixture(docent, 'rendering');
  });
  afterAll(() => closeContexts(browser));

  test.each(APPEARANCES)(
    'has every icon at a readable size in %s, whether a drawing, a vector file or a picture',
    async (colorScheme) => {
      const { page, faults } = await open('/icons', { colorScheme });
      expect(faults).toEqual([]);
      await page.locator('details.d-accordion > summary').first().waitFor();
      const icons = await boxes(page, '.d-icon:visible');
      expect(icons.length).toBeGreaterThan(25);
      for (const { width, height, markup } of icons) {
        expect(width, markup).toBeGreaterThanOrEqual(12);
        expect(height, markup).toBeGreaterThanOrEqual(12);
        expect(Math.max(width, height), markup).toBeLessThanOrEqual(32);
      }
      const images = [
        '.d-card',
        '.d-pane-head',
        'summary',
        '.d-step',
        '.d-callout',
        '.d-src-bar',
        '.d-badge',
        'p',
        '#sidebar',
        '#navbar',
      ];
      for (const place of images)
        await expect
          .poll(() => page.locator(`${place} img.d-icon:visible`).count(), { message: place })
          .toBeGreaterThan(0);
      expect((await boxes(page, 'img.d-icon[width="32"]'))[0]).toMatchObject({
        width: 32,
        height: 32,
      });
      await page.context().close();
    },
  );

  test('gives buttons the color "dark" in both appearances, with readable text, and its CSS the names of that color', async () => {
    const seen: string[] = [];
    for (const colorScheme of APPEARANCES) {
      const { page } = await open('/', { colorScheme });
      const look = () =>
        page.evaluate<[fill: string, text: string]>(`(() => {
          const area = document.querySelector('#topbar-cta-button .bg-primary-dark');
          const label = document.querySelector('#topbar-cta-button .z-10');
          return [getComputedStyle(area).backgroundColor, getComputedStyle(label).color];
        })()`);
      const [fill, text] = await look();
      expect(channels(fill)).toEqual([0xfa, 0xcc, 0x15]);
      expect(contrastOf(fill, text)).toBeGreaterThanOrEqual(4.5);
      await page.locator('#topbar-cta-button a').hover();
      expect((await look())[0]).toBe(fill);
      await expect
        .poll(() =>
          page.evaluate(
            `getComputedStyle(document.documentElement).getPropertyValue('--primary-dark')`,
          ),
        )
        .toBe('250 204 21');
      seen.push(fill);
      await page.goto(`${site}/nothing`);
      await expect
        .poll(() =>
          styleOf(
            page,
            '.d-not-found-ways .d-btn-accent, .d-not-found .d-btn-accent',
            'backgroundColor',
          ),
        )
        .toBe(fill);
      await page.context().close();
    }
    expect(new Set(seen).size).toBe(1);
  });

  test('shows the repository in the header as a button of one line, with its sign and name', async () => {
    const { page } = await open('/de', { viewport: { width: 1440, height: 900 } });
    const [link, sign, name] = await Promise.all(
      ['a', 'svg', 'div > span'].map((part) =>
        page.locator(`#topbar-cta-button ${part}`).first().boundingBox(),
      ),
    );
    await expect.poll(() => page.locator('#topbar-cta-button').innerText()).toBe('GitHub');
    expect(sign).toMatchObject({ width: 16, height: 16 });
    expect(link?.height).toBeLessThan(40);
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThan((link?.x ?? 0) + (link?.width ?? 0));
    await page.context().close();
  });

  test('does not break phones with styles for the tabs of the header, which computers show', async () => {
    const { page } = await open('/', PHONE);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expect.poll(() => page.locator('#navbar .nav-tabs').isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => page.locator('#navbar .nav-tabs > a:visible').count()).toBe(3);
    await expect.poll(() => styleOf(page, '#navbar .nav-tabs > a', 'marginInlineEnd')).toBe('12px');
    await expect
      .poll(() => page.locator('#navbar .nav-tabs > a[aria-current]').innerText())
      .toBe('Documentation of the shelves');
    await page.context().close();
  });

  test('keeps breadcrumbs on one line without numbers when its CSS styles ordered lists', async () => {
    const { page } = await open('/icons');
    const items = await boxes(page, '.breadcrumb-item');
    expect(items.length).toBeGreaterThan(1);
    expect(new Set(items.map(({ middle }) => middle)).size).toBe(1);
    await expect.poll(() => styleOf(page, '.breadcrumb-item', 'display')).not.toBe('list-item');
    const [trail, title] = await Promise.all(
      ['.breadcrumb-item', '#page-title'].map((selector) =>
        page.locator(selector).first().boundingBox(),
      ),
    );
    expect(trail?.x).toBeCloseTo(title?.x ?? 0, 0);
    await page.goto(`${site}/lines`);
    await expect
      .poll(() => styleOf(page, '#content ol', 'listStyleType'), {
        message: 'lists of the text follow it',
      })
      .toBe('decimal');
    await page.context().close();
  });

  test('selects each component once by a part of its class', async () => {
    const { page } = await open('/icons');
    for (const [name, count] of [
      ['callout', 3],
      ['card', 5],
      ['steps', 1],
      ['accordion', 4],
      ['code-group', 1],
    ] as const) {
      await expect
        .poll(() => page.locator(`#content [class*="${name}"]`).count(), { message: name })
        .toBe(count);
    }
    await page.context().close();
  });

  test('does not move while it loads slowly on a phone, neither a page of the API nor a page of text', async () => {
    for (const path of ['/api-reference/replace-a-shelf', '/']) {
      const { page } = await open('/nothing', PHONE);
      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      await network.send('Network.setCacheDisabled', { cacheDisabled: true });
      await network.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 150 },
        ...{ downloadThroughput: 150_000, uploadThroughput: 50_000 },
      });
      await page.goto(`${site}${path}`);
      await page.waitForLoadState('networkidle');
      await page.evaluate('document.fonts.ready.then(() => {})');
      if (path !== '/')
        await expect.poll(() => page.locator('.d-endpoint button.d-copy').isVisible()).toBe(true);
      await expect.poll(() => page.evaluate(LAYOUT_SHIFTS), { message: path }).toEqual([]);
      await page.context().close();
    }
  });

  test('gives the focus to the page or the heading that a search result opens', async () => {
    const { page } = await open('/');
    const choose = async (words: string, address: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.locator('.d-search input').fill(words);
      await page.getByRole('option', { name: words }).first().click();
      await page.waitForURL(address);
    };
    const focused = () => page.evaluate('document.activeElement.id');
    await choose('Warehouse plan', /changes#warehouse-plan/);
    await expect.poll(focused).toBe('warehouse-plan');
    await choose('Narrow', /narrow$/);
    await expect.poll(focused).toBe('content-area');
    await page.context().close();
  });

  test('shows only the sign of a missing picture in a narrow place, and no code behind the buttons of its block', async () => {
    // The page has a card, so it has the style sheet of components.
    const { page } = await open('/narrow', PHONE);
    await page.evaluate(`document.querySelector('#content').insertAdjacentHTML('beforeend',
      '<div id="places" style="display:flex;gap:8px"><div style="width:40px"><a class="d-outside" href="#x"><span class="d-outside-in">' +
      '<i class="d-sign" data-sign="picture"></i><span>Image</span><small>images.example.com</small></span></a></div></div>')`);
    const [outside] = await boxes(page, '#places .d-outside');
    expect(outside?.width).toBe(40);
    expect(outside?.height).toBeLessThan(90);
    const [block, actions, pre] = await Promise.all(
      ['.d-code', '.d-src-actions', '.d-code > pre'].map((selector) =>
        page.locator(selector).first().boundingBox(),
      ),
    );
    expect((actions?.x ?? 0) + (actions?.width ?? 0)).toBeGreaterThan(
      (block?.x ?? 0) + (block?.width ?? 0) - 2,
    );
    expect(pre?.height).toBeLessThan(60);
    await page
      .locator('.d-code > pre')
      .first()
      .evaluate((element) => element.scrollTo(9999, 0));
    const end = await page.evaluate<number>(`(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.d-code > pre > code'));
      return range.getBoundingClientRect().right;
    })()`);
    expect(end, 'scrolled to its end, all code is before the buttons').toBeLessThanOrEqual(
      actions?.x ?? 0,
    );
    await page.context().close();
  });

  test('keeps icons, badges and pictures on the line of a component that is written on one line', async () => {
    const { page } = await open('/lines');
    const lines = await page.evaluate<
      { text: string; lines: number; outside: number; parts: number }[]
    >(
      `[...document.querySelectorAll('.d-remark-body, .d-box-body, .d-prop-body')].map((body) => {
        const { top, bottom } = body.getBoundingClientRect();
        const parts = [...body.querySelectorAll('.d-icon, .d-badge, img, a')].map((part) => part.getBoundingClientRect());
        return {
          text: body.textContent,
          lines: (bottom - top) / Number.parseFloat(getComputedStyle(body).lineHeight),
          outside: parts.filter((part) => part.top < top - 3 || part.bottom > bottom + 3).length,
          parts: parts.length,
        };
      })`,
    );
    expect(lines).toHaveLength(5);
    for (const { text, lines: count, outside, parts } of lines) {
      expect(parts, text).toBeGreaterThan(0);
      expect(count, text).toBeLessThan(1.3);
      expect(outside, text).toBe(0);
    }
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });
});
