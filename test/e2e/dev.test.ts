import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
} from '../support/browser.ts';
import { fixtureSite } from '../support/http.ts';
import { type RunningDev, startDev } from '../support/start-dev.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

describe.skipIf(chromiumPath === '')('docent dev in a browser', () => {
  let folder: string;
  let dev: RunningDev;
  let browser: Browser;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await cp(fixtureSite('basic'), folder, { recursive: true });
    [dev, browser] = await Promise.all([startDev(folder), sharedBrowser()]);
  });
  afterAll(async () => {
    await closeContexts(browser);
    await dev.stop();
    await removeTemporaryFolders();
  });

  test('shows a change in place, keeps the scroll position, and covers the page with an error until it is fixed', async () => {
    const file = join(folder, 'guides/components.mdx');
    const text = await readFile(file, 'utf8');
    const { page, faults } = await openPage(browser, `${dev.url}/guides/components`, {
      viewport: { width: 1280, height: 500 },
    });
    await page.evaluate('window.isSameDocument = true; scrollTo(0, 400)');

    await writeFile(file, `${text}\n\nA sentence that was not there.\n`);
    await page.getByText('A sentence that was not there.').waitFor();
    await expect.poll(() => page.evaluate('[window.isSameDocument, scrollY]')).toEqual([true, 400]);

    await writeFile(file, `${text}\n\nexport const broken = ;\n`);
    const overlay = page.getByRole('alertdialog');
    await overlay.waitFor();
    await expect
      .poll(() => overlay.innerText())
      .toMatch(/guides\/components\.mdx:\d+[\s\S]*export const broken = ;/);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'hidden' });

    await writeFile(file, `${text}\n\nexport const broken = 1 +;\n`);
    await overlay.waitFor();
    await writeFile(file, text);
    await overlay.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('window.isSameDocument')).toBe(true);
    expect(faults.filter((fault) => !fault.startsWith('failed'))).toEqual([]);
    await page.context().close();
  });
});
