import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

interface Feedback {
  path: string;
  helpful: boolean;
  reason: string | null;
  comment: string | null;
  preview: string | null;
}

/** Writes a site in two languages with the given settings for feedback. */
async function siteFolder(feedback: object): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'he'));
  const languages = ['en', 'he'].map((language) => ({
    language,
    pages: language === 'en' ? ['index', 'next'] : ['he/index'],
  }));
  const config = {
    theme: 'mint',
    name: 'Asks',
    colors: { primary: '#0f766e' },
    feedback,
    navigation: { languages },
  };
  await writeFile(join(folder, 'docs.json'), JSON.stringify(config));
  await writeFile(
    join(folder, 'index.mdx'),
    '---\ntitle: "Start here"\n---\n\nThen read [the next page](/next).\n',
  );
  await writeFile(join(folder, 'next.mdx'), '---\ntitle: "Next"\n---\n\nText.\n');
  await writeFile(join(folder, 'he/index.mdx'), '---\ntitle: "התחלה"\n---\n\nטקסט.\n');
  return folder;
}

const ASKS = {
  thumbsRating: true,
  suggestEdit: true,
  raiseIssue: true,
  repository: 'https://github.com/acme/app/tree/main/docs',
};

describe.skipIf(chromiumPath === '')('feedback on a page', () => {
  let docent: RunningDocent;
  let browser: Browser;
  beforeAll(async () => {
    [docent, browser] = await Promise.all([sharedDocent(), sharedBrowser()]);
    await publishArchive(docent, 'asks', tarball(await siteFolder(ASKS)));
  });
  afterAll(async () => {
    await closeContexts(browser);
    await removeTemporaryFolders();
  });

  /** The site of a test: one that all read, or one whose feedback is counted. */
  let slug = 'asks';
  let counted = 0;
  beforeEach(() => {
    slug = 'asks';
  });
  const publishCounted = async () => {
    counted += 1;
    slug = `asks-${counted}`;
    await publishArchive(docent, slug, tarball(await siteFolder(ASKS)));
  };

  const address = (path = '/', host = slug) => `http://${host}.localhost:${docent.port}${path}`;
  const list = async (query = ''): Promise<Feedback[]> => {
    const answer = await call(
      docent,
      docent.adminKey,
      'GET',
      `/v1/analytics/${slug}/feedback${query}`,
    );
    return ((await answer.json()) as { feedback: Feedback[] }).feedback;
  };
  const shift = (page: Page) =>
    page.evaluate(`new Promise((resolve) => { let sum = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 200); })`);

  it('takes one press, accepts a reason and a comment later, and is stored once with its page', async () => {
    await publishCounted();
    const { page, faults } = await openPage(browser, address());
    const no = page.getByRole('button', { name: 'No', exact: true });
    await no.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => no.getAttribute('aria-pressed')).toBe('true');
    await page.getByText('Thank you for your feedback.').waitFor();
    expect(await until(async () => ((await list()).length > 0 ? list() : undefined))).toMatchObject(
      [{ path: '/', helpful: false, reason: null, comment: null }],
    );
    await page.getByLabel('Something is missing').check();
    await page.getByLabel('Comment (optional)').fill('<b>No</b> example.');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Comment (optional)').waitFor({ state: 'hidden' });
    expect(await list()).toMatchObject([
      { path: '/', helpful: false, reason: 'missing', comment: '<b>No</b> example.' },
    ]);
    // Instant navigation shows a new form.
    await page.locator('#content a', { hasText: 'the next page' }).click();
    await page.getByRole('heading', { name: 'Next' }).waitFor();
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await expect
      .poll(() => page.getByRole('group', { name: 'What is the problem?' }).isVisible())
      .toBe(false);
    await until(async () => ((await list()).length === 2 ? true : undefined));
    expect((await list())[0]).toMatchObject({ path: '/next', helpful: true });
    expect(await shift(page)).toBeLessThan(0.01);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('links to the file in the repository and to a new issue about the page, and is not printed', async () => {
    const { page } = await openPage(browser, address('/next'));
    const href = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await href('Edit this page')).toBe(
      'https://github.com/acme/app/edit/main/docs/next.mdx',
    );
    expect(await href('Raise an issue')).toBe(
      'https://github.com/acme/app/issues/new?title=Next&body=Page%3A%20%2Fnext%0A%0A',
    );
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.d-feedback').isVisible()).toBe(false);
    await page.context().close();
  });

  it('reports that it could not be sent, and keeps the comment', async () => {
    const { page } = await openPage(browser, address('/next'));
    await page.route('**/_docent/feedback', (route) => route.abort());
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByText('Your feedback could not be sent.').waitFor();
    await page.getByLabel('Comment (optional)').fill('Lost?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your feedback could not be sent.').waitFor();
    await expect.poll(() => page.getByLabel('Comment (optional)').inputValue()).toBe('Lost?');
    await page.context().close();
  });

  it('uses the language of the page, and fits on a phone without a serious accessibility violation in both schemes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const options = { colorScheme, viewport: { width: 390, height: 800 } };
      const { page } = await openPage(browser, address('/he'), options);
      await page.getByRole('button', { name: 'לא', exact: true }).click();
      await page.getByText('תודה על המשוב.').waitFor();
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'))
        .toBeLessThanOrEqual(390);
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
    }
  });

  it('on a preview is separate from that on the live site', async () => {
    await publishCounted();
    const sent = await fetch(`${docent.apiUrl}/v1/project/${slug}/source?preview=draft`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${docent.adminKey}`, 'content-type': 'application/gzip' },
      body: tarball(await siteFolder(ASKS)),
    });
    expect(sent.status).toBe(202);
    const { page } = await until(async () => {
      const opened = await openPage(browser, address('/', `draft--${slug}`));
      if (await opened.page.getByRole('button', { name: 'Yes', exact: true }).isVisible())
        return opened;
      await opened.page.context().close();
      return undefined;
    });
    const before = (await list()).length;
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await page.getByText('Thank you for your feedback.').waitFor();
    expect(await list('?previews=true')).toMatchObject([
      { path: '/', helpful: true, preview: 'draft' },
    ]);
    expect(await list()).toHaveLength(before);
    await page.context().close();
  });

  it('is not requested without JavaScript or on a site that does not enable it', async () => {
    const { page } = await openPage(browser, `${docent.siteUrl}/`);
    await expect.poll(() => page.locator('.d-feedback').count()).toBe(0);
    await page.context().close();
    const sandboxed = await browser.newContext({ javaScriptEnabled: false });
    const plain = await sandboxed.newPage();
    await plain.goto(address('/next'));
    await expect.poll(() => plain.getByText('Was this page helpful?').isVisible()).toBe(false);
    await expect
      .poll(() => plain.getByRole('link', { name: 'Edit this page' }).isVisible())
      .toBe(true);
    await sandboxed.close();
  });
});
