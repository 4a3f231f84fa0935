import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { call, publishArchive, tarball, until } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const QUESTION = 'How do I export a site?';

interface Feedback {
  helpful: boolean;
  comment: string | null;
  question: string;
  threadId: string;
}

describe.skipIf(chromiumPath === '')('the assistant', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let other: Server;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([startDocent(), sharedBrowser()]);
    const supportUrl = 'https://help.example/contact';
    await call(docent, docent.adminKey, 'PATCH', '/v1/project/docent/assistant-settings', {
      supportUrl,
    });
    other = createServer((request, response) => {
      const language = new URL(request.url ?? '/', 'http://x').searchParams.get('language');
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(otherPage(docent, language));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    other.close();
    await closeContexts(browser);
    await docent.stop();
    await removeTemporaryFolders();
  });

  const open = (query = '') =>
    openPage(browser, `http://127.0.0.1:${(other.address() as AddressInfo).port}/${query}`);
  const feedback = async (): Promise<Feedback[]> => {
    const answer = await call(docent, docent.adminKey, 'GET', '/v1/analytics/docent/feedback');
    return ((await answer.json()) as { feedback: Feedback[] }).feedback;
  };
  const isPressed = (page: Page, name: string): Promise<string | null> =>
    page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');

  test('as a widget sends the rating of an answer and its reason to the owners, and lets the reader change it', async () => {
    const { page, faults } = await open();
    await page.getByRole('button', { name: 'Assistant' }).click();
    await page.getByRole('textbox', { name: 'Ask a question…' }).fill(QUESTION);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Not helpful' }).click();
    await expect.poll(() => isPressed(page, 'Not helpful')).toBe('true');
    const why = page.getByRole('textbox', { name: 'What could be better?' });
    // Readers whom the answer did not help see a link to support.
    const support = page.locator('.to-support a');
    await expect.poll(() => support.getAttribute('href')).toBe('https://help.example/contact');
    const bottomOf = (selector: string) =>
      page
        .locator(selector)
        .evaluate((element) => Math.floor(element.getBoundingClientRect().bottom));
    expect(await bottomOf('.to-support')).toBeLessThanOrEqual(await bottomOf('.panel .body'));
    await why.fill('There is no example.');
    expect(await seriousFindings(page)).toEqual([]);
    await page.locator('.why').getByRole('button', { name: 'Send' }).click();
    await why.waitFor({ state: 'detached' });
    await expect.poll(() => isPressed(page, 'Not helpful')).toBe('true');
    const stored = await until(async () =>
      (await feedback()).find(({ comment }) => comment !== null),
    );
    expect(stored).toMatchObject({
      helpful: false,
      comment: 'There is no example.',
      question: QUESTION,
    });

    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    expect([await isPressed(page, 'Helpful'), await isPressed(page, 'Not helpful')]).toEqual([
      'true',
      'false',
    ]);
    await until(async () => ((await feedback())[0]?.helpful ? true : undefined));
    await page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await until(async () => ((await feedback()).length === 0 ? true : undefined));
    expect(faults.filter((fault) => !fault.startsWith('elsewhere: '))).toEqual([]);
    await page.context().close();
  });

  test('as a widget uses the language of its tag, including right to left, and loads no other', async () => {
    const { page, faults } = await open('?language=ar');
    const launch = page.getByRole('button', { name: 'المساعد' });
    await launch.click();
    await page.getByRole('textbox', { name: 'اطرح سؤالًا…' }).waitFor();
    await expect
      .poll(() =>
        page.evaluate('getComputedStyle(document.querySelector("docent-widget")).direction'),
      )
      .toBe('rtl');
    const texts = faults.filter((fault) => fault.includes('widget-texts'));
    expect(texts).toEqual([`elsewhere: ${docent.apiUrl}/widget-texts.json?language=ar`]);
    const english = await open();
    await english.page.getByRole('button', { name: 'Assistant' }).waitFor();
    expect(english.faults.filter((fault) => fault.includes('widget-texts'))).toEqual([]);
    await english.page.context().close();
    await page.context().close();
  });

  test('as a widget falls back to English if its texts fail to load, and still opens on a call of the page', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/widget-texts.json*', (route) => route.abort());
    const { port } = other.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?language=fi`);
    await page.evaluate('DocentWidget.open()');
    await page.getByRole('textbox', { name: 'Ask a question…' }).waitFor();
    await context.close();
  });

  test('as the panel of a site loads only the texts of the current language, and asks with the current page', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'de'));
    const languages = ['en', 'de'].map((language) => ({
      language,
      pages: [language === 'en' ? 'index' : 'de/index'],
    }));
    await writeFile(
      join(folder, 'docs.json'),
      JSON.stringify({
        theme: 'mint',
        name: 'Two',
        colors: { primary: '#0f766e' },
        navigation: { languages },
      }),
    );
    await writeFile(
      join(folder, 'index.mdx'),
      '---\ntitle: "Start"\n---\n\nAn [other](/de/index) page.\n',
    );
    await writeFile(
      join(folder, 'de/index.mdx'),
      '---\ntitle: "Anfang"\n---\n\nEine [andere](/) Seite.\n',
    );
    await publishArchive(docent, 'two', tarball(folder));
    const context = await browser.newContext();
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => {
      const name = /\/_docent\/(assistant[\w-]*?)-[0-9a-f]{10}\.js$/.exec(request.url())?.[1];
      if (name !== undefined) scripts.push(name);
    });
    await page.goto(`http://two.localhost:${docent.port}/`);
    await page.keyboard.press('Control+i');
    await page.getByRole('textbox', { name: 'Ask a question…' }).waitFor();
    expect(scripts).toEqual(['assistant']);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    await page.locator('#content a', { hasText: 'other' }).click();
    await page.getByRole('heading', { name: 'Anfang' }).waitFor();
    await page.keyboard.press('Control+i');
    await page.getByRole('textbox', { name: 'Frage stellen …' }).waitFor();
    expect(scripts).toEqual(['assistant', 'assistant-de']);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+i');
    await page.getByRole('textbox', { name: 'Frage stellen …' }).waitFor();
    expect(scripts).toHaveLength(2);
    // Closed and opened again before its close event is dispatched, it stays visible.
    await page.evaluate('__docentAssistant.toggle(), __docentAssistant.toggle()');
    await expect.poll(() => page.locator('html[data-assistant-shown]').count()).toBe(1);
    // The first page loaded the panel's script, which sends the path and the language of the second
    // one.
    const sent = page.waitForRequest(/_docent\/assistant\/message$/);
    await page.keyboard.type('Was?');
    await page.keyboard.press('Enter');
    expect((await sent).postDataJSON()).toMatchObject({
      currentPath: '/de',
      filter: { language: 'de' },
    });
    await context.close();
  });
});

function otherPage({ apiUrl, assistantKey }: RunningDocent, language: string | null): string {
  const attribute = language === null ? '' : ` data-language="${language}"`;
  const script = `<script src="${apiUrl}/widget.js" data-domain="docent" data-key="${assistantKey}"${attribute} defer></script>`;
  return `<!doctype html><html lang="en"><head><title>Other</title><link rel="icon" href="data:,"></head><body><main><h1>Other</h1></main>${script}</body></html>`;
}
