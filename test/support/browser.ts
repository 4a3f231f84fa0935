import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/**
 * Chromium's path, from `scripts/test.ts`; without one, the browser tests are skipped, and the
 * script reports it.
 */
export const chromiumPath = process.env.CHROMIUM_PATH ?? '';

let shared: Promise<Browser> | undefined;

/**
 * The Chromium of this worker, which ends with it. Files share it: each ends with `closeContexts`.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes what a file has opened. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

/**
 * A reader's user agent. Chromium's own names "HeadlessChrome", and machines are not counted. It is
 * set for the whole browser, because that of a context does not reach the beacons that a page sends
 * while it is left.
 */
const READER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

function launchBrowser(): Promise<Browser> {
  const args = [
    `--user-agent=${READER}`,
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--no-first-run',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath: chromiumPath, args });
}

/** By when a busy machine has done what takes seconds on a quiet one. */
const BUSY_MACHINE_MS = 120_000;

/** A page that records what went wrong in it. */
export interface WatchedPage {
  page: Page;
  /** Console errors, uncaught errors, failed requests, and requests to another origin. */
  faults: string[];
}

/**
 * Somebody who saves data uses the dashboard: loading the code of all its other pages ahead takes
 * as long as what a test does.
 */
const SAVES_DATA = `if (location.pathname.startsWith('/dashboard'))
  Object.defineProperty(navigator.connection, 'saveData', { get: () => true })`;

/**
 * Opens a page in its own context.
 * @param options with `loadsAhead`, the dashboard loads the code of its other pages when it is idle
 * @param watch what listens to the page from its first request on
 */
export async function openPage(
  browser: Browser,
  address: string,
  { loadsAhead = false, ...options }: BrowserContextOptions & { loadsAhead?: boolean } = {},
  watch: (page: Page) => void = () => {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  if (!loadsAhead) await context.addInitScript(SAVES_DATA);
  context.setDefaultTimeout(BUSY_MACHINE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  const origin = new URL(address).origin;
  page.on(
    'console',
    (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`),
  );
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // Chromium still delivers the events of a page that is left before the server has responded.
    if (reason === 'net::ERR_ABORTED' && request.url().endsWith('/_docent/events')) return;
    faults.push(`failed: ${request.method()} ${request.url()} (${reason})`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.protocol !== 'data:' && target.origin !== origin)
      faults.push(`elsewhere: ${request.url()}`);
  });
  watch(page);
  await page.goto(address);
  return { page, faults };
}

interface AxeViolation {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

/**
 * What fades in has its colors at the end of its animation, which can begin with the next frame, for
 * example in another color scheme. Animations without an end, such as that of a skeleton, are not
 * awaited.
 */
const ANIMATIONS_END = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const running = () => document.getAnimations().filter(({ effect, playState }) =>
    playState === 'running' && effect.getComputedTiming().endTime !== Infinity);
  while (running().length > 0) await Promise.allSettled(running().map(({ finished }) => finished));
})()`;

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Serious and critical findings of axe-core, one line each.
 * @param rules the rules to check; all by default
 */
export async function seriousFindings(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(ANIMATIONS_END);
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: AxeViolation[] }> };
    };
    // No rule that runs needs the style sheets again, and nobody the selectors.
    const options = { resultTypes: ['violations'], preload: false, selectors: false };
    return (await axe.run({ ...options, ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/**
 * Waits until an expression is true on the page. Unlike `waitForFunction`, it evaluates nothing
 * inside the page, which its Content-Security-Policy would block.
 */
export async function waitOnPage(
  page: Page,
  expression: string,
  timeoutMs = BUSY_MACHINE_MS,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; ) {
    // While the next page loads, nothing can be evaluated.
    if (await page.evaluate(`Boolean(${expression})`).catch(() => false)) return;
    if (Date.now() > end)
      throw new Error(`After ${timeoutMs} ms this was not true on the page: ${expression}`);
    await page.waitForTimeout(100);
  }
}

/**
 * Waits until the scripts of the dashboard have taken over the document: a value that is filled in
 * earlier is lost. People cannot type that early, because the document is inert until then.
 */
export function waitForScripts(page: Page): Promise<void> {
  return waitOnPage(
    page,
    `Object.keys(document.querySelector('#app')?.firstElementChild ?? {}).some((key) => key.startsWith('__react'))`,
  );
}

/** Opens a page of the dashboard, and waits for its scripts. */
export async function openDashboard(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await waitForScripts(page);
}

/** The person whom `signUp` creates. */
const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'a long passphrase' };

/**
 * Creates the first account of a Docent, in the session of a page, and opens the list of its sites.
 * @returns the address of the organization `acme` in the dashboard
 */
export async function signUp(
  page: Page,
  docent: { apiUrl: string; setupUrl: string },
  owner = ADA,
): Promise<string> {
  const token = new URL(docent.setupUrl).searchParams.get('token');
  const answer = await page.context().request.post(`${docent.apiUrl}/v1/setup`, {
    data: { token, organization: { name: 'Acme', slug: 'acme' }, ...owner },
    headers: { origin: docent.apiUrl },
  });
  if (answer.status() !== 201) throw new Error(await answer.text());
  const home = `${docent.apiUrl}/dashboard/acme`;
  await openDashboard(page, home);
  return home;
}
