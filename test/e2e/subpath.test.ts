import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { call, fixtureSite, publishArchive, tarball, until } from '../support/http.ts';
import {
  documentedConfigurations,
  hasReverseProxies,
  type ReverseProxy,
  startNginx,
} from '../support/reverse-proxies.ts';
import {
  freePort,
  type RunningDocent,
  removeTemporaryFolders,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const SLUG = 'webpath';
/** A component whose link is made in the browser. */
const TURN = `---
title: Turn
---

export const Turn = () => {
  const [isTurned, setTurned] = useState(false)
  return <p><button onClick={() => setTurned(true)}>Turn</button>{isTurned && <a href="/guides/components">Turned</a>}</p>
}

<Turn />
`;

describe.skipIf(chromiumPath === '' || !hasReverseProxies)(
  'a site below a path of a website, in a browser',
  () => {
    let docent: RunningDocent;
    let browser: Browser;
    let website: string;
    let proxy: ReverseProxy;
    beforeAll(async () => {
      [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
      const folder = await temporaryFolder();
      cpSync(fixtureSite('basic'), folder, { recursive: true });
      writeFileSync(join(folder, 'guides/turn.mdx'), TURN);
      await publishArchive(docent, SLUG, tarball(folder));
      const port = await freePort();
      website = `http://localhost:${port}`;
      const written = documentedConfigurations({
        '127.0.0.1:3000': `127.0.0.1:${docent.port}`,
        'guide.acme-docs.example': `${SLUG}.localhost:${docent.port}`,
      });
      proxy = await startNginx(
        `server {\nlisten 127.0.0.1:${port};\n${written['nginx.conf']?.[0]}\n}`,
        [port],
      );
      const body = { settings: { publicUrl: `${website}/docs` } };
      expect(
        (await call(docent, docent.adminKey, 'PATCH', `/v1/projects/${SLUG}`, body)).status,
      ).toBe(200);
      await until(async () =>
        (await fetch(`${website}/docs/guides/turn`)).status === 200 ? true : undefined,
      );
    }, 240_000);
    afterAll(async () => {
      await proxy?.stop();
      await removeTemporaryFolders();
      await closeContexts(browser);
    });

    test('has working fonts, islands, links, search, answers and events, and requests nothing outside the path', async () => {
      const requested = new Set<string>();
      const { page, faults } = await openPage(
        browser,
        `${website}/docs/guides/turn`,
        {},
        (opened) =>
          opened.on('request', (request) => {
            const { pathname, protocol } = new URL(request.url());
            if (protocol !== 'data:') requested.add(pathname);
          }),
      );
      await page.evaluate('globalThis.__sameDocument = true');
      await page.evaluate('document.fonts.ready');
      await expect
        .poll(() =>
          page.evaluate('[...document.fonts].filter((font) => font.status === "loaded").length'),
        )
        .toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Turn' }).click();
      await page.getByRole('link', { name: 'Turned' }).click();
      await waitOnPage(page, 'document.querySelector("h1")?.innerText === "Components"');
      await expect.poll(() => page.url()).toBe(`${website}/docs/guides/components`);
      await page.keyboard.press('Control+k');
      await page.locator('dialog.d-search input').fill('install');
      await page.locator('dialog.d-search [role="option"]', { hasText: 'Install' }).first().click();
      await waitOnPage(page, 'document.querySelector("h1")?.innerText === "Install"');
      await expect.poll(() => page.url().split('#')[0]).toBe(`${website}/docs/guides/install`);
      await page.locator('a[href="/docs/guides/components"]:visible').first().click();
      await waitOnPage(page, 'document.querySelector("h1")?.innerText === "Components"');
      await page.keyboard.press('Control+i');
      await page.getByRole('textbox', { name: 'Ask a question…' }).waitFor();
      await page.keyboard.type('How do I rotate a key?');
      await page.keyboard.press('Enter');
      await page.locator('.panel .sources').last().waitFor();
      await page.locator('.panel .md a[href*="#rotate-a-key"]').first().click();
      await waitOnPage(page, 'document.querySelector(":target")?.id === "rotate-a-key"');
      await expect.poll(() => page.url()).toBe(`${website}/docs/guides/install#rotate-a-key`);
      await expect.poll(() => page.evaluate('globalThis.__sameDocument === true')).toBe(true);
      await page.context().close();
      expect(faults).toEqual([]);
      expect([...requested].filter((path) => !/^\/docs(?:\/|$)/.test(path))).toEqual([]);
      const used = [
        '/docs/_docent/search-index-',
        '/docs/_docent/assistant/message',
        '/docs/_docent/islands-',
      ];
      for (const start of used)
        expect([start, [...requested].some((path) => path.startsWith(start))]).toEqual([
          start,
          true,
        ]);
    });
  },
);
