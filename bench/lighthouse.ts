import { once } from 'node:events';
import { basename, resolve } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { fetchLocal, publishArchive, tarball } from '../test/support/http.ts';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';

/*
 * Lighthouse scores of pages as readers get them: publishes folders of documentation on its own
 * Docent and audits the start page and pages spread over the site, or audits pages that are already
 * served. Prints each page's scores for phone and desktop, what kept them below 100, and the lowest
 * of each column. Slow, and the performance score is noisy on a busy machine: `--runs 3` takes the
 * median. `--dashboard` audits pages of the dashboard: the setup page of a new server, then pages
 * of an owner and of a site with the content of `test/sites/basic`.
 *
 *   node bench/lighthouse.ts <folder or address> [<folder or address> …] [--pages 3] [--runs 1] [--devices phone,desktop]
 *   node bench/lighthouse.ts --dashboard [--only <expression for its paths>] [--runs 1]
 */
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const chromePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const chromeFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
];
const SITE_PAGES = [
  '',
  ...[
    'deployments',
    'previews',
    'publish',
    'analytics',
    'live',
    'searches',
    'questions',
    'conversations',
    'feedback',
  ],
  ...['assistant', 'exports', 'keys', 'settings'],
];

interface Audited {
  scores: number[];
  /** Largest paint, time that scripts block the page, and layout shift. */
  timings: string;
  /** Failed audits with their measurements. */
  faults: string[];
}

const words = process.argv.slice(2);
const pagesPerSite = takeNumber('--pages', 3);
const runs = takeNumber('--runs', 1);
const only = new RegExp(takeText('--only') ?? '');
type Device = 'phone' | 'desktop';
const devices = (takeText('--devices') ?? 'phone,desktop').split(',') as Device[];
/** The session of the dashboard. */
let cookies: { name: string; value: string; url: string }[] = [];
if (words.length === 0)
  process.stdout.write(
    'usage: node bench/lighthouse.ts <folder or address> …|--dashboard [--pages N] [--runs N]\n',
  );
else if (words[0] === '--dashboard') await auditDashboard();
else await main(words);

async function auditDashboard(): Promise<void> {
  const docent = (await startDocent()) as Awaited<ReturnType<typeof startDocent>> & {
    setupUrl: string;
  };
  try {
    await publishArchive(docent, 'acme', tarball(resolve('test/sites/basic')));
    if (only.test('/setup')) await auditAll([docent.setupUrl]);
    const answer = await fetch(`${docent.apiUrl}/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: docent.apiUrl },
      body: JSON.stringify({
        token: new URL(docent.setupUrl).searchParams.get('token'),
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        password: 'a long passphrase',
        organization: { name: 'Acme' },
      }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    cookies = answer.headers.getSetCookie().map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return { name, value, url: docent.apiUrl };
    });
    const { organization } = (await answer.json()) as { organization: { slug: string } };
    const pages = [
      ...['', ...SITE_PAGES.map((page) => `/acme${page && `/${page}`}`)],
      ...['new-site', 'general', 'members', 'keys', 'audit-log', 'usage'].map(
        (page) => `/settings/${page}`,
      ),
    ].map((page) => `/${organization.slug}${page}`);
    const accountPages = ['profile', 'security', 'sessions'].map((page) => `/account/${page}`);
    const chosen = [...pages, ...accountPages].filter((page) => only.test(page));
    await auditAll(chosen.map((page) => `${docent.apiUrl}/dashboard${page}`));
  } finally {
    await docent.stop();
    await removeTemporaryFolders();
  }
}

function takeNumber(option: string, fallback: number): number {
  return Number(takeText(option) ?? fallback);
}

function takeText(option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words.splice(at, 2)[1];
}

async function main(targets: string[]): Promise<void> {
  const folders = targets.filter((target) => !/^https?:/.test(target));
  const docent = folders.length > 0 ? await startDocent() : undefined;
  try {
    const addresses = targets.filter((target) => /^https?:/.test(target));
    for (const folder of folders) {
      const slug = slugOf(folder);
      await publishArchive(docent!, slug, tarball(resolve(folder)));
      addresses.push(...(await chooseAddresses(`http://${slug}.localhost:${docent!.port}`)));
    }
    await auditAll(addresses);
  } finally {
    await docent?.stop();
    await removeTemporaryFolders();
  }
}

function slugOf(folder: string): string {
  const name = basename(resolve(folder)).toLowerCase();
  return name
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}

/** Returns the start page and evenly spaced pages of the sitemap. */
async function chooseAddresses(site: string): Promise<string[]> {
  const sitemap = await (await fetchLocal(`${site}/sitemap.xml`)).text();
  // The sitemap contains the site's public address, which may have a path before that of the page.
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map((found) =>
    new URL(found[1] as string).pathname.replace(/^\/sites\/[^/]+/, ''),
  );
  const chosen = new Set(['/']);
  for (let i = 1; i < pagesPerSite; i++)
    chosen.add(paths[Math.floor((i * paths.length) / pagesPerSite)] ?? '/');
  return [...chosen].map((path) => site + path);
}

async function auditAll(addresses: string[]): Promise<void> {
  process.stdout.write(`${'performance, accessibility, best practices, SEO'.padEnd(60)}\n\n`);
  const lowest = new Map<string, number[]>();
  for (const address of addresses) {
    for (const device of devices) {
      const { scores, timings, faults } = await median(address, device);
      const least = lowest.get(device) ?? scores;
      lowest.set(
        device,
        least.map((score, i) => Math.min(score, scores[i] as number)),
      );
      process.stdout.write(
        `${scores.map((score) => String(score).padStart(4)).join('')}  ${device.padEnd(8)} ${address} (${timings})\n`,
      );
      for (const fault of faults) process.stdout.write(`                            ${fault}\n`);
    }
  }
  for (const [device, scores] of lowest)
    process.stdout.write(
      `${scores.map((score) => String(score).padStart(4)).join('')}  lowest, ${device}\n`,
    );
}

/** Returns the run with the median performance. */
async function median(address: string, device: Device): Promise<Audited> {
  const audited: Audited[] = [];
  // A busy machine may lose the start of a trace, which gives no result.
  for (let run = 0; run < runs; run++)
    audited.push(await audit(address, device).catch(() => audit(address, device)));
  audited.sort((a, b) => (a.scores[0] as number) - (b.scores[0] as number));
  return audited[Math.floor(runs / 2)] as Audited;
}

async function audit(address: string, device: Device): Promise<Audited> {
  const chrome = await launch({ chromePath, chromeFlags, logLevel: 'silent' });
  try {
    const flags = {
      port: chrome.port,
      logLevel: 'silent' as const,
      onlyCategories: [...CATEGORIES],
    };
    if (cookies.length > 0) await setCookies(chrome.port);
    const outcome = await lighthouse(
      address,
      flags,
      device === 'desktop' ? desktopConfig : undefined,
    );
    if (!outcome) throw new Error(`Lighthouse gave no result for ${address}.`);
    const { runtimeError } = outcome.lhr;
    if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`);
    return read(outcome.lhr);
  } finally {
    chrome.kill();
  }
}

/**
 * Sets the session in the browser: a header would be sent in addition to the cookies that the
 * server renews.
 */
async function setCookies(port: number): Promise<void> {
  const version = await fetch(`http://localhost:${port}/json/version`);
  const { webSocketDebuggerUrl } = (await version.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'Storage.setCookies', params: { cookies } }));
  await once(socket, 'message');
  socket.close();
}

function read(result: Result): Audited {
  const scores = CATEGORIES.map((name) => Math.round((result.categories[name]?.score ?? 0) * 100));
  const timings = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']
    .map((name) => result.audits[name]?.displayValue ?? '–')
    .join(', ');
  const faults: string[] = [];
  for (const category of CATEGORIES) {
    for (const { id, weight } of result.categories[category]?.auditRefs ?? []) {
      const { score, title, displayValue } = result.audits[id] ?? {};
      if (weight === 0 || score === null || score === undefined || score >= 0.9) continue;
      const items = itemsOf(result, id).slice(0, 3);
      const shown = category === 'performance' ? '' : ` ${JSON.stringify(items).slice(0, 400)}`;
      faults.push(`${id} (${score.toFixed(2)}): ${title} ${displayValue ?? ''}${shown}`);
    }
  }
  const largest = JSON.stringify(itemsOf(result, 'lcp-breakdown-insight')).match(
    /"snippet":"(?:[^"\\]|\\.)*"/,
  )?.[0];
  if (faults.length > 0 && largest) faults.push(`largest paint: ${largest.slice(11, 300)}`);
  return { scores, timings, faults };
}

function itemsOf({ audits }: Result, id: string): unknown[] {
  const details = audits[id]?.details;
  return details && 'items' in details && Array.isArray(details.items) ? details.items : [];
}
