import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openDashboard,
  openPage,
  seriousFindings,
  sharedBrowser,
  signUp,
  waitOnPage,
} from '../support/browser.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { finish, start } from '../support/exports.ts';
import { call, fetchSite, fixtureSite, publishArchive, tarball } from '../support/http.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  runDocent,
  startDocent,
} from '../support/start-docent.ts';

vi.setConfig({ testTimeout: 180_000 });

/** The user agent of a browser: programs are not counted as readers. */
const READER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** What a person who uses no terminal does. Each test has a page, and what it changes, for itself. */
describe.skipIf(chromiumPath === '')('the dashboard of a new Docent', () => {
  let docent: RunningDocent & { setupUrl: string };
  let dns: DnsServer;
  let browser: Browser;
  let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
  let home: string;
  let page: Page;
  let faults: string[];
  /** Differs in each attempt of each test. */
  let unique = 0;

  beforeAll(async () => {
    dns = await startDnsServer();
    const env = {
      DOCENT_DNS_SERVERS: dns.address,
      DOCENT_ORGANIZATION_CREATION: 'members',
      DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: '1000',
      DOCENT_LIMIT_KEYS_PER_ORGANIZATION_HOUR: '1000',
    };
    [docent, browser] = await Promise.all([
      startDocent({ env }) as Promise<typeof docent>,
      sharedBrowser(),
    ]);
    const { page: first } = await openPage(browser, docent.apiUrl);
    home = await signUp(first, docent);
    storageState = await first.context().storageState();
    await publish('acme');
    await post('/v1/projects/acme/analytics-streams', {
      name: 'Lake',
      webhook: { url: 'http://10.0.0.9/' },
    });
    await ask(await assistantKey('acme'));
    await sendEvents('acme');
  }, 240_000);
  afterAll(async () => {
    await closeContexts(browser);
    await docent?.stop();
    dns?.close();
    await removeTemporaryFolders();
  });

  beforeEach(async () => {
    unique += 1;
    // Nothing of the dashboard: a test opens the page that it begins with.
    ({ page, faults } = await openPage(browser, `${docent.apiUrl}/healthz`, { storageState }));
  });
  afterEach(async () => {
    await page.context().close();
    // Images of sites are at their addresses. Requests that are still loading when the next page
    // opens are aborted; so is the response to deleting an organization, which has no body and is
    // followed by a reload.
    const expected =
      /^elsewhere: .*\.localhost:\d+\/_docent\/og\/|^failed: (GET .*|DELETE .*\/v1\/organization\?confirm=labs-\d+) \(net::ERR_ABORTED\)/;
    expect(faults.filter((fault) => !expected.test(fault))).toEqual([]);
  });

  const post = async (path: string, body: object) => {
    const answer = await call(docent, docent.adminKey, 'POST', path, body);
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return answer.json();
  };
  const publish = async (slug: string) =>
    expect((await publishArchive(docent, slug, tarball(fixtureSite('small')))).status).toBe(
      'success',
    );
  /** A site of this attempt. */
  const newSite = async () => {
    const slug = `site-${unique}`;
    await post('/v1/projects', { slug });
    return slug;
  };
  const newLiveSite = async () => {
    const slug = await newSite();
    await publish(slug);
    return slug;
  };
  const assistantKey = async (site: string) =>
    ((await post('/v1/keys', { kind: 'assistant', name: 'chat', site })) as { key: string }).key;
  /** Reads the pages of a site, searches and gives feedback, as a reader does. */
  const sendEvents = async (slug: string) => {
    const send = async (path: string, body: object) => {
      const answer = await fetchSite(docent, slug, `/_docent/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'user-agent': READER },
        body: JSON.stringify({ v: 1, ...body }),
      });
      expect(answer.status).toBe(204);
    };
    const event = (t: string, more: object) => ({ t, at: 1, path: '/', ...more });
    const events = [
      event('page', { from: 'example.com' }),
      event('page', { path: '/guides/install' }),
      event('missing', { path: '/gone' }),
      event('search', { query: 'install', results: 2, opened: '/guides/install', position: 1 }),
      event('search', { query: 'refund', results: 0 }),
    ];
    await send('events', { now: 2, events });
    const feedback = { id: 'a-reader-of-the-page', helpful: false, comment: 'No example.' };
    await send('feedback', {
      events: [event('feedback', { path: '/guides/install', ...feedback })],
    });
  };
  const open = (path: string) => openDashboard(page, `${home}${path}`);
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
  const ask = async (key: string, slug = 'acme') => {
    const answer = await fetch(`${docent.apiUrl}/discovery/v2/assistant/${slug}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        fp: 'a',
        messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'How do I install?' }] }],
      }),
    });
    await answer.text();
    return answer.status;
  };

  it('redirects from the address of the platform to the setup, which creates the first account', async () => {
    const empty = (await startDocent()) as typeof docent;
    onTestFinished(async () => void (await empty.stop()));
    const { page: first } = await openPage(browser, empty.apiUrl);
    await first.waitForURL('**/dashboard/setup');
    await openDashboard(first, empty.setupUrl);
    await first.getByLabel('Organization').fill('Acme');
    await first.getByLabel('Your name').fill('Ada Lovelace');
    await first.getByLabel('Email').fill('ada@example.com');
    await first.getByLabel('Password').fill('a long passphrase');
    expect(await seriousFindings(first)).toEqual([]);
    await first.getByRole('button', { name: 'Create account' }).click();
    await first.getByRole('heading', { name: 'Sites', level: 1 }).waitFor();
    await expect.poll(() => new URL(first.url()).pathname).toMatch(/^\/dashboard\/[a-z-]+$/);
    await first.context().close();
  });

  it('publishes an archive, and shows when it is live', async () => {
    const slug = `archive-${unique}`;
    await open('');
    await link('New site').click();
    await page.getByLabel('Archive', { exact: true }).setInputFiles({
      name: `${slug}.tar.gz`,
      mimeType: 'application/gzip',
      buffer: tarball(fixtureSite('small')),
    });
    await expect.poll(() => page.getByLabel('Identifier', { exact: true }).inputValue()).toBe(slug);
    await button('Publish').click();
    await heading('Uploaded by Ada Lovelace').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await fetchSite(docent, slug, '/')).status).toBe(200);
  });

  it('shows the frame of a page before any script runs', async () => {
    const still = await (
      await browser.newContext({ storageState, javaScriptEnabled: false })
    ).newPage();
    await still.goto(`${home}/acme/deployments`);
    await expect
      .poll(() => still.getByRole('heading', { level: 1, includeHidden: true }).innerText())
      .toBe('Deployments');
    await expect
      .poll(() => still.locator('nav a[aria-current=page]').getAttribute('href'))
      .toBe(`${new URL(home).pathname}/acme/deployments`);
    await expect.poll(() => still.title()).toBe('Deployments · acme · Docent');
    await still.context().close();
  });

  it('loads the code of its other pages while it is idle, so that they open without a connection', async () => {
    const options = { storageState, loadsAhead: true };
    const { page: ahead } = await openPage(browser, `${home}/acme`, options);
    const parts = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/part-'))`;
    await waitOnPage(ahead, `${parts}.length > 60`);
    await ahead.context().setOffline(true);
    await ahead.getByRole('link', { name: 'Previews', exact: true }).click();
    await ahead.getByRole('heading', { name: 'Previews', level: 1 }).waitFor();
    await ahead.context().close();
  });

  it('creates a key that is shown once and works, until it is revoked', async () => {
    await open('/acme');
    const name = `Website ${unique}`;
    await goTo('API keys', 'Assistant keys');
    await button('Create key').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^svc_dsc_/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(key);
    expect(await ask(key)).toBe(200);
    await button(`Revoke ${name}`).click();
    await button('Revoke key').click();
    await button(`Revoke ${name}`).waitFor({ state: 'detached' });
    // The list is ahead of the server.
    await expect.poll(() => ask(key)).toBe(401);
  });

  it('exports the site, links to the bundle with its hash, and deletes it', async () => {
    await open('/acme');
    await goTo('Exports');
    await button('Start export').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start export' }).click();
    await button('Download').waitFor();
    const sheet = page.getByRole('dialog');
    const address = await sheet.getByLabel('Link', { exact: true }).inputValue();
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    const hash = createHash('sha256').update(bytes).digest('hex');
    await expect.poll(() => sheet.getByLabel('SHA-256', { exact: true }).inputValue()).toBe(hash);
    await button('Delete bundle').click();
    await page
      .getByRole('dialog', { name: 'Delete the bundle' })
      .getByRole('button', { name: 'Delete bundle' })
      .click();
    await sheet.getByText('The bundle was deleted').waitFor();
    expect((await fetch(address)).status).toBe(404);
    await page.keyboard.press('Escape');
  });

  it('adds a hostname, shows its DNS records, and verifies it once they exist', async () => {
    const hostname = `docs-${unique}.acme.example`;
    await open(`/${await newSite()}/settings`);
    await page.getByLabel('Add a hostname').fill(`https://${hostname}/`);
    await button('Add').click();
    const records = page.getByRole('table', { name: `Records for ${hostname}` });
    const value = await records.getByText('docent-verification=').innerText();
    dns.records.set(`TXT _docent.${hostname}`, [value]);
    await button('Check now').click();
    await page.getByText('Verified', { exact: true }).waitFor();
  });

  it('sets the public URL of the site, shows what the proxy of the website needs, and removes it', async () => {
    const slug = await newSite();
    const publicUrl = `https://www.acme.example/docs-${unique}`;
    await open(`/${slug}/settings`);
    const form = page.locator('form').filter({ has: page.getByLabel('Address', { exact: true }) });
    const save = form.getByRole('button', { name: 'Save' });
    await form.getByLabel('Address').fill(`${publicUrl}/`);
    await save.click();
    await page.getByText(`proxy_set_header Host ${slug}.localhost:${docent.port};`).waitFor();
    await expect.poll(() => form.getByLabel('Address').inputValue()).toBe(publicUrl);
    await page.getByText(`${publicUrl}/mcp`).waitFor();
    await form.getByLabel('Address').fill('');
    await save.click();
    await page.getByText('Public URL removed').waitFor();
    await page.getByText('proxy_set_header').waitFor({ state: 'detached' });
  });

  it('creates, changes and deletes an analytics stream, shows its secret, and reports why a test event fails', async () => {
    await open(`/${await newSite()}/settings`);
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
    await open(`/${await newLiveSite()}/assistant`);
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
    await open(`/${await newLiveSite()}/assistant`);
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
    // Also right after the page was loaded.
    await page.getByText('Rules saved').first().waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Synonyms').inputValue()).toBe('');
    await expect.poll(() => button('Remove rule 1').count()).toBe(0);
  });

  it('starts an experiment with other synonyms, shows the outcomes of both, and ends it', async () => {
    await open('/acme/assistant');
    await button('Set up an experiment').click();
    await expect.poll(() => button('Start experiment').isDisabled()).toBe(true);
    await page.getByLabel('Other synonyms').fill('squad, workspace');
    await button('Start experiment').click();
    const outcomes = page.getByRole('table', { name: 'Outcomes of both settings' });
    await outcomes.getByRole('row', { name: /^Conversations/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button('End and keep the current settings').click();
    await button('Set up an experiment').waitFor();
    await expect.poll(() => page.getByLabel('Synonyms').inputValue()).toBe('');
  });

  it('shows the last conversation of a reader and none of its own, also after a reload', async () => {
    const slug = await newLiveSite();
    expect(await ask(await assistantKey(slug), slug)).toBe(200);
    await open(`/${slug}/conversations`);
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
    await button('How do I install?').click();
    await button('Delete conversation').click();
    const question = page.getByRole('dialog', { name: 'Delete this conversation' });
    expect(await seriousFindings(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete conversation' }).click();
    await page.getByText('No conversations yet').waitFor();
  });

  it('publishes a zip archive, rolls back to an earlier deployment, and undoes that', async () => {
    await open(`/${await newLiveSite()}/deployments`);
    await link('Publish').click();
    const zip = {
      name: 'acme-main.zip',
      mimeType: 'application/zip',
      buffer: zipOf(fixtureSite('small'), 'acme-main'),
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
    const slug = await newLiveSite();
    await open(`/${slug}/previews`);
    await button('Create preview').click();
    await button('Use the last source of the site').click();
    await page.getByLabel('Branch or name').fill('feature/start');
    await button('Create preview').click();
    await heading('Started by Ada Lovelace').waitFor();
    await page.getByText('In preview', { exact: true }).first().waitFor();
    await goTo('Previews');
    const address = await page
      .getByRole('link', { name: new RegExp(`feature-start--${slug}`) })
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
    const slug = await newLiveSite();
    await open(`/${slug}/analytics`);
    await page.getByText('No data in this period').first().waitFor();
    await sendEvents(slug);
    const views = () =>
      page.evaluate(async (site) => {
        const answer = (await (await fetch(`/v1/analytics/${site}/views`)).json()) as {
          totals: { human: number };
        };
        return answer.totals.human;
      }, slug);
    await expect.poll(views).toBe(2);
    await page.reload();
    // A list is requested once it is about to become visible. After a load, the router restores the
    // scroll position.
    const list = async (name: string) => {
      const table = page.getByRole('table', { name });
      const hover = async () => {
        await page.getByRole('heading', { name, exact: true, level: 2 }).hover();
        return table.isVisible();
      };
      await expect.poll(hover).toBe(true);
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
    await expect.poll(() => pages.count()).toBe(3);
    expect(await seriousFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: /^Show every device/ }).waitFor({ state: 'detached' });
    for (const filter of ['source, not only example.com', 'missing page, not only /gone'])
      await button(`Show every ${filter}`).click();
    await pages.getByRole('button', { name: '/guides/install' }).click();
    await page.waitForURL((address) => address.searchParams.get('path') === '/guides/install');
    await expect.poll(() => pages.count()).toBe(2);
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.getByLabel('Steps of the chart').selectOption('By hour');
    await page.getByText('Views by hour').first().waitFor();
    await expect.poll(() => page.getByRole('figure').getByRole('row').count()).toBe(7 * 24 + 1);
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
    const address = await link('Search for refund on the site').getAttribute('href');
    expect(address).toBe(`http://${slug}.localhost:${docent.port}/#search=refund&uncounted`);
    const site = await browser.newPage();
    await site.goto(address as string);
    await expect
      .poll(() => site.getByRole('dialog').getByRole('combobox').inputValue())
      .toBe('refund');
    await site.close();
  });

  it('shows the searches and questions of the week and no step that is done in the overview', async () => {
    const slug = await newLiveSite();
    await sendEvents(slug);
    await ask(await assistantKey(slug), slug);
    await post(`/v1/projects/${slug}/hostnames`, { hostname: `week-${unique}.acme.example` });
    await finish(docent, (await start(docent, { domain: slug })).jobId);
    const searches = async () => {
      const answer = await call(docent, docent.adminKey, 'GET', `/v1/analytics/${slug}/searches`);
      return ((await answer.json()) as { searches: unknown[] }).searches.length;
    };
    await expect.poll(searches).toBe(2);
    await open(`/${slug}`);
    await link('refund No result 1 time').waitFor();
    await page.getByRole('heading', { name: 'Questions of the week' }).waitFor();
    // Every step is done.
    await expect.poll(() => page.getByRole('heading', { name: 'Next steps' }).count()).toBe(0);
    await link('All searches').click();
    await heading('Searches').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('days')).toBe('7');
  });

  it('sends a webhook the events of one site or of all, says which, and asks before its secret is replaced', async () => {
    const slug = await newSite();
    const name = `Channel ${unique}`;
    await open('/settings');
    await button('Create webhook').click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('URL').fill('https://events.acme.example/docs');
    await page.getByLabel('Events of').selectOption(slug);
    await button('Create').click();
    await page.getByRole('dialog').getByText('It is shown only once.').waitFor();
    const secret = () => page.getByLabel('Secret', { exact: true }).inputValue();
    const first = await secret();
    await page.keyboard.press('Escape');
    await page.getByText(`events.acme.example · only ${slug} ·`).waitFor();
    const row = page
      .locator('div')
      .filter({ has: button(`Change ${name}`) })
      .last();
    await row.getByRole('button', { name: 'Replace secret' }).click();
    await page.getByText('The present secret signs too for a day.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
    await page.getByRole('dialog').getByText('It is shown only once.').waitFor();
    expect(await secret()).not.toBe(first);
    await page.keyboard.press('Escape');
    const webhooks = async (...args: string[]) => {
      const { stdout } = await runDocent(['webhooks', ...args], {
        DOCENT_DATA: docent.dataFolder,
      });
      return stdout.split('\n').find((line) => line.includes(name)) ?? stdout;
    };
    const listed = await webhooks('list');
    expect(listed).toMatch(/ only [0-9A-Z]{26} /);
    await webhooks('change', listed.split(' ')[0] as string, '--all-sites');
    expect(await webhooks('list')).toContain(' all sites ');
  });

  it('manages feedback on a page: its status with undo, a note, filters, and its end', async () => {
    const slug = await newLiveSite();
    await sendEvents(slug);
    await open(`/${slug}/feedback`);
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
    await page.goBack();
    await row.getByRole('button', { name: 'Delete this feedback' }).click();
    await button('Delete feedback').click();
    await page.getByText('No feedback matches').waitFor();
  });

  it('creates another organization, and deletes it after its identifier is typed', async () => {
    await open('/acme');
    await button('Acme').click();
    await page.getByRole('menuitem', { name: 'New organization' }).click();
    const labs = `labs-${unique}`;
    await page.getByLabel('Name').fill(`Acme ${labs}`);
    await button('Create organization').click();
    await heading('Sites').waitFor();
    await goTo('General');
    await page.getByLabel('Identifier').fill(labs);
    await button('Save changes').click();
    await page.waitForURL(`**/dashboard/${labs}/settings/general`);
    await heading('General').waitFor();
    // The address before, as in a mail or a chat, and that of all settings.
    await openDashboard(page, new URL(`/dashboard/acme-${labs}/settings`, home).href);
    await page.waitForURL(`**/dashboard/${labs}/settings/general`);
    await button('Delete organization').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(`Type ${labs} to confirm`).fill(labs);
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await page.getByRole('link', { name: /acme/ }).first().waitFor();
    await button('Acme').click();
    await page.getByRole('menuitem', { name: 'New organization' }).waitFor();
    await expect.poll(() => page.getByRole('menuitem', { name: `Acme ${labs}` }).count()).toBe(0);
  });

  it('invites a viewer, who cannot change anything', async () => {
    await open('/settings/members');
    await button('Invite').click();
    await page.getByRole('dialog').getByLabel('Email').fill(`grace-${unique}@example.com`);
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
    await theirs.goto(`${home}/acme/settings`);
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
  });

  it('has a command menu, shortcuts, and a list of the shortcuts', async () => {
    await open('/acme');
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

  it('has no serious accessibility violation on any page, in the light and the dark scheme', async () => {
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
      'exports',
      'keys',
      'settings',
    ];
    const findings: string[] = [];
    await open('/acme/previews/new');
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
      await page.emulateMedia({ colorScheme: 'light' });
      // As by a link: the code of the dashboard and that of axe-core are loaded once for all pages.
      const address = JSON.stringify(`${home}/${path}`.replace(/\/$/, ''));
      await page.evaluate(
        `document.querySelector('h1').dataset.former = ''; history.pushState(null, '', ${address})`,
      );
      await page.locator('h1:not([data-former])').waitFor();
      await waitOnPage(page, `document.querySelector('[aria-label="Loading"]') === null`);
      const light = await seriousFindings(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      // The schemes differ in their colors alone.
      const dark = await seriousFindings(page, ['color-contrast']);
      findings.push(...[...light, ...dark].map((finding) => `${path}: ${finding}`));
    }
    expect(findings).toEqual([]);
  });

  it('deletes the site after its identifier is typed', async () => {
    const slug = await newLiveSite();
    await open(`/${slug}/settings`);
    await button('Delete site').click();
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Delete site' }).isDisabled())
      .toBe(true);
    await dialog.getByLabel(`Type ${slug} to confirm`).fill(slug);
    await dialog.getByRole('button', { name: 'Delete site' }).click();
    await heading('Sites').waitFor();
    expect((await fetchSite(docent, slug, '/')).status).toBe(404);
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
