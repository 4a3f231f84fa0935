import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, sharedBrowser } from '../support/browser.ts';
import { fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

interface Sent {
  t: string;
  path: string;
  [name: string]: unknown;
}

/**
 * Opens a page as a reader, and returns the events that it sends and a function that waits for a
 * matching one.
 */
async function read(browser: Browser, address: string) {
  let events = {} as ReturnType<typeof watchEvents>;
  const opened = await openPage(browser, address, {}, (page) => {
    events = watchEvents(page);
  });
  return { ...opened, ...events };
}

function watchEvents(page: Page) {
  const sent: Sent[] = [];
  const requests: Request[] = [];
  const waiting: { fits: (event: Sent) => boolean; resolve: (event: Sent) => void }[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/_docent/events')) return;
    const { events } = JSON.parse(request.postData() ?? '{"events":[]}') as { events: Sent[] };
    sent.push(...events);
    requests.push(request);
    for (const one of waiting) {
      const found = sent.find(one.fits);
      if (found) one.resolve(found);
    }
  });
  const next = (fits: (event: Sent) => boolean): Promise<Sent> => {
    const known = sent.find(fits);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => waiting.push({ fits, resolve }));
  };
  /**
   * Resolves once the server has received every request; requests in flight are lost when the
   * context closes.
   */
  const delivered = () => Promise.all(requests.map((request) => request.response()));
  return { sent, next, delivered };
}

describe.skipIf(chromiumPath === '')('analytics of a site', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let site: string;
  let slug: string;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
  });
  // Each attempt counts on a site of its own.
  beforeEach(async () => {
    slug = `counted-${Date.now()}`;
    await publishArchive(docent, slug, tarball(fixtureSite('basic')));
    site = `http://${slug}.localhost:${docent.port}`;
  });
  afterAll(() => closeContexts(browser));

  const figures = async (path: string) => {
    const response = await fetch(`${docent.apiUrl}/v1/analytics/${slug}/${path}`, {
      headers: { authorization: `Bearer ${docent.adminKey}` },
    });
    return (await response.json()) as Record<string, never>;
  };

  test('count searches and page views, including instant navigation, and send them to the site itself', async () => {
    const { page, faults, sent, next, delivered } = await read(
      browser,
      `${site}/guides/components?utm_source=mail&secret=1`,
    );
    await next(({ t, path }) => t === 'page' && path === '/guides/components');
    await page.locator('#navigation-items').getByRole('link', { name: 'Install' }).first().click();
    await next(({ t, path }) => t === 'page' && path === '/guides/install');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('install');
    // A page, not the row of the assistant, which is shown before the index is loaded.
    await page
      .getByRole('option', { name: /Install/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const search = await next(({ t }) => t === 'search');
    expect(search).toMatchObject({
      query: 'install',
      opened: expect.stringMatching(/^\//),
      position: 1,
    });
    expect(sent.find(({ t }) => t === 'page')).toMatchObject({ campaign: ['mail', '', '', ''] });
    expect(sent.find(({ t }) => t === 'time')).toMatchObject({
      path: '/guides/components',
      ms: expect.any(Number),
    });
    expect(JSON.stringify(sent)).not.toContain('secret');
    expect(faults).toEqual([]);
    await delivered();
    await page.context().close();
    await expect
      .poll(() => figures('views'))
      .toMatchObject({
        totals: { ai: 0 },
        views: expect.arrayContaining([{ path: '/guides/components', human: 1, ai: 0, total: 1 }]),
      });
    const searches = { totalSearches: 1, searches: [{ searchQuery: 'install', ctr: 1 }] };
    await expect.poll(() => figures('searches')).toMatchObject(searches);
    expect(await figures('visitors')).toMatchObject({ totals: { human: 1 } });
  });

  test('report an address without a page as missing, and do not count a page that is left immediately', async () => {
    const { page, next } = await read(browser, `${site}/not/here`);
    expect(await next(({ t }) => t === 'missing')).toMatchObject({ path: '/not/here' });
    await page.context().close();
    const context = await browser.newContext();
    const short = await context.newPage();
    // The clock of this page is paused, so that no second passes even in a slow browser.
    await short.clock.install();
    await short.clock.pauseAt(Date.now() + 60_000);
    const { sent } = watchEvents(short);
    await short.goto(`${site}/guides/install`);
    await short.goto('about:blank');
    expect(sent).toEqual([]);
    await context.close();
  });

  test('count a page that is left after its first second, before its events are due', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${site}/v1/guides/install`);
    await page.clock.runFor(1500);
    await page.goto('about:blank');
    const view = { path: '/v1/guides/install', human: 1, ai: 0, total: 1 };
    await expect
      .poll(() => figures('views'))
      .toMatchObject({ views: expect.arrayContaining([view]) });
    await context.close();
  });

  test('send nothing for readers with Global Privacy Control', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(
      'Object.defineProperty(navigator, "globalPrivacyControl", { get: () => true })',
    );
    const { sent } = watchEvents(page);
    await page.goto(`${site}/guides/components`);
    await page.keyboard.press('Tab');
    await page.goto('about:blank');
    expect(sent).toEqual([]);
    await context.close();
  });

  test('do not count a search that a dashboard link opens, or the navigation that follows', async () => {
    const { page, sent, next } = await read(
      browser,
      `${site}/guides/components#search=install&uncounted`,
    );
    const option = page.getByRole('option', { name: /Install/ }).first();
    await option.waitFor();
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('install');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Install' }).waitFor();
    await page.goto(`${site}/guides/components#search=install`);
    await option.waitFor();
    await page.keyboard.press('Enter');
    await next(({ t }) => t === 'search');
    expect(sent.filter(({ t }) => t === 'search')).toHaveLength(1);
    expect(sent.filter(({ path }) => path === '/guides/install').length).toBeLessThan(2);
    await page.context().close();
  });

  test('cause no layout shift while events are sent', async () => {
    const { page, next } = await read(browser, `${site}/guides/components`);
    await next(({ t }) => t === 'page');
    const shift = await page.evaluate(`new Promise((resolve) => {
      let sum = 0;
      const add = (entries) => entries.forEach(({ value }) => { sum += value; });
      const observer = new PerformanceObserver((list) => add(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => {
        add(observer.takeRecords());
        resolve(sum);
      }));
    })`);
    expect(shift).toBeLessThan(0.01);
    await page.context().close();
  });
});
