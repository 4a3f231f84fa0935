import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { fetchSite, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const ALL = {
  adobe: { launchUrl: 'https://assets.adobedtm.com/a/b/launch-x.min.js' },
  amplitude: { apiKey: 'k1' },
  clarity: { projectId: 'k2' },
  clearbit: { publicApiKey: 'k3' },
  fathom: { siteId: 'k4' },
  ga4: { measurementId: 'G-K5' },
  gtm: { tagId: 'GTM-K6' },
  heap: { appId: '77' },
  hightouch: { writeKey: 'k8' },
  hotjar: { hjid: '99', hjsv: '6' },
  hubspot: { portalId: '88', region: 'eu1' },
  koala: { publicApiKey: 'k10' },
  logrocket: { appId: 'acme/docs' },
  mixpanel: { projectToken: 'k11' },
  pirsch: { id: 'k12' },
  plausible: { domain: 'docs.acme.example' },
  posthog: { apiKey: 'phc_k13', apiHost: 'https://relay.acme.example/ph' },
  segment: { key: 'k14' },
  crisp: { websiteId: 'k17' },
  frontchat: { snippetId: 'k15' },
  intercom: { appId: 'k16' },
};

async function archive(integrations: object): Promise<Buffer<ArrayBuffer>> {
  const folder = await temporaryFolder();
  const config = {
    theme: 'mint',
    name: 'Measured',
    colors: { primary: '#0f766e' },
    integrations,
    navigation: { pages: ['index', 'next'] },
  };
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config));
  await writeFile(
    join(folder, 'index.mdx'),
    '---\ntitle: "Start here"\n---\n\nThen [go on](/next).\n',
  );
  await writeFile(join(folder, 'next.mdx'), '---\ntitle: "Next"\n---\n\nText.\n');
  return tarball(folder);
}

interface Visit {
  page: Page;
  /** Addresses of other hosts that the page requested. */
  asked: string[];
  faults: string[];
}

describe.skipIf(chromiumPath === '')('scripts of other services', () => {
  let docent: RunningDocent;
  let browser: Browser;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([
      startDocent({ env: { DOCENT_INTEGRATIONS: 'on' } }),
      sharedBrowser(),
    ]);
    await publishArchive(docent, 'all', await archive(ALL));
    await publishArchive(
      docent,
      'asks',
      await archive({ ga4: ALL.ga4, cookies: { key: 'agreed', value: 'yes' } }),
    );
    await publishArchive(
      docent,
      'hostile',
      await archive({
        ga4: { measurementId: "G-1';alert(1)//" },
        gtm: { tagId: '"><script>alert(1)</script>' },
        plausible: { domain: 'a.example', server: 'x.example; script-src *' },
        posthog: { apiKey: 'k', apiHost: 'http://x.example' },
        adobe: { launchUrl: 'javascript:alert(1)//.js' },
        hotjar: { hjid: '1 2' },
      }),
    );
  });
  afterAll(async () => {
    await closeContexts(browser);
    await docent.stop();
    await removeTemporaryFolders();
  });

  /** Opens a site; other hosts respond with `script`, or are blocked. */
  async function visit(
    slug: string,
    script: string | undefined,
    options: BrowserContextOptions = {},
    port = docent.port,
  ): Promise<Visit> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.route(
      (address) => !address.hostname.endsWith('localhost'),
      (route) => {
        asked.push(route.request().url());
        return script === undefined
          ? route.abort('blockedbyclient')
          : route.fulfill({ contentType: 'text/javascript', body: script });
      },
    );
    await page.goto(`http://${slug}.localhost:${port}/`);
    return { page, asked, faults };
  }

  it('load once from their own addresses, within the policy of the site and without an error', async () => {
    const { page, asked, faults } = await visit('all', 'window.loaded = (window.loaded ?? 0) + 1;');
    await waitOnPage(page, `window.loaded === ${Object.keys(ALL).length}`);
    expect([...asked].sort()).toEqual(
      [
        'https://assets.adobedtm.com/a/b/launch-x.min.js',
        'https://cdn.amplitude.com/script/k1.js',
        'https://www.clarity.ms/tag/k2',
        'https://tag.clearbitscripts.com/v1/k3/tags.js',
        'https://cdn.usefathom.com/script.js',
        'https://www.googletagmanager.com/gtag/js?id=G-K5',
        'https://www.googletagmanager.com/gtm.js?id=GTM-K6',
        'https://cdn.heapanalytics.com/js/heap-77.js',
        'https://cdn.hightouch-events.com/browser/release/v1-latest/events.min.js',
        'https://static.hotjar.com/c/hotjar-99.js?sv=6',
        'https://js-eu1.hs-scripts.com/88.js',
        'https://cdn.getkoala.com/v1/k10/sdk.js',
        'https://cdn.logr-in.com/LogRocket.min.js',
        'https://cdn.mxpnl.com/libs/mixpanel-2-latest.min.js',
        'https://api.pirsch.io/pa.js',
        'https://plausible.io/js/script.js',
        'https://relay.acme.example/ph/static/array.js',
        'https://cdn.segment.com/analytics.js/v1/k14/analytics.min.js',
        'https://client.crisp.chat/l.js',
        'https://chat-assets.frontapp.com/v1/chat.bundle.js',
        'https://widget.intercom.io/widget/k16',
      ].sort(),
    );
    const waiting = await page.evaluate(
      `({ ga: dataLayer.filter((one) => one[0] === 'config').map((one) => one[1]), hj: _hjSettings.hjid, intercom: intercomSettings.app_id, crisp: CRISP_WEBSITE_ID,
          site: document.querySelector('script[data-site]').dataset.site, segment: analytics[0][0] })`,
    );
    expect(waiting).toEqual({
      ga: ['G-K5'],
      hj: '99',
      intercom: 'k16',
      crisp: 'k17',
      site: 'k4',
      segment: 'page',
    });
    await page.locator('#content a', { hasText: 'go on' }).click();
    await page.getByRole('heading', { name: 'Next' }).waitFor();
    expect(asked).toHaveLength(Object.keys(ALL).length);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('cause no error if a blocker stops them', async () => {
    const { page, asked, faults } = await visit('all', undefined);
    await expect.poll(() => asked.length).toBe(Object.keys(ALL).length);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(faults.filter((fault) => !fault.includes('ERR_BLOCKED_BY_CLIENT'))).toEqual([]);
    await page.context().close();
  });

  it('wait for the consent of the reader if the site requires it, and remember the choice', async () => {
    const { page, asked, faults } = await visit('asks', 'window.loaded = 1;');
    const bar = page.getByRole('region', { name: /This site would like to use services/ });
    await bar.waitFor();
    expect(asked).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Decline' }).click();
    await page.reload();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => bar.count()).toBe(0);
    expect(asked).toEqual([]);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await bar.getByRole('button', { name: 'Allow' }).click();
    await waitOnPage(page, 'window.loaded === 1');
    await expect.poll(() => page.evaluate(`localStorage.getItem('agreed')`)).toBe('yes');
    await page.reload();
    await waitOnPage(page, 'window.loaded === 1');
    await expect.poll(() => bar.count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('for analytics are not loaded with Global Privacy Control, while those for chats are', async () => {
    const context = await browser.newContext();
    await context.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
    );
    const quiet = await context.newPage();
    const hosts: string[] = [];
    await quiet.route(
      (address) => !address.hostname.endsWith('localhost'),
      (route) => {
        hosts.push(new URL(route.request().url()).hostname);
        return route.fulfill({ contentType: 'text/javascript', body: '' });
      },
    );
    await quiet.goto(`http://all.localhost:${docent.port}/`);
    await expect
      .poll(() => hosts.sort())
      .toEqual(['chat-assets.frontapp.com', 'client.crisp.chat', 'widget.intercom.io']);
    await context.close();
  });

  it('ignore keys that could become a script, a directive or another kind of address', async () => {
    const { page, asked, faults } = await visit('hostile', 'window.loaded = 1;');
    await page.waitForLoadState('networkidle');
    // PostHog and Plausible keep their own hosts; everything else has no key left.
    await expect
      .poll(() => asked.sort())
      .toEqual(['https://plausible.io/js/script.js', 'https://us.i.posthog.com/static/array.js']);
    const response = await fetchSite(docent, 'hostile', '/');
    expect(response.headers.get('content-security-policy')).not.toContain('x.example');
    expect(await response.text()).not.toContain('alert(1)');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('are neither loaded nor allowed by the policy unless the operator enables them', async () => {
    const other = await startDocent();
    await publishArchive(other, 'all', await archive(ALL));
    const { page, asked } = await visit('all', '', {}, other.port);
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    const policy = (await fetchSite(other, 'all', '/')).headers.get('content-security-policy');
    expect(policy).not.toContain('googletagmanager');
    await page.context().close();
    await other.stop();
  });
});
