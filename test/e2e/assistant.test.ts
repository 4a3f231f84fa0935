import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { call, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const QUESTION = 'How do I rotate a key?';

describe.skipIf(chromiumPath === '')('the assistant in a browser', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let site: string;
  let other: Server;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(docent, 'asked', tarball(fixtureSite('basic')));
    site = `http://asked.localhost:${docent.port}`;
    await settings({ starterQuestions: [QUESTION], botCheck: true });
    other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(otherPage(docent));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    other.close();
    await closeContexts(browser);
  });

  const settings = (changes: object): Promise<Response> =>
    call(docent, docent.adminKey, 'PATCH', '/v1/project/asked/assistant-settings', changes);
  const open = (path: string, options: BrowserContextOptions = {}) =>
    openPage(browser, `${site}${path}`, options);
  const answered = (page: Page): Promise<unknown> =>
    page.locator('.panel .sources').last().waitFor();

  test('opens with Control+I, answers, and stays open when a link of the answer is followed', async () => {
    const { page, faults } = await open('/guides/components');
    await page.evaluate('globalThis.__sameDocument = true');
    await page.keyboard.press('Control+i');
    await page.getByRole('textbox', { name: 'Ask a question…' }).waitFor();
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Enter');
    await answered(page);
    await page.locator('.panel .md a[href*="#rotate-a-key"]').first().click();
    await waitOnPage(page, 'document.querySelector(":target")?.id === "rotate-a-key"');
    await expect.poll(() => page.evaluate('globalThis.__sameDocument === true')).toBe(true);
    await expect.poll(() => page.locator('.panel .question').innerText()).toBe(QUESTION);
    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await expect
      .poll(() =>
        page.getByRole('button', { name: 'Helpful', exact: true }).getAttribute('aria-pressed'),
      )
      .toBe('true');
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('asks the question in the address once, and stores the conversation in the browser', async () => {
    const { page } = await open(`/guides/install?assistant=${encodeURIComponent(QUESTION)}`);
    await answered(page);
    await expect.poll(() => page.url()).toBe(`${site}/guides/install`);
    await page.reload();
    await page.locator('#assistant-entry').click();
    await expect.poll(() => page.locator('.panel .turn').count()).toBe(0);
    await page.getByRole('button', { name: 'Earlier conversations' }).click();
    await page.locator('.panel .row', { hasText: QUESTION }).click();
    await answered(page);
    await page.context().close();
  });

  test('covers neither the content nor the examples of an API page', async () => {
    for (const width of [1200, 1440, 1900]) {
      const { page } = await open('/api/manual', { viewport: { width, height: 800 } });
      const right = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        return box ? Math.round(box.x + box.width) : undefined;
      };
      await page.keyboard.press('Control+i');
      await page.getByRole('textbox', { name: 'Ask a question…' }).waitFor();
      const panel = await page.locator('.panel').boundingBox();
      expect(await right('.d-aside')).toBeLessThanOrEqual(panel?.x ?? 0);
      expect(await right('#content')).toBeLessThanOrEqual(panel?.x ?? 0);
      await page.context().close();
    }
  });

  test('accepts a selection or a code block as the context of a question', async () => {
    const { page, faults } = await open('/guides/install');
    await page.locator('#content p').first().click({ clickCount: 3 });
    await page.locator('.d-selection-ask').click();
    await page.locator('.context', { hasText: 'Selected text' }).waitFor();
    await page.locator('.d-src-ask').first().click();
    await page.locator('.context', { hasText: 'Code' }).waitFor();
    const sent = page.waitForRequest(/_docent\/assistant\/message$/);
    await page.getByRole('button', { name: 'Explain this' }).click();
    expect((await sent).postDataJSON().context).toEqual([
      { type: 'code', value: expect.any(String), path: '/guides/install' },
    ]);
    await answered(page);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['in light', {}],
    ['in dark', { colorScheme: 'dark' as const }],
    ['on a phone', { viewport: { width: 390, height: 844 } }],
  ])('has no serious accessibility violation %s', async (_, options) => {
    const { page, faults } = await open('/guides/install', options);
    await page.locator('#assistant-entry').click();
    await page.getByRole('button', { name: QUESTION }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: QUESTION }).click();
    await answered(page);
    await page.waitForTimeout(300);
    expect(await seriousFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('shows HTML from a model as text, and does not link to addresses that could run code', async () => {
    const { page } = await open('/guides/install');
    await page.route('**/_docent/assistant/message', (route) => {
      const delta =
        '<img src=x onerror="document.title=1"> [a](javascript:document.title=2) [b](https://elsewhere.test/x)';
      const events = [
        { type: 'start', messageId: 'm' },
        { type: 'text-delta', id: '1', delta },
        { type: 'finish' },
      ];
      const body = [...events.map((event) => JSON.stringify(event)), '[DONE]']
        .map((data) => `data: ${data}\n\n`)
        .join('');
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    const title = await page.title();
    await page.evaluate(
      'document.dispatchEvent(new CustomEvent("docent:ask", { detail: { question: "x" } }))',
    );
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await expect.poll(() => page.locator('.panel .md').innerText()).toContain('<img src=x');
    await expect.poll(() => page.locator('.panel .md img').count()).toBe(0);
    const links = page.locator('.panel .md a');
    expect(
      await links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
      ),
    ).toEqual([['https://elsewhere.test/x', 'noreferrer nofollow ugc']]);
    await expect.poll(() => page.title()).toBe(title);
    await page.context().close();
  });

  test('reports a failed request, and retries it on request', async () => {
    const { page } = await open('/guides/install');
    await page.route('**/_docent/assistant/message', (route) => route.abort(), { times: 1 });
    // Without it, the browser cannot answer in place of the server.
    await page.route('**/_docent/answers-*.js', (route) => route.abort());
    await page.evaluate(
      `document.dispatchEvent(new CustomEvent("docent:ask", { detail: { question: "${QUESTION}" } }))`,
    );
    await page.getByText('The assistant could not be reached.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await answered(page);
    await page.context().close();
  });

  test('is absent from the pages of a site that has disabled it', async () => {
    await settings({ enabled: false });
    // The settings are cached for a second.
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const { page } = await open('/guides/install');
    await expect.poll(() => page.locator('#assistant-entry').count()).toBe(0);
    await settings({ enabled: true });
    await page.context().close();
  });

  test('works as a widget on a page of another origin, without adding or inheriting styles', async () => {
    const { port } = other.address() as AddressInfo;
    // Without the animation that opens the panel, in which its look changes.
    const { page, faults } = await openPage(browser, `http://127.0.0.1:${port}/`, {
      reducedMotion: 'reduce',
    });
    const before = await page.evaluate(
      'document.adoptedStyleSheets.length + document.styleSheets.length',
    );
    await page.getByRole('button', { name: 'Ask us' }).click();
    await page.getByRole('textbox', { name: 'Ask a question…' }).fill(QUESTION);
    await page.keyboard.press('Enter');
    await answered(page);
    const source = page.locator('.panel .sources a').first();
    await expect
      .poll(() => source.getAttribute('href'))
      .toContain(`http://docent.localhost:${docent.port}/`);
    await expect.poll(() => source.getAttribute('target')).toBe('_blank');
    const looks = (selector: string) =>
      page.evaluate(`(() => {
        const found = document.querySelector('docent-widget').shadowRoot.querySelector(${JSON.stringify(selector)});
        const { fontStyle, letterSpacing, textTransform, direction, opacity, color, fontFamily, fontSize } = getComputedStyle(found);
        const { x, y, width, height } = found.getBoundingClientRect();
        const box = [x, y, width, height].map(Math.round);
        return { fontStyle, letterSpacing, textTransform, direction, opacity, color, fontFamily, fontSize, box };
      })()`);
    await expect
      .poll(() => page.evaluate('document.adoptedStyleSheets.length + document.styleSheets.length'))
      .toBe(before);
    const parts = ['.launch', '.panel', '.question', '.panel .sources a'];
    const hostile = await Promise.all(parts.map(looks));
    await page.evaluate('for (const style of document.querySelectorAll("style")) style.remove()');
    expect(await Promise.all(parts.map(looks))).toEqual(hostile);
    expect(hostile[0]).toMatchObject({
      fontStyle: 'normal',
      letterSpacing: 'normal',
      textTransform: 'none',
      direction: 'ltr',
    });
    // The accent of the site that it belongs to, in the light appearance.
    const accent = `getComputedStyle(document.querySelector('docent-widget').shadowRoot.querySelector('.launch')).backgroundColor`;
    await expect.poll(() => page.evaluate(accent)).toBe('rgb(15, 118, 110)');
    const names = await page.evaluate(
      'Object.keys(globalThis).filter((name) => /docent/i.test(name)).join()',
    );
    expect(names).toBe('DocentWidget');
    await page.evaluate('DocentWidget.close()');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    expect(faults.filter((fault) => !fault.startsWith('elsewhere: '))).toEqual([]);
    await page.context().close();
  });
});

function otherPage({ apiUrl, assistantKey }: RunningDocent): string {
  const script = `<script src="${apiUrl}/widget.js" data-domain="docent" data-key="${assistantKey}" data-label="Ask us" defer></script>`;
  const every =
    'font: italic 30px/3 fantasy !important; color: red !important; letter-spacing: 9px !important; text-transform: uppercase !important; direction: rtl !important; opacity: 0.3 !important; transform: scale(2) !important; display: none !important';
  const tokens =
    '--d-fg: lime !important; --d-bg: lime !important; --d-accent: lime !important; --d-font-body: fantasy !important';
  const style = `html { font-size: 8px } * { ${tokens} } body * { ${every} }`;
  return `<!doctype html><html lang="en"><head><title>Other</title><link rel="icon" href="data:,"><style>${style}</style></head><body><h1>Other</h1>${script}</body></html>`;
}
