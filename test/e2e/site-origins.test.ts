import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escapeHtml } from '@docent/format/html.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, closeContexts, openPage, sharedBrowser } from '../support/browser.ts';
import { fetchLocal, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { createSamlProvider } from '../support/saml-provider.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** A script that returns what it can access outside its own site, one line each. */
const LOOT = `async ({ victim, platform }) => {
  const found = [];
  const attempt = async (name, take) => {
    try {
      const taken = await take();
      if (taken !== null && taken !== undefined) found.push(name + ': ' + String(taken).slice(0, 60));
    } catch {}
  };
  const read = async (address, init) => {
    const answer = await fetch(address, init);
    return answer.status + ' ' + (await answer.text());
  };
  const post = (body) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  });
  const question = { fp: 'a', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'install' }] }] };
  await attempt('local storage', () => localStorage.getItem('secret'));
  await attempt('session storage', () => sessionStorage.getItem('secret'));
  await attempt('cookies', () => (document.cookie.includes('secret') ? document.cookie : null));
  await attempt('databases', async () => (await indexedDB.databases()).find(({ name }) => name === 'secret')?.name);
  for (const address of [victim + 'guides/install', platform + '/v1/projects', platform + '/metrics']) {
    await attempt('fetch of ' + address, () => read(address));
    await attempt('document of ' + address, async () => {
      const frame = document.createElement('iframe');
      frame.src = address;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      return frame.contentDocument?.documentElement.outerHTML ?? frame.contentWindow.document.title;
    });
  }
  await attempt('assistant', () => read(victim + '_docent/assistant/message', post(question)));
  await attempt('assistant settings', () => read(victim + '_docent/assistant/settings'));
  await attempt('mcp', () => read(victim + 'mcp', post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })));
  await attempt('markdown', () => read(victim + 'guides/install.md'));
  for (const scope of [victim, platform + '/'])
    await attempt('service worker of ' + scope, async () =>
      (await navigator.serviceWorker.register(scope + 'script.js', { scope })).scope);
  return found;
}`;

describe.skipIf(chromiumPath === '')('sites of one platform in a browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    const archive = tarball(fixtureSite('small'));
    for (const slug of ['victim', 'evil']) await publishArchive(docent, slug, archive);
  }, 240_000);
  afterAll(() => closeContexts(browser));

  const ways = {
    'at their own addresses': (slug: string) => `http://${slug}.localhost:${docent.port}/`,
    'in a sandbox, by IP address': (slug: string) =>
      `http://127.0.0.1:${docent.port}/sites/${slug}/`,
  };

  test.each(Object.entries(ways))(
    '%s cannot read anything of each other or of the platform',
    async (_, addressOf) => {
      const context = await browser.newContext();
      const victim = await context.newPage();
      await victim.goto(`${addressOf('victim')}guides/install`);
      const keep = `try { localStorage.setItem('secret', 'x'); sessionStorage.setItem('secret', 'x'); document.cookie = 'secret=x'; indexedDB.open('secret'); } catch {}`;
      await victim.evaluate(keep);
      const evil = await context.newPage();
      await evil.goto(`${addressOf('evil')}guides/install`);
      const platform =
        new URL(addressOf('evil')).hostname === '127.0.0.1'
          ? `http://127.0.0.1:${docent.port}`
          : docent.apiUrl;
      const taken = await evil.evaluate(
        `(${LOOT})(${JSON.stringify({ victim: addressOf('victim'), platform })})`,
      );
      expect(taken).toEqual([]);
      const opened = context.waitForEvent('page');
      await evil.evaluate(
        `void (globalThis.opened = open(${JSON.stringify(`${addressOf('victim')}guides/install`)}))`,
      );
      await (await opened).waitForLoadState();
      const title =
        'try { globalThis.opened?.document.title ?? "no window" } catch (error) { error.name }';
      expect(['no window', 'SecurityError']).toContain(await evil.evaluate(title));
      await context.close();
    },
  );

  test('in a sandbox have working fonts, links and search, without errors', async () => {
    const { page, faults } = await openPage(
      browser,
      `${ways['in a sandbox, by IP address']('victim')}guides/install`,
    );
    await expect.poll(() => page.evaluate('origin')).toBe('null');
    await page.evaluate('document.fonts.ready');
    const fonts = await page.evaluate(
      '[...document.fonts].filter((font) => font.status === "loaded").length',
    );
    expect(fonts).toBeGreaterThan(0);
    await expect.poll(() => page.locator('#assistant-entry').count()).toBe(0);
    await page.locator('a[href="/sites/victim/guides/components"]:visible').first().click();
    await page.waitForURL('**/guides/components');
    await page.keyboard.press('Control+k');
    await page.locator('dialog.d-search input').fill('install');
    await page.locator('dialog.d-search [role="option"]').first().click();
    await page.waitForURL('**/guides/install*');
    await page.locator('h1').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('sign their readers in with a form that the page of a SAML provider sends from another site', async () => {
    const provider = createSamlProvider();
    const site = `http://signed.localhost:${docent.port}`;
    const server = createServer(async (request, response) => {
      const metadata = await (await fetchLocal(`${site}/login/saml-metadata`)).text();
      const address = `http://127.0.0.1${request.url}`;
      const { xml, action } = await provider.signIn(address, metadata, new Date(), {});
      response
        .setHeader('content-type', 'text/html')
        .end(
          `<form method="post" action="${escapeHtml(action)}"><input name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}"></form><script>document.forms[0].submit()</script>`,
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await publishArchive(docent, 'signed', tarball(fixtureSite('small')));
      const { entityId, certificate } = provider;
      const signInUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso`;
      const saml = { entityId, signInUrl, certificates: [certificate] };
      const changed = await fetch(`${docent.apiUrl}/v1/projects/signed/access`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ visibility: 'private', saml }),
      });
      expect(changed.status, await changed.text()).toBe(200);
      await expect
        .poll(async () => (await fetchLocal(`${site}/login/saml-metadata`)).status, {
          timeout: 60_000,
        })
        .toBe(200);
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${site}/guides/install`);
      await page.waitForURL(`${site}/guides/install`);
      await page.locator('h1', { hasText: 'Install' }).first().waitFor();
      await page.context().close();
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
