import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mediaTypeOf } from '@docent/format/media-types.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { fixtureSite } from '../support/http.ts';
import { removeTemporaryFolders, runDocent, temporaryFolder } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine, and drawing diagrams begins with five megabytes of
// script.
vi.setConfig({ testTimeout: 180_000 });

/** Serves a folder like any static host. */
async function serveFolder(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const bytes = await readFile(join(folder, pathname)).catch(() => undefined);
    response
      .writeHead(bytes ? 200 : 404, {
        'content-type': mediaTypeOf(pathname) ?? 'text/html; charset=utf-8',
      })
      .end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const diagramTexts = (page: Page) =>
  page.$$eval('docent-mermaid', (all) =>
    all.map((one) => `${one.getAttribute('data-drawn')} ${one.textContent}`),
  );

async function waitForDiagrams(page: Page): Promise<void> {
  const drawn =
    "[...document.querySelectorAll('docent-mermaid')].every((one) => one.dataset.drawn)";
  await waitOnPage(page, drawn, 60_000);
}

describe.skipIf(chromiumPath === '')('code, diagrams and formulas', () => {
  let browser: Browser;
  let folder: string;
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const { code, stderr } = await runDocent(['build', fixtureSite('code'), '--out', folder]);
    expect(code, stderr).toBe(0);
    server = await serveFolder(folder);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await closeContexts(browser);
    server?.close();
    await removeTemporaryFolders();
  });

  test('a diagram is drawn, an invalid one is replaced by its error, and neither of them runs or loads anything', async () => {
    const { page, faults } = await openPage(browser, `${origin}/diagrams.html`);
    await waitForDiagrams(page);
    const [first, second, third] = await diagramTexts(page);
    expect(first).toMatch(/^light .*Ready\?/s);
    expect(second).toMatch(/^light .*Hello Bob/s);
    expect(third).toMatch(/^failed .*A --> --> \(\(/s);
    await expect.poll(() => page.locator('docent-mermaid svg').first().isVisible()).toBe(true);
    await page.locator('docent-mermaid .node').first().click();
    await page.getByText('Go', { exact: true }).click();
    await expect.poll(() => page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(faults).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test('a diagram that is far wider than the page stays readable and scrolls horizontally', async () => {
    const { page } = await openPage(browser, `${origin}/diagrams.html`);
    await waitForDiagrams(page);
    const stage = "[...document.querySelectorAll('.d-diagram-stage')].at(-1)";
    const sizes = await page.evaluate(
      `[${stage}.scrollWidth / ${stage}.offsetWidth, ${stage}.querySelector('.nodeLabel').getBoundingClientRect().height]`,
    );
    expect((sizes as number[])[0]).toBeGreaterThan(1.3);
    expect((sizes as number[])[1]).toBeGreaterThan(7);
    await page.context().close();
  });

  test('a diagram pans and zooms with buttons and keys, and follows the color scheme', async () => {
    const { page } = await openPage(browser, `${origin}/diagrams.html`);
    await waitForDiagrams(page);
    const diagram = page.locator('docent-mermaid').first();
    const canvas = diagram.locator('.d-diagram-canvas');
    const transform = async () => (await canvas.getAttribute('style')) ?? '';
    await diagram.getByRole('button', { name: 'Zoom in' }).press('Enter');
    await expect.poll(transform).toContain('scale(1.3)');
    await diagram.locator('.d-diagram-stage').focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(transform).toMatch(/translate\(-?[1-9].*scale\(1\.3\)/);
    await page.keyboard.press('0');
    await expect.poll(transform).toBe('');
    await diagram.getByRole('button', { name: 'Full screen' }).press('Enter');
    await page.locator('dialog.d-diagram-full svg').first().waitFor();
    await page.keyboard.press('Escape');
    await diagram.locator('svg').first().waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('docent-mermaid[data-drawn="dark"]').first().waitFor();
    await page.context().close();
  });

  test('a diagram pans by dragging, zooms with Ctrl and the wheel or two fingers, and one finger scrolls the page', async () => {
    const { page } = await openPage(browser, `${origin}/diagrams.html`, { hasTouch: true });
    await waitForDiagrams(page);
    const stage = page.locator('docent-mermaid .d-diagram-stage').first();
    const transform = async () =>
      (await stage.locator('.d-diagram-canvas').getAttribute('style')) ?? '';
    const box = await stage.boundingBox();
    if (!box) throw new Error('The diagram is not shown.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 10);
    expect(await transform()).toBe('');
    await page.evaluate('scrollTo(0, 0)');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -10);
    await page.keyboard.up('Control');
    await expect.poll(transform).toMatch(/scale\([1-9]/);
    await stage.press('0');
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 20, { steps: 4 });
    await page.mouse.up();
    expect(await transform()).toBe('transform: translate(40px, 20px) scale(1);');
    await stage.press('0');

    const client = await page.context().newCDPSession(page);
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      ...touchPoints: { x: number; y: number; id: number }[]
    ) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', { x, y, id: 0 });
    await touch('touchMove', { x, y: y + 30, id: 0 });
    await touch('touchEnd');
    expect(await transform()).toBe('');
    await touch('touchStart', { x: x - 20, y, id: 0 }, { x: x + 20, y, id: 1 });
    await touch('touchMove', { x: x - 40, y, id: 0 }, { x: x + 40, y, id: 1 });
    await touch('touchEnd');
    await expect.poll(transform).toContain('scale(2)');
    await page.context().close();
  });

  test('formulas load their fonts from the same origin, and prices are not formulas', async () => {
    const { page, faults } = await openPage(browser, `${origin}/formulas.html`);
    await page.evaluate('document.fonts.ready');
    const fonts = await page.evaluate(
      '[...document.fonts].filter((font) => font.status === "loaded").map((font) => font.family)',
    );
    expect(fonts).toContain('KaTeX_Main');
    await expect.poll(() => page.getByText('it costs from $5 to $10.').isVisible()).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('types are shown on hover and by keyboard, and only the code itself is copied', async () => {
    const { page, faults } = await openPage(browser, `${origin}/index.html`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.d-hint', { hasText: 'adopt' }).first().hover();
    const tooltip = page.getByRole('tooltip');
    await expect
      .poll(() => tooltip.textContent())
      .toContain('function adopt(name: string): number');
    await page.keyboard.press('Escape');
    await expect.poll(() => tooltip.count()).toBe(0);
    await page.locator('.d-hint[tabindex="0"]').first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => tooltip.textContent()).toContain('(parameter) name: string');
    await page.locator('docent-code').first().getByRole('button', { name: 'Copy' }).click();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('const count = adopt("Mia");');
    expect(copied).not.toContain('const count: number');
    await page.locator('docent-code').nth(1).getByRole('button', { name: 'Copy' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe('const kept = 1;\nconst fresh = 3;');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('diagrams and formulas work from the disk while offline, and a diagram without scripts shows its text', async () => {
    const address = (name: string) => pathToFileURL(join(folder, name)).href;
    const { page, faults } = await openPage(browser, address('diagrams.html'), { offline: true });
    await waitForDiagrams(page);
    expect(faults).toEqual([]);
    await page.context().close();
    const formulas = await openPage(browser, address('formulas.html'), { offline: true });
    await formulas.page.evaluate('document.fonts.ready');
    expect(await formulas.page.evaluate('document.fonts.check("16px KaTeX_Main")')).toBe(true);
    expect(formulas.faults).toEqual([]);
    await formulas.page.context().close();
    const plain = await openPage(browser, address('diagrams.html'), { javaScriptEnabled: false });
    await expect.poll(() => plain.page.getByText('Alice->>Bob: Hello Bob').isVisible()).toBe(true);
    await plain.page.context().close();
  });
});
