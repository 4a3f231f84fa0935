import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  chromiumPath,
  closeContexts,
  openPage,
  seriousFindings,
  sharedBrowser,
  waitOnPage,
} from '../support/browser.ts';
import { fixtureSite, publishFixture } from '../support/http.ts';
import { HOSTILE, type ShopApi, startShopApi } from '../support/shop-api.ts';
import {
  removeTemporaryFolders,
  runDocent,
  sharedDocent,
  temporaryFolder,
} from '../support/start-docent.ts';

// Chromium starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const ITEM = 'api-reference/orders/add-an-item';
const ORDERS = 'api-reference/orders/list-orders';

/** The numbers, texts and other values inside JSON, as text. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

describe.skipIf(chromiumPath === '')('the API playground', () => {
  let site: string;
  let browser: Browser;
  let api: ShopApi;
  let folder: string;
  let faults: string[];
  beforeAll(async () => {
    folder = await temporaryFolder();
    [site, browser, api] = await Promise.all([
      sharedDocent().then((docent) => publishFixture(docent, 'playground')),
      sharedBrowser(),
      startShopApi(),
    ]);
    const { code, stderr } = await runDocent(['build', fixtureSite('playground'), '--out', folder]);
    expect(code, stderr).toBe(0);
  });
  afterAll(async () => {
    api?.close();
    await closeContexts(browser);
    await removeTemporaryFolders();
  });
  beforeEach(() => {
    api.requests.length = 0;
  });

  const onDisk = (path: string): string => pathToFileURL(join(folder, `${path}.html`)).href;
  const onSite = (path: string): string => `${site}/${path}`;

  /** Opens a page and its form, and selects the fake API. */
  async function open(
    address: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; form: Locator }> {
    const watched = await openPage(browser, address, options);
    faults = watched.faults;
    const form = await openForm(watched.page);
    return { page: watched.page, form };
  }

  async function openForm(page: Page): Promise<Locator> {
    await page.locator('[data-playground-open]').click();
    const form = page.locator('dialog.d-pg');
    await form.waitFor();
    await expect.poll(() => form.locator('.d-pg-send').isVisible()).toBe(true);
    const port = form.getByLabel('port', { exact: true });
    if ((await port.count()) > 0) await port.fill(String(api.port));
    return form;
  }

  async function send(form: Locator): Promise<string> {
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.locator('.d-pg-status, .d-pg-failure').waitFor();
    return form.locator('.d-pg-answer').innerText();
  }

  test('prints the first level of a schema on its page, and one more if it is open', async () => {
    const { page } = await openPage(browser, onSite(ITEM));
    await page.locator('.d-api details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '');
    });
    const shown = () =>
      page.locator('.d-api .d-field').evaluateAll((fields) =>
        fields
          .filter((field) => field.checkVisibility())
          .map((field) => {
            let depth = 0;
            for (let at = field.parentElement; at; at = at.parentElement)
              if (at.classList.contains('d-field')) depth++;
            return `${depth} ${field.querySelector('code')?.textContent}`;
          }),
      );
    expect(await shown()).toEqual(expect.arrayContaining(['0 product', '1 currency', '1 street']));
    await page.emulateMedia({ media: 'print' });
    const printed = await shown();
    expect(printed).toEqual(expect.arrayContaining(['0 product', '1 currency']));
    expect(printed.filter((field) => !/^[01] /.test(field))).toEqual([]);
    expect(printed).not.toContain('1 street');
    await page.context().close();
  });

  describe.each([
    ['on the site', (path: string) => onSite(path)],
    ['from the disk', (path: string) => onDisk(path)],
  ])('%s', (_, at) => {
    test('sends parameters, credentials and a JSON body only to the API, and shows the response as text', async () => {
      const { page, form } = await open(at(ITEM));
      await form.getByRole('button', { name: 'Clear', exact: true }).click();
      await form.getByLabel('port', { exact: true }).fill(String(api.port));
      await form.getByLabel('Authorization header: Bearer').fill('t0ken');
      await form.getByLabel('orderId string required').fill('a/b');
      await form.getByRole('checkbox', { name: 'price' }).check();
      await form.getByLabel('Idempotency-Key').fill('k-1');
      await form.getByLabel('product string required').fill('sku-1');
      await form.getByLabel('quantity integer required').fill('2');
      await form.getByLabel('gift boolean').selectOption('false');
      expect(faults).toEqual([]);
      const answer = await send(form);
      expect(answer).toContain('201 Created');
      expect(answer).toContain('"note": "<img src=x onerror');
      const [got] = api.requests;
      expect(got).toMatchObject({
        method: 'POST',
        url: '/orders/a%2Fb/items?expand=price&notify=false',
      });
      expect(got?.headers).toMatchObject({
        authorization: 'Bearer t0ken',
        'idempotency-key': 'k-1',
        'content-type': 'application/json',
      });
      expect(JSON.parse(got?.body ?? '')).toEqual({ product: 'sku-1', quantity: 2, gift: false });
      expect(got?.headers).not.toHaveProperty('referer');
      expect(
        faults.every((fault) =>
          fault.startsWith(`elsewhere: http://127.0.0.1:${api.port}/orders/`),
        ),
      ).toBe(true);
      await expect.poll(() => page.evaluate('globalThis.hacked')).toBeUndefined();
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
    });

    test('explains why a browser gets no response, and offers a cURL command that gets one', async () => {
      const { page, form } = await open(at('api-reference/orders/closed'));
      expect(await send(form)).toContain('(CORS)');
      await page.evaluate(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })",
      );
      await form.locator('.d-pg-failure').getByRole('button', { name: 'cURL' }).click();
      await waitOnPage(page, 'globalThis.copied');
      await expect
        .poll(() => page.evaluate('globalThis.copied'))
        .toBe(`curl 'http://127.0.0.1:${api.port}/closed'`);
      await form.getByLabel('port', { exact: true }).fill('9');
      expect(await send(form)).toContain('127.0.0.1:9 could not be reached');
      await page.context().close();
    });

    test('shows the example of a required body in the form, sends what the form shows, and nothing while a required field is empty', async () => {
      const { page, form } = await open(at(ITEM));
      await form.getByLabel('orderId string required').fill('o-1');
      await expect.poll(() => form.getByLabel('notify boolean').inputValue()).not.toBe('');
      const body = form.locator('section', { has: page.getByRole('heading', { name: 'Body' }) });
      const inputs = await body.locator(':is(input, textarea):visible').all();
      const typed = (await Promise.all(inputs.map((input) => input.inputValue()))).filter(
        (text) => text !== '',
      );
      const chosen = await body.locator('select:visible option:checked').allTextContents();
      const example = JSON.parse(
        /\{.*\}/s.exec(await form.locator('.d-pg-sample pre').innerText())?.[0] ?? '',
      );
      expect(example).toMatchObject({ product: 'sku-1', quantity: 2 });
      await send(form);
      const sent = JSON.parse(api.requests[0]?.body ?? '');
      expect(sent).toEqual(example);
      for (const text of typed) expect(api.requests[0]?.body).toContain(text);
      expect([...typed, ...chosen], 'everything sent is visible').toEqual(
        expect.arrayContaining(leavesOf(sent)),
      );
      await form.getByLabel('product string required').fill('');
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await expect.poll(() => form.getByText('This value is required.').isVisible()).toBe(true);
      await expect
        .poll(() => form.getByLabel('product string required').getAttribute('aria-invalid'))
        .toBe('true');
      expect(api.requests).toHaveLength(1);
      await form.getByRole('button', { name: 'Clear', exact: true }).click();
      await expect.poll(() => form.getByLabel('quantity integer required').inputValue()).toBe('');
      await form.getByLabel('orderId string required').fill('o-2');
      await form.getByRole('button', { name: 'Send', exact: true }).click();
      await expect.poll(() => form.getByText('This value is required.').count()).toBe(2);
      expect(api.requests).toHaveLength(1);
      await page.context().close();
    });

    test('sends files and forms', async () => {
      const { page, form } = await open(at('api-reference/files/upload-a-file'));
      await form
        .getByLabel(/^file/)
        .setInputFiles({ name: 'cat.txt', mimeType: 'text/plain', buffer: Buffer.from('meow') });
      await form.getByLabel('title string').fill('Cat');
      await form.getByRole('button', { name: 'Add item' }).click();
      await form.getByLabel('1 string').fill('pet');
      await send(form);
      expect(api.requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(api.requests[0]?.body).toMatch(
        /name="file"; filename="cat\.txt".*meow.*name="title".*Cat.*name="labels".*pet/s,
      );
      await page.goto(at('api-reference/files/log-in'));
      const login = await openForm(page);
      await login.getByLabel('user string required').fill('ä&b');
      await login.getByLabel(/^password/).fill('p');
      await send(login);
      expect(api.requests[1]).toMatchObject({ body: 'user=%C3%A4%26b&password=p' });
      expect(api.requests[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
      await page.context().close();
    });

    test('builds the form of a hand-written page from its fields', async () => {
      const { page, form } = await open(at('api/manual'));
      await form.getByLabel('Another address').fill(`http://127.0.0.1:${api.port}`);
      await form.getByLabel('X-Token').fill('k');
      await form.getByLabel('id string required').fill('7');
      await form.getByLabel('name string required').fill('Ada');
      await form.locator('summary', { hasText: 'address' }).click();
      await form.getByLabel('street string required').fill('Elm');
      await form.getByLabel('zip integer').fill('12');
      await send(form);
      expect(api.requests[0]).toMatchObject({ method: 'PATCH', url: '/users/7?dry=false' });
      expect(api.requests[0]?.headers['x-token']).toBe('k');
      expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
        name: 'Ada',
        address: { street: 'Elm', zip: 12 },
      });
      await page.context().close();
    });
  });

  test('sends every kind of credentials where the API expects them, and warns about cookies, which no page can send', async () => {
    const { page, form } = await open(onSite(ORDERS));
    expect(await send(form)).toContain('401');
    const way = form.getByLabel('Authorization', { exact: true });
    await way.selectOption('Basic');
    await form.getByLabel('User name').fill('ada');
    await form.getByLabel(/^Password/).fill('pä:ss');
    await expect.poll(() => form.locator('.d-pg-sample pre').innerText()).not.toContain('pä');
    await send(form);
    expect(api.requests.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from('ada:pä:ss').toString('base64')}`,
    );
    await way.selectOption('X-Key (header) + account (query)');
    await form.getByLabel('X-Key header').fill('h');
    await form.getByLabel('account query').fill('q');
    await send(form);
    expect(api.requests.at(-1)?.url).toBe('/orders?limit=20&account=q');
    expect(api.requests.at(-1)?.headers['x-key']).toBe('h');
    await way.selectOption('session (cookie)');
    await form.getByLabel('session cookie').fill('c');
    await expect.poll(() => form.locator('.d-pg-warning').innerText()).toContain('Cookie: session');
    await page.context().close();
  });

  test('keeps input between pages, and does not offer credentials to another server', async () => {
    const { page, form } = await open(onSite(ITEM));
    await form.getByLabel('Authorization header: Bearer').fill('t0ken');
    await form.getByLabel('orderId string required').fill('o-1');
    await form.getByRole('button', { name: 'JSON', exact: true }).click();
    await form
      .getByRole('textbox', { name: /^Body/ })
      .fill('{"product": "raw", "extra": 12345678901234567890}');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Delete an order' }).first().click();
    await page.waitForURL(/delete-an-order/);
    const other = await openForm(page);
    await expect.poll(() => other.getByLabel('orderId string required').inputValue()).toBe('o-1');
    await expect
      .poll(() => other.getByLabel('Authorization header: Bearer').inputValue())
      .toBe('t0ken');
    expect(await send(other)).toContain('204');
    await other.getByLabel('Server', { exact: true }).selectOption({ index: 1 });
    await expect.poll(() => other.getByLabel('Authorization header: Bearer').inputValue()).toBe('');
    await other.getByLabel('Server', { exact: true }).selectOption({ index: 0 });
    await page.goBack();
    await page.waitForURL(/add-an-item/);
    const again = await openForm(page);
    await send(again);
    expect(api.requests.at(-1)?.body).toBe('{"product": "raw", "extra": 12345678901234567890}');
    await expect
      .poll(() => page.evaluate('JSON.stringify(localStorage) + document.cookie'))
      .not.toContain('t0ken');
    await page.context().close();
  });

  test('shows images without running their scripts, and HTML as text', async () => {
    const { page, form } = await open(onSite('api-reference/files/a-picture'));
    for (const kind of ['png', 'svg']) {
      await form.getByLabel('kind').selectOption(kind);
      await send(form);
      await form.locator('img.d-pg-media').waitFor();
    }
    await expect
      .poll(() => form.locator('img.d-pg-media').getAttribute('src'))
      .toMatch(/^data:image\/svg/);
    await page.goto(onSite('api-reference/files/a-page'));
    expect(await send(await openForm(page))).toContain(HOSTILE);
    await expect.poll(() => page.evaluate('globalThis.hacked')).toBeUndefined();
    await page.context().close();
  });

  test('reports missing and invalid values, and sends nothing', async () => {
    const { page, form } = await open(onSite(ITEM));
    await form.getByLabel('quantity integer required').fill('many');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => form.getByText('This is not a number.').isVisible()).toBe(true);
    await expect.poll(() => form.getByText('This value is required.').isVisible()).toBe(true);
    await expect
      .poll(() => form.getByLabel('orderId string required').getAttribute('aria-invalid'))
      .toBe('true');
    expect(api.requests).toEqual([]);
    await page.context().close();
  });

  test('works with the keyboard on a phone, in dark colors and from right to left', async () => {
    const { page, form } = await open(onSite('ar/order'), {
      viewport: { width: 375, height: 700 },
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    });
    await expect
      .poll(() =>
        page.evaluate("getComputedStyle(document.querySelector('dialog.d-pg')).direction"),
      )
      .toBe('rtl');
    await expect.poll(() => page.locator('[data-playground-open]').textContent()).toBe('جرّبه');
    await expect
      .poll(() => page.locator('#content h2').allTextContents())
      .toContain('معاملات الاستعلام');
    await expect.poll(() => form.getByRole('button', { name: 'إرسال' }).count()).toBe(1);
    expect(await form.boundingBox()).toMatchObject({ x: 0, y: 0, width: 375, height: 700 });
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
      .toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await form.locator('input[type="password"]').focus();
    await page.keyboard.type('t');
    await page.keyboard.press('Enter');
    await form.locator('.d-pg-status').waitFor();
    expect(api.requests[0]?.headers.authorization).toBe('Bearer t');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate("document.activeElement.hasAttribute('data-playground-open')"))
      .toBe(true);
    await page.context().close();
  });

  test('is absent from a page that only shows its request', async () => {
    const { page } = await openPage(browser, onSite('api/plain'));
    await expect.poll(() => page.locator('.d-endpoint').count()).toBe(1);
    await expect.poll(() => page.locator('[data-playground-open]').count()).toBe(0);
    await page.context().close();
  });
});
