import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  sharedBrowser,
} from '../support/browser.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { fetchSite, fixtureSite, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

/** No step uses a pointer: everything is reached by Tab, arrows, shortcuts and the command menu. */
describe.skipIf(chromiumPath === '')('the dashboard, used only with the keyboard', () => {
  let docent: RunningDocent & { setupUrl: string };
  let dns: DnsServer;
  let browser: Browser;
  let page: Page;
  let key = '';

  beforeEach(async () => {
    dns = await startDnsServer();
    const env = { DOCENT_DNS_SERVERS: dns.address };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page } = await openPage(browser, docent.setupUrl));
  });
  afterEach(async () => {
    await closeContexts(browser);
    await docent?.stop();
    dns?.close();
  });
  afterAll(removeTemporaryFolders);

  const steps: [name: string, run: () => Promise<void>][] = [];
  const step = (name: string, run: () => Promise<void>) => steps.push([name, run]);

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (text: string) => page.keyboard.type(text);
  const heading = (name: string) =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  /** Toasts are dialogs too, but not modal ones. */
  const dialog = () => page.locator('[role="dialog"]:not([aria-modal="false"])');
  const dialogHasFocus = () =>
    expect
      .poll(() =>
        page.evaluate(
          'document.activeElement.closest("[role=dialog]:not([data-closed])") !== null',
        ),
      )
      .toBe(true);
  const dialogIsClosed = () => dialog().waitFor({ state: 'detached' });
  /** Name of the focused element, and whether its focus is visible. */
  const focused = () =>
    page.evaluate(`(() => {
      const one = document.activeElement;
      const style = getComputedStyle(one);
      const label = one.labels?.[0]?.innerText ?? one.getAttribute('aria-label') ?? one.innerText ?? '';
      // The box around several chosen values and their input has the outline of the input.
      const box = getComputedStyle(one.parentElement ?? one);
      const isSeen =
        one.matches('body, main, [role="dialog"]') || [style, box].some(({ outlineStyle }) => outlineStyle !== 'none') || style.boxShadow !== 'none';
      return { name: label.trim().split('\\n')[0], isSeen };
    })()`) as Promise<{ name: string; isSeen: boolean }>;
  /**
   * Moves the focus by Tab to the element with a name; each element on the way must show its focus.
   */
  const tabTo = async (name: string) => {
    const passed: string[] = [];
    for (let step = 0; step < 80; step++) {
      const now = await focused();
      expect(now.isSeen, `the focus on "${now.name}" is not visible`).toBe(true);
      if (now.name === name) return;
      passed.push(now.name);
      await press('Tab');
    }
    throw new Error(`Tab does not reach ${name}; it passes ${passed.join(', ')}.`);
  };
  const fill = async (name: string, text: string) => {
    await tabTo(name);
    await press('Control+a');
    await type(text);
  };
  const push = async (name: string, key: 'Enter' | 'Space' = 'Enter') => {
    await tabTo(name);
    await press(key);
  };
  const command = async (text: string) => {
    await press('Control+k');
    await expect.poll(async () => (await focused()).name).toMatch(/^Search sites/);
    const field = page.getByRole('combobox', { name: 'Search sites, pages and commands' });
    await type(text);
    await press('Enter');
    await field.waitFor({ state: 'detached' });
  };
  const chooseArchive = async () => {
    const chooser = page.waitForEvent('filechooser');
    await push('Choose archive', 'Space');
    await (await chooser).setFiles({
      name: 'acme.tar.gz',
      mimeType: 'application/gzip',
      buffer: tarball(fixtureSite('small')),
    });
  };
  const isLive = async () => {
    await heading('Uploaded by Ada Lovelace');
    await page.getByText('Live', { exact: true }).waitFor();
  };

  step('creates the first account from the setup link', async () => {
    await openDashboard(page, docent.setupUrl);
    await fill('Organization', 'Acme');
    await fill('Your name', 'Ada Lovelace');
    await fill('Email', 'ada@example.com');
    await fill('Password', 'a long passphrase');
    await press('Enter');
    await heading('Sites');
  });

  step('publishes an archive', async () => {
    await push('New site');
    await heading('New site');
    await chooseArchive();
    await push('Publish');
    await isLive();
  });

  step('creates a key, and keeps the focus on the page when the dialog closes', async () => {
    await press('g', 'k');
    await heading('Assistant keys');
    await page.getByText('No keys yet').waitFor();
    await push('Create key', 'Space');
    await expect.poll(async () => (await focused()).name).toBe('Name');
    await type('Website chat');
    await press('Enter');
    key = await dialog().getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^svc_dsc_/);
    await push('Done');
    await dialogIsClosed();
    await page.getByText('Website chat').waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("#content") !== null'))
      .toBe(true);
  });

  step('returns the focus to the button that opened a dialog', async () => {
    await push('Create key');
    await dialog().waitFor();
    await expect.poll(async () => (await focused()).name).toBe('Name');
    await press('Escape');
    await dialogIsClosed();
    await expect.poll(async () => (await focused()).name).toBe('Create key');
  });

  step(
    'focuses the content after a command, so that letters are shortcuts, and not the first filter of the page',
    async () => {
      await page.evaluate('document.activeElement.blur()');
      await command('feedback');
      await heading('Feedback');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
      await press('g', 'k');
      await heading('Assistant keys');
    },
  );

  step(
    'starts an export from the command menu right after another command, and downloads it',
    async () => {
      await command('exports');
      await heading('Exports');
      await page.getByText('No exports yet').waitFor();
      await command('start export');
      await dialog().getByRole('button', { name: 'Start export' }).waitFor();
      await dialogHasFocus();
      await push('Start export');
      await page.getByRole('button', { name: 'Download', exact: true }).waitFor();
      await dialogHasFocus();
      const download = page.waitForEvent('download');
      await push('Download');
      expect((await download).suggestedFilename()).toContain('acme');
      await press('Escape');
      await dialogIsClosed();
    },
  );

  step('adds a hostname and shows it as verified', async () => {
    await press('g', ',');
    await heading('Settings');
    await fill('Add a hostname', 'docs.acme.example');
    await press('Enter');
    const records = page.getByRole('table', { name: 'Records for docs.acme.example' });
    dns.records.set('TXT _docent.docs.acme.example', [
      await records.getByText('docent-verification=').innerText(),
    ]);
    await command('settings');
    await push('Check now');
    await page.getByText('Verified', { exact: true }).waitFor();
  });

  step('configures the assistant, asks it a question, and shows the conversation', async () => {
    await press('g', 'i');
    await heading('Assistant');
    await fill('Starter questions', 'How do I install it?');
    await push('Save changes');
    await page.getByRole('button', { name: 'How do I install it?', exact: true }).waitFor();
    await push('How do I install it?');
    await page
      .getByRole('link', { name: /./ })
      .and(page.locator('[aria-live] a'))
      .first()
      .waitFor();
    const asked = await fetch(`${docent.apiUrl}/v2/assistant/acme/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'a',
        messages: [
          { id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I install it?' }] },
        ],
      }),
    });
    expect(await asked.text()).toContain('[DONE]');
    await command('conversations');
    await heading('Conversations');
    await page.getByRole('button', { name: 'How do I install it?' }).waitFor();
    await push('How do I install it?');
    await dialog().getByText('Answered').waitFor();
    await dialogHasFocus();
    await press('Escape');
    await dialogIsClosed();
  });

  step('invites a viewer', async () => {
    await press('g', 'm');
    await heading('Members');
    await push('Invite');
    await expect.poll(async () => (await focused()).name).toBe('Email');
    await type('grace@example.com');
    await press('Enter');
    await expect
      .poll(() => page.getByLabel('Invitation link', { exact: true }).inputValue())
      .toContain('/invite/');
    await push('Done');
    await dialogIsClosed();
    await page.getByText('grace@example.com').waitFor();
  });

  step('publishes again, and rolls back from the command menu', async () => {
    await command('acme');
    await page.waitForURL('**/acme/acme');
    await push('Publish');
    await heading('Publish');
    await chooseArchive();
    await isLive();
    await press('g', 'd');
    await heading('Deployments');
    const first = page.getByRole('row').last();
    await first.getByText('Built').waitFor();
    await command('roll back');
    await first.getByText('Live').waitFor();
  });

  step('undoes the rollback in its notification, which F6 focuses', async () => {
    await page.getByText('This deployment is live').waitFor();
    await press('F6');
    await push('Undo');
    await page.getByRole('row').last().getByText('Built').waitFor();
    await page.getByText('The previous deployment is live again').waitFor();
  });

  step(
    'rolls back from the menu of a row, whose first item is focused every time it opens',
    async () => {
      const first = page.getByRole('row').last();
      const label = (await first
        .getByRole('button', { name: /^Actions for / })
        .getAttribute('aria-label')) as string;
      const isOnFirstItem = () =>
        expect.poll(async () => (await focused()).name).toBe('Roll back to this');
      await push(label);
      await isOnFirstItem();
      await press('ArrowDown');
      await expect.poll(async () => (await focused()).name).toBe('Keep this build');
      await press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect.poll(async () => (await focused()).name).toBe(label);
      await press('Enter');
      await isOnFirstItem();
      await press('Enter');
      await first.getByText('Live').waitFor();
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await expect.poll(async () => (await focused()).name).toBe(label);
    },
  );

  step('changes the key, and revokes it', async () => {
    await press('g', 'k');
    await heading('Assistant keys');
    await page.getByText('Website chat').waitFor();
    await push('Change Website chat');
    await dialogHasFocus();
    await page.keyboard.press('End');
    await type(' and app');
    await press('Enter');
    await dialogIsClosed();
    await page.getByText('Website chat and app').waitFor();
    await push('Revoke Website chat and app');
    await dialogHasFocus();
    await push('Revoke key');
    await dialogIsClosed();
    await page.getByText('No key matches.').waitFor();
  });

  step('deletes the site', async () => {
    await press('g', ',');
    await heading('Settings');
    await push('Delete site');
    await expect.poll(async () => (await focused()).name).toBe('Type acme to confirm');
    await type('acme');
    await press('Enter');
    await heading('Sites');
    expect((await fetchSite(docent, 'acme', '/')).status).toBe(404);
  });

  // One test, because each step begins where the one before has ended.
  it('people without a mouse do all that the dashboard offers, with the focus always visible', async () => {
    for (const [name, run] of steps)
      await run().catch((cause: Error) => {
        throw new Error(`${name}: ${cause.message}`, { cause });
      });
  }, 600_000);
});
