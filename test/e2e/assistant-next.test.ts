import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { call, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import { type RunningDocent, sharedDocent } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

describe.skipIf(chromiumPath === '')('suggested questions', () => {
  let docent: RunningDocent;
  let browser: Browser;
  let other: Server;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(docent, 'meanings', tarball(fixtureSite('meanings')));
    const made = await call(docent, docent.adminKey, 'POST', '/v1/keys', {
      kind: 'assistant',
      name: 'widget',
      site: 'meanings',
    });
    const { key } = (await made.json()) as { key: string };
    const script = `<script src="${docent.apiUrl}/widget.js" data-domain="meanings" data-key="${key}" defer></script>`;
    const document = `<!doctype html><html lang="en"><head><title>Other</title><link rel="icon" href="data:,"></head><body>${script}</body></html>`;
    other = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(document);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    other.close();
    await closeContexts(browser);
  });

  const ask = async (page: Page, question: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Ask a question…' }).fill(question);
    await page.keyboard.press('Enter');
  };
  const places: [string, () => string, (page: Page) => Promise<void>][] = [
    [
      'the panel of the site',
      () => `http://meanings.localhost:${docent.port}/`,
      (page) => page.keyboard.press('Control+i'),
    ],
    [
      'the widget on a page of another origin',
      () => `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
      (page) => page.getByRole('button', { name: 'Assistant' }).click(),
    ],
  ];

  test.each(places)('in %s clarify a question with two meanings', async (_, address, open) => {
    const { page, faults } = await openPage(browser, address());
    await open(page);
    await ask(page, 'webhooks?');
    await page.getByText('Which do you mean?').waitFor();
    await page.getByRole('button', { name: 'webhooks (GitHub)?' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'webhooks (Stripe)?' }).click();
    await page.locator('.panel .turn').nth(1).getByText('Webhooks of Stripe come signed').waitFor();
    expect(faults.filter((fault) => !fault.startsWith('elsewhere: '))).toEqual([]);
    await page.context().close();
  });

  test.each(places)(
    'in %s include follow-ups that are asked with one click and answered from their section',
    async (_, address, open) => {
      const { page, faults } = await openPage(browser, address());
      await open(page);
      await ask(page, 'What do API keys let programs do?');
      await page.getByText('You could ask').waitFor();
      await page.getByRole('button', { name: 'How do I revoke a key?' }).waitFor();
      await page.getByRole('button', { name: 'How do I rotate a key?' }).click();
      const second = page.locator('.panel .turn').nth(1);
      await second.getByText('Make a second key with the same options').waitFor();
      await expect
        .poll(() => second.locator('.question').innerText())
        .toBe('How do I rotate a key?');
      expect(faults.filter((fault) => !fault.startsWith('elsewhere: '))).toEqual([]);
      await page.context().close();
    },
  );

  test('an answer without a language model marks the sentence that answers, and opens the section that it is from', async () => {
    const { page, faults } = await openPage(browser, `http://meanings.localhost:${docent.port}/`);
    await page.keyboard.press('Control+i');
    await ask(page, 'Where do I find the name of a key in the audit log?');
    const quote = page.locator('.panel .md > blockquote').first();
    await page.locator('.panel .actions').waitFor();
    await expect.poll(() => quote.locator('mark').first().innerText()).toContain('audit log');
    await quote.getByRole('button', { name: 'Show the section' }).click();
    await quote.getByText('Rows are kept for a year').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await quote.getByRole('button', { name: 'Show less' }).click();
    await quote.getByText('Rows are kept for a year').waitFor({ state: 'hidden' });
    await quote.locator('mark').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
