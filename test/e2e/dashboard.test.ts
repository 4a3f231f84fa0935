import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { fetchSite, fixtureSite, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

/** The user agent of a browser: programs are not counted as readers. */
const READER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** The steps of a person who has just started Docent and uses no terminal, in this order. */
describe.skipIf(chromiumPath === '')('the dashboard of a new Docent', () => {
  let docent: RunningDocent & { setupUrl: string };
  let dns: DnsServer;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let key = '';

  beforeAll(async () => {
    dns = await startDnsServer();
    const env = { DOCENT_DNS_SERVERS: dns.address, DOCENT_ORGANIZATION_CREATION: 'members' };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    ({ page, faults } = await openPage(browser, docent.apiUrl));
    page.setDefaultTimeout(20_000);
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    dns?.close();
    await removeTemporaryFolders();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  /** The subjects whose pages are tabs. */
  const SUBJECTS: Record<string, string> = {
    'Live view': 'Analytics',
    Searches: 'Analytics',
    Questions: 'Analytics',
    Feedback: 'Analytics',
    'API keys': 'Settings',
  };
  const goTo = async (name: string, title = name) => {
    const subject = SUBJECTS[name];
    const open = (of: string, link: string) =>
      page
        .getByRole('navigation', { name: of, exact: true })
        .getByRole('link', { name: link, exact: true })
        .click();
    await open('Pages', subject ?? name);
    if (subject !== undefined) await open(subject, name);
    await heading(title).waitFor();
  };
  const archive = () => ({
    name: 'acme.tar.gz',
    mimeType: 'application/gzip',
    buffer: tarball(fixtureSite('basic')),
  });
  const ask = () =>
    fetch(`${docent.apiUrl}/discovery/v2/assistant/acme/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'a',
        messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I install?' }] }],
      }),
    });

  it('redirects from the address of the platform to the setup, which creates the first account', async () => {
    await page.waitForURL('**/dashboard/setup');
    await openDashboard(page, docent.setupUrl);
    await page.getByLabel('Organization').fill('Acme');
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('a long passphrase');
    expect(await seriousFindings(page)).toEqual([]);
    await button('Create account').click();
    await heading('Sites').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/dashboard\/[a-z-]+$/);
  });

  it('publishes an archive, and shows when it is live', async () => {
    await link('New site').click();
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive());
    await expect
      .poll(() => page.getByLabel('Identifier', { exact: true }).inputValue())
      .toBe('acme');
    await button('Publish').click();
    await heading('Uploaded by Ada Lovelace').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const readers = await fetchSite(docent, 'acme', '/');
    expect(readers.status).toBe(200);
  });

  it('shows the frame of a page before any script runs', async () => {
    const storageState = await page.context().storageState();
    const still = await (
      await browser.newContext({ storageState, javaScriptEnabled: false })
    ).newPage();
    const org = new URL(page.url()).pathname.split('/')[2];
    await still.goto(`${docent.apiUrl}/dashboard/${org}/acme/deployments`);
    await expect
      .poll(() => still.getByRole('heading', { level: 1, includeHidden: true }).innerText())
      .toBe('Deployments');
    await expect
      .poll(() => still.locator('nav a[aria-current=page]').getAttribute('href'))
      .toBe(`/dashboard/${org}/acme/deployments`);
    await expect.poll(() => still.title()).toBe('Deployments · acme · Docent');
    await still.context().close();
  });

  it('creates a key that is shown once and works', async () => {
    await goTo('API keys', 'Assistant keys');
    await button('Create key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Website chat');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    key = await dialog.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^svc_dsc_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);
    const answer = await ask();
    expect(answer.status).toBe(200);
    await answer.text();
  });

  it('exports the site, and links to the bundle with its hash', async () => {
    await goTo('Exports');
    await button('Start export').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start export' }).click();
    await button('Download').waitFor();
    const sheet = page.getByRole('dialog');
    const address = await sheet.getByLabel('Link', { exact: true }).inputValue();
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    const hash = createHash('sha256').update(bytes).digest('hex');
    await expect.poll(() => sheet.getByLabel('SHA-256', { exact: true }).inputValue()).toBe(hash);
    await page.keyboard.press('Escape');
  });

  it('adds a hostname, shows its DNS records, and verifies it once they exist', async () => {
    await goTo('Settings');
    await page.getByLabel('Add a hostname').fill('https://docs.acme.example/');
    await button('Add').click();
    const records = page.getByRole('table', { name: 'Records for docs.acme.example' });
    const value = await records.getByText('docent-verification=').innerText();
    dns.records.set('TXT _docent.docs.acme.example', [value]);
    await button('Check now').click();
    await page.getByText('Verified', { exact: true }).waitFor();
  });

  it('sets the public URL of the site, shows what the proxy of the website needs, and removes it', async () => {
    const form = page.locator('form').filter({ has: page.getByLabel('Address', { exact: true }) });
    const save = form.getByRole('button', { name: 'Save' });
    await form.getByLabel('Address').fill('https://www.acme.example/docs/');
    await save.click();
    await page.getByText(`proxy_set_header Host acme.localhost:${docent.port};`).waitFor();
    await expect
      .poll(() => form.getByLabel('Address').inputValue())
      .toBe('https://www.acme.example/docs');
    await page.getByText('https://www.acme.example/docs/mcp').waitFor();
    await form.getByLabel('Address').fill('');
    await save.click();
    await page.getByText('Public URL removed').waitFor();
    await page.getByText('proxy_set_header').waitFor({ state: 'detached' });
  });

  it('creates, changes and deletes an analytics stream, shows its secret, and reports why a test event fails', async () => {
    await button('Create stream').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Warehouse');
    await dialog.getByLabel('Address').fill('http://10.0.0.1/events');
    await dialog.getByRole('button', { name: 'Create stream' }).click();
    await expect
      .poll(() => page.getByLabel('Secret', { exact: true }).inputValue())
      .toMatch(/^whsec_/);
    await button('Done').click();
    await page.getByText('Copy the secret now').waitFor({ state: 'detached' });
    await page.getByText('0 delivered, 0 waiting, 0 expired').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Change Warehouse').click();
    await dialog.getByLabel('Address').fill('http://10.0.0.2/events');
    await dialog.getByRole('button', { name: 'Save stream' }).click();
    await page.getByText('http://10.0.0.2/events').waitFor();
    await button('Turn off').click();
    await page.getByText('Off', { exact: true }).waitFor();
    await button('Send test').click();
    await page.getByText('10.0.0.2 is a private or reserved address').first().waitFor();
    // By keyboard, because the notification may cover it.
    await button('Delete Warehouse').press('Enter');
    await button('Delete stream').click();
    await page.getByText('http://10.0.0.2/events').waitFor({ state: 'detached' });
  });

  it('changes the settings of the assistant, and answers a question next to them', async () => {
    await goTo('Assistant');
    await page.getByLabel('Starter questions').fill('How do I install it?');
    await button('Save changes').click();
    await button('How do I install it?').click();
    await page
      .getByRole('link', { name: /./ })
      .and(page.locator('[aria-live] a'))
      .first()
      .waitFor();
    // Until an answer has ended, the next question waits in the field.
    await expect.poll(() => button('Ask').isEnabled()).toBe(true);
    await page.getByLabel('Question', { exact: true }).fill('How do I start the server?');
    await page.keyboard.press('Enter');
    const asked = page
      .locator('[aria-live] p')
      .getByText('How do I start the server?', { exact: true });
    await asked.waitFor();
    await page.locator('[aria-live] .animate-pulse').waitFor({ state: 'detached' });
    const isInView = async () => {
      const [box, newest] = [
        await asked.locator('xpath=ancestor::*[@aria-live]').boundingBox(),
        await asked.boundingBox(),
      ];
      return box && newest && newest.y >= box.y && newest.y + newest.height <= box.y + box.height;
    };
    await expect.poll(isInView).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('tries and saves the synonyms and page rules of the site, and removes them', async () => {
    await goTo('Assistant');
    await page.getByLabel('Synonyms').fill('squad, workspace');
    await button('Add a rule').click();
    await page.getByLabel('Words of the question (rule 1)').fill('leave a squad');
    await page.getByLabel('Pages that come first (rule 1)').fill('/index');
    await button('Try with the test questions').click();
    await page.getByText('The live site has no test questions.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('Save rules').click();
    await page.getByText('Rules saved').first().waitFor();
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Pages that come first (rule 1)').inputValue())
      .toBe('index');
    await button('Remove rule 1').click();
    await page.getByLabel('Synonyms').fill('');
    await button('Save rules').click();
    await page.getByText('Rules saved').first().waitFor();
    await expect.poll(() => button('Save rules').isDisabled()).toBe(true);
  });

  it('shows the last conversation of a reader and none of its own, also after a reload', async () => {
    await goTo('Conversations');
    await button('How do I install?').click();
    await page.getByRole('dialog').getByText('Answered').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('thread')).not.toBeNull();
    await page.reload();
    await page.getByRole('dialog').getByText('Answered').waitFor();
    await page.getByText('What it is based on').click();
    await page.getByRole('list', { name: 'Sections that it read' }).first().waitFor();
    await page.getByText('Answer it again').click();
    await page.getByLabel('Model').selectOption('None: quote the pages');
    await button('Answer again').click();
    const again = page.getByRole('region', { name: 'New answer' });
    await again.getByRole('link').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('How do I install it?').count()).toBe(0);
    const fromMiddle = await button('How do I install?').evaluate((question) => {
      const text = question.ownerDocument.createRange();
      text.selectNodeContents(question);
      const middleOf = ({ top, bottom }: { top: number; bottom: number }) => (top + bottom) / 2;
      const row = question.closest('tr')?.getBoundingClientRect();
      return row && middleOf(text.getBoundingClientRect()) - middleOf(row);
    });
    expect(Math.abs(fromMiddle ?? 99)).toBeLessThan(1.5);
  });

  it('publishes a zip archive, rolls back to an earlier deployment, and undoes that', async () => {
    await goTo('Deployments');
    await link('Publish').click();
    const zip = {
      name: 'acme-main.zip',
      mimeType: 'application/zip',
      buffer: zipOf(fixtureSite('basic'), 'acme-main'),
    };
    await page.getByLabel('Archive', { exact: true }).setInputFiles(zip);
    await heading('Uploaded by Ada Lovelace').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await goTo('Deployments');
    const first = page.getByRole('row').last();
    await first.getByText('Built').waitFor();
    await first.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
    await first.getByText('Live').waitFor();
    await button('Undo').click();
    await first.getByText('Built').waitFor();
  });

  it('builds a preview from the last source, and deletes it', async () => {
    await goTo('Previews');
    await button('Create preview').click();
    await button('Use the last source of the site').click();
    await page.getByLabel('Branch or name').fill('feature/start');
    await button('Create preview').click();
    await heading('Started by Ada Lovelace').waitFor();
    await page.getByText('In preview', { exact: true }).first().waitFor();
    await goTo('Previews');
    const address = await page
      .getByRole('link', { name: /feature-start--acme/ })
      .getAttribute('href');
    await page.getByRole('row').getByText('Ready').waitFor();
    await button('Delete the preview of feature/start').click();
    await button('Delete preview').click();
    await heading('Previews').waitFor();
    await page.getByText('No previews yet').waitFor();
    expect(
      (await fetchSite(docent, new URL(address as string).hostname.split('.')[0] as string, '/'))
        .status,
    ).toBe(404);
  });

  it('shows page views and searches, filters them by a click, and exports them as CSV', async () => {
    await goTo('Analytics');
    await page.getByText('No data in this period').first().waitFor();
    const event = (t: string, more: object) => ({ t, at: 1, path: '/', ...more });
    const events = [
      event('page', { from: 'example.com' }),
      event('page', { path: '/guides/install' }),
      event('missing', { path: '/gone' }),
      event('search', { query: 'install', results: 2, opened: '/guides/install', position: 1 }),
      event('search', { query: 'refund', results: 0 }),
    ];
    const sent = await fetchSite(docent, 'acme', '/_docent/events', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'user-agent': READER },
      body: JSON.stringify({ v: 1, now: 2, events }),
    });
    expect(sent.status).toBe(204);
    const views = () =>
      page.evaluate(async () => {
        const answer = (await (await fetch('/v1/analytics/acme/views')).json()) as {
          totals: { human: number };
        };
        return answer.totals.human;
      });
    await expect.poll(views, { timeout: 20_000 }).toBe(2);
    await page.reload();
    // A list is requested once it is about to become visible. After a load, the router restores the
    // scroll position.
    const list = async (name: string) => {
      const table = page.getByRole('table', { name });
      const hover = async () => {
        await page.getByRole('heading', { name, exact: true, level: 2 }).hover();
        return table.isVisible();
      };
      await expect.poll(hover, { timeout: 20_000 }).toBe(true);
      return table;
    };
    await (await list('Missing pages')).getByText('/gone').waitFor();
    const saved = page.waitForEvent('download');
    await button('Export CSV').click();
    await page.getByRole('menuitem', { name: 'Pages', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe('pages.csv');
    const pages = page.getByRole('table', { name: 'Pages', exact: true }).getByRole('row');
    await (await list('Sources')).getByRole('button', { name: 'example.com' }).click();
    const chart = page.getByRole('group', { name: /^Views by day/ });
    const shown = chart.getByRole('status');
    await chart.press('ArrowRight');
    await shown.getByText(/Readers\s*2/).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => shown.innerText()).toBe('');
    await chart.hover();
    await shown.getByText('Readers').waitFor();
    await (await list('Missing pages')).getByRole('button', { name: '/gone' }).click();
    await (await list('Devices')).getByRole('button', { name: 'Desktop' }).click();
    await page.waitForURL(
      (address) =>
        address.searchParams.get('missing') === '/gone' && address.searchParams.has('device'),
    );
    await page.getByText('Feedback is “–”').waitFor();
    await expect.poll(() => pages.count(), { timeout: 20_000 }).toBe(3);
    expect(await seriousFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: /^Show every device/ }).waitFor({ state: 'detached' });
    for (const filter of ['source, not only example.com', 'missing page, not only /gone'])
      await button(`Show every ${filter}`).click();
    await pages.getByRole('button', { name: '/guides/install' }).click();
    await page.waitForURL((address) => address.searchParams.get('path') === '/guides/install');
    await expect.poll(() => pages.count(), { timeout: 20_000 }).toBe(2);
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.getByLabel('Steps of the chart').selectOption('By hour');
    await page.getByText('Views by hour').first().waitFor();
    await expect
      .poll(() => page.getByRole('figure').getByRole('row').count(), { timeout: 20_000 })
      .toBe(7 * 24 + 1);
    expect(await seriousFindings(page)).toEqual([]);
    await goTo('Live view');
    await page.getByRole('table', { name: 'Sources' }).getByText('example.com').waitFor();
    await expect
      .poll(() => page.getByText('Readers now').locator('..').innerText())
      .toMatch(/Readers now\s+1/);
    expect(await seriousFindings(page)).toEqual([]);
    await goTo('Searches');
    await page.getByText('2 searches, 1 without result').waitFor();
    await page.getByLabel('Results').selectOption('Without result');
    const rows = page.getByRole('table', { name: 'Searches' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.last().innerText()).toContain('refund');
    // Only the DNS of this test has its hostname, so the same link is opened at the other address
    // of the site.
    const address = await link('Search for refund on the site').getAttribute('href');
    expect(address).toBe('https://docs.acme.example/#search=refund&uncounted');
    const site = await browser.newPage();
    await site.goto(`http://acme.localhost:${docent.port}/#search=refund&uncounted`);
    await expect
      .poll(() => site.getByRole('dialog').getByRole('combobox').inputValue(), { timeout: 20_000 })
      .toBe('refund');
    await site.close();
  });

  it('shows the searches and questions of the week and no step that is done in the overview', async () => {
    await goTo('Overview', 'Acme <Docs> & Co');
    await link('refund No result 1 time').waitFor();
    await page.getByRole('heading', { name: 'Questions of the week' }).waitFor();
    // Every step is done.
    await expect.poll(() => page.getByRole('heading', { name: 'Next steps' }).count()).toBe(0);
    await link('All searches').click();
    await heading('Searches').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7');
  });

  it('manages feedback on a page: its status with undo, a note, and filters', async () => {
    const sent = await fetchSite(docent, 'acme', '/_docent/feedback', {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'user-agent': READER },
      body: JSON.stringify({
        v: 1,
        events: [
          {
            t: 'feedback',
            at: 1,
            path: '/guides/install',
            id: 'a-reader-of-the-page',
            helpful: false,
            comment: 'No example.',
          },
        ],
      }),
    });
    expect(sent.status).toBe(204);
    await goTo('Feedback');
    const row = page
      .getByRole('table', { name: 'Feedback', exact: true })
      .getByRole('row')
      .filter({ hasText: 'No example.' });
    const status = row.getByRole('combobox', { name: 'Status of this feedback' });
    await status.selectOption('Resolved');
    await page.getByText('Marked as resolved').waitFor();
    await button('Undo').click();
    await expect.poll(() => status.inputValue()).toBe('pending');
    await row.getByRole('button', { name: 'Note' }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('Example in review.');
    await button('Save note').click();
    await row.getByText('Example in review.').waitFor();
    await page
      .getByRole('table', { name: 'Feedback by page' })
      .getByRole('button', { name: '/guides/install' })
      .click();
    await page.waitForURL((address) => address.searchParams.get('path') === '/guides/install');
    await page.getByLabel('Rating').selectOption('Helpful');
    await page.getByText('No feedback matches').waitFor();
  });

  it('creates another organization, and deletes it after its identifier is typed', async () => {
    await button('Acme').click();
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    await page.getByLabel('Name').fill('Acme Labs');
    await button('Create organization').click();
    await heading('Sites').waitFor();
    await goTo('General');
    await page.getByLabel('Identifier').fill('labs');
    await button('Save changes').click();
    await page.waitForURL('**/dashboard/labs/settings/general');
    await heading('General').waitFor();
    await button('Delete organization').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type labs to confirm').fill('labs');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByRole('link', { name: /acme/ }).first().waitFor();
    await button('Acme').click();
    await page.getByRole('menuitem', { name: 'New organization' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Acme Labs' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /acme/ }).first().click();
  });

  it('invites a viewer, who cannot change anything', async () => {
    const org = new URL(page.url()).pathname.split('/')[2] as string;
    await openDashboard(page, `${docent.apiUrl}/dashboard/${org}/settings/members`);
    await button('Invite').click();
    await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com');
    await button('Create link').click();
    const address = await page.getByLabel('Invitation link', { exact: true }).inputValue();
    await button('Done').click();

    const { page: theirs } = await openPage(browser, docent.apiUrl);
    await openDashboard(theirs, address);
    await theirs.getByLabel('Your name').fill('Grace Hopper');
    await theirs.getByLabel('Password').fill('another long passphrase');
    expect(await seriousFindings(theirs)).toEqual([]);
    await theirs.getByRole('button', { name: 'Join' }).click();
    await theirs.getByRole('link', { name: /acme/ }).waitFor();
    await expect.poll(() => theirs.getByRole('link', { name: 'New site' }).count()).toBe(0);
    await theirs.goto(`${docent.apiUrl}/dashboard/${org}/acme/settings`);
    await theirs.getByText('Admins can change them.').first().waitFor();
    await expect.poll(() => theirs.getByRole('button', { name: 'Delete site' }).count()).toBe(0);
    const refused = await theirs.evaluate(async () => {
      const json = { 'content-type': 'application/json' };
      const attempts: [string, string, object?][] = [
        ['POST', '/v1/projects', { slug: 'theirs' }],
        ['PATCH', '/v1/projects/acme', { name: 'x' }],
        ['DELETE', '/v1/projects/acme?confirm=acme'],
        ['POST', '/v1/keys', { kind: 'admin', name: 'x' }],
        ['POST', '/v1/static-export/jobs', { domain: 'acme' }],
        ['POST', '/v1/projects/acme/hostnames', { hostname: 'x.acme.example' }],
        ['PATCH', '/v1/project/acme/assistant-settings', { enabled: false }],
        ['POST', '/v1/organization/invitations', { email: 'a@example.com', role: 'viewer' }],
        ['GET', '/v1/audit-log'],
      ];
      const answers = attempts.map(([method, path, body]) =>
        fetch(path, { method, ...(body && { headers: json, body: JSON.stringify(body) }) }),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    });
    expect(refused).toEqual(Array.from({ length: 9 }, () => 403));
    await theirs.context().close();
    await page.goto(`${docent.apiUrl}/dashboard/${org}/acme`);
  });

  it('revokes the key, which is rejected from then on', async () => {
    await goTo('API keys', 'Assistant keys');
    await button('Revoke Website chat').click();
    await button('Revoke key').click();
    await page.getByText('No key matches.').waitFor();
    expect((await ask()).status).toBe(401);
  });

  it('has a command menu, shortcuts, and a list of the shortcuts', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('feedback');
    await page.keyboard.press('Enter');
    await heading('Feedback').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await heading('Deployments').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility violation on any page in the %s scheme',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      // The schemes differ in their colors alone.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      const org = new URL(page.url()).pathname.split('/')[2];
      const site = [
        '',
        'deployments',
        'previews',
        'publish',
        'analytics',
        'live',
        'searches',
        'assistant',
        'conversations',
        'questions',
        'feedback',
      ];
      site.push('exports', 'keys', 'settings');
      const found: string[] = [];
      for (const path of [
        ...site.map((name) => `acme/${name}`),
        '',
        'settings/new-site',
        'settings/keys',
        'settings/audit-log',
        'settings/usage',
        'settings/general',
        'settings/new-organization',
      ]) {
        await page.goto(`${docent.apiUrl}/dashboard/${org}/${path}`.replace(/\/$/, ''));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await waitOnPage(page, `document.querySelector('[aria-label="Loading"]') === null`);
        found.push(...(await seriousFindings(page, rules)).map((finding) => `${path}: ${finding}`));
      }
      expect(found).toEqual([]);
    },
  );

  it('deletes the site after its identifier is typed', async () => {
    await goTo('Sites');
    await page.getByRole('link', { name: /acme/ }).click();
    await goTo('Settings');
    await button('Delete site').click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Delete site' }).isDisabled())
      .toBe(true);
    await dialog.getByLabel('Type acme to confirm').fill('acme');
    await dialog.getByRole('button', { name: 'Delete site' }).click();
    await heading('Sites').waitFor();
    expect((await fetchSite(docent, 'acme', '/')).status).toBe(404);
  });

  it('causes no console error and no request to another origin except for images of sites', () => {
    // Requests that are still loading when the next page opens are aborted; so is the response to
    // deleting an organization, which has no body and is followed by a reload.
    const expected =
      /^elsewhere: .*\.localhost:\d+\/_docent\/og\/|^failed: (GET .*|DELETE .*\/v1\/organization\?confirm=labs) \(net::ERR_ABORTED\)/;
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([]);
  });
});

/** Returns the files of a folder as a `.zip`, below a folder of that name. */
function zipOf(folder: string, name: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries.map(({ parentPath, name: file }) => join(parentPath, file));
  return Buffer.from(
    zipSync(
      Object.fromEntries(
        files.map((path) => [`${name}/${relative(folder, path)}`, readFileSync(path)]),
      ),
    ),
  );
}
