import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, sharedBrowser } from '../support/browser.ts';
import { publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/**
 * What the generic rules of EasyPrivacy have in common (its `easyprivacy_general.txt`, read on
 * 2026-11-22): words such as
 * `analytics`, `beacon` and `tracking` between separators, in a path or a query. This blocks more than the rules, which require two
 * such words, or one and an extension.
 */
const TRACKERS =
  /(?:^|[/._?&=-])(?:\w*analytics?|beacons?|collect(?:or)?|counter|events?-?track\w*|fingerprint|hits?|log(?:ger|ging)?|metrics?|page-?views?|ping|pixel|statistics|stats?|telemetry|track\w*)(?=[/._?&=-]|$)/i;
/**
 * What the generic rules of EasyList hide (its `easylist_general_hide.txt`): ids and classes of
 * advertisements.
 */
const ADS = [
  'ad',
  'ads',
  'advert',
  'advertisement',
  'banner-ad',
  'promo',
  'sponsor',
  'sponsored',
  'adsbox',
]
  .flatMap((name) => [
    `#${name}`,
    `.${name}`,
    `[id^="${name}-"]`,
    `[class^="${name}-"]`,
    `[class*=" ${name}-"]`,
  ])
  .join();

/** Writes a site with a page whose own path matches such a rule. */
async function blockedSite(): Promise<string> {
  const folder = await temporaryFolder();
  const pages = {
    'index.mdx': '---\ntitle: "Start"\n---\n\nGo to [Tracking](/analytics/tracking).\n',
    'analytics/tracking.mdx':
      '---\ntitle: "Tracking"\n---\n\nTracking of parcels needs a number. Back to [Start](/).\n\n```js\ncopy();\n```\n',
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Blocked',
      colors: { primary: '#0f766e' },
      feedback: { thumbsRating: true },
      navigation: { pages: ['index', 'analytics/tracking'] },
    }),
  };
  await mkdir(join(folder, 'analytics'), { recursive: true });
  for (const [name, text] of Object.entries(pages)) await writeFile(join(folder, name), text);
  return folder;
}

describe.skipIf(chromiumPath === '')('content blockers', () => {
  let docent: RunningDocent;
  let browser: Browser;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(docent, 'blocked', tarball(await blockedSite()));
  });
  afterAll(async () => {
    await closeContexts(browser);
    await removeTemporaryFolders();
  });

  test('do not break a site: pages, search, the assistant and feedback work', async () => {
    const page = await browser.newPage();
    const errors: string[] = [];
    const asked: string[] = [];
    const blocked: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.route('**', (route) => {
      const request = route.request();
      const { pathname, search } = new URL(request.url());
      // The lists have no rules for pages that a reader opens, only for what these load.
      if (request.isNavigationRequest()) return route.continue();
      asked.push(pathname);
      if (!TRACKERS.test(pathname + search) && pathname !== '/_docent/events')
        return route.continue();
      blocked.push(pathname);
      return route.abort('blockedbyclient');
    });
    await page.addInitScript('navigator.sendBeacon = () => { throw new Error("blocked"); }');
    await page.goto(`http://blocked.localhost:${docent.port}/`);
    await expect.poll(() => page.locator(ADS).count()).toBe(0);
    await page.locator('#content').getByRole('link', { name: 'Tracking' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tracking' }).waitFor();
    await page.locator('#content').getByRole('link', { name: 'Start' }).click();
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await page.getByText('Thank you for your feedback.').waitFor();
    await page.locator('[data-assistant-open]').first().click();
    await page
      .getByRole('textbox', { name: 'Ask a question…' })
      .fill('What does tracking of parcels need?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Helpful', exact: true }).waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('tracking');
    await page
      .getByRole('option', { name: /Tracking/ })
      .first()
      .waitFor();
    await expect.poll(() => page.locator(ADS).count()).toBe(0);
    // Only the fetch of the site's own page, whose path matches the lists, was blocked, and the
    // browser opened the page instead.
    expect([...new Set(blocked)]).toEqual(['/analytics/tracking']);
    expect(asked).toEqual(
      expect.arrayContaining(['/_docent/assistant/message', '/_docent/feedback']),
    );
    expect(errors).toEqual([]);
    await page.close();
  });
});
