import { basename, resolve } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { publishArchive, tarball } from '../test/support/http.ts';
import { removeTemporaryFolders, startDocent } from '../test/support/start-docent.ts';

/*
 * Lighthouse scores of pages as readers get them: publishes folders of documentation on a Docent of its own and audits the
 * start page and pages spread over the site, or audits pages that are served already. Prints each page's scores for phone
 * and desktop, what kept them below 100, and the lowest of each column. Slow, and the performance score is noisy on a
 * busy machine: `--runs 3` takes the median.
 *
 *   node bench/lighthouse.ts <folder or address> [<folder or address> …] [--pages 3] [--runs 1] [--cookie <cookie>]
 */
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const chromePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const chromeFlags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

interface Audited {
  scores: number[];
  /** Audits that are not passed, with what was measured. */
  faults: string[];
}

const words = process.argv.slice(2);
const pagesPerSite = takeNumber('--pages', 3);
const runs = takeNumber('--runs', 1);
/** Sent with every request, for pages of the dashboard: `docent.session=…`. */
const cookie = takeText('--cookie');
if (words.length === 0) process.stdout.write('usage: node bench/lighthouse.ts <folder or address> … [--pages N] [--runs N]\n');
else await main(words);

function takeText(option: string): string | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words.splice(at, 2)[1];
}

function takeNumber(option: string, fallback: number): number {
  return Number(takeText(option) ?? fallback);
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

/** The start page and pages at even distances in the sitemap. */
async function chooseAddresses(site: string): Promise<string[]> {
  const sitemap = await (await fetch(`${site}/sitemap.xml`)).text();
  // The sitemap names the site's public address, which may have a path of its own before that of the page.
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map((found) =>
    new URL(found[1] as string).pathname.replace(/^\/sites\/[^/]+/, ''),
  );
  const chosen = new Set(['/']);
  for (let i = 1; i < pagesPerSite; i++) chosen.add(paths[Math.floor((i * paths.length) / pagesPerSite)] ?? '/');
  return [...chosen].map((path) => site + path);
}

async function auditAll(addresses: string[]): Promise<void> {
  process.stdout.write(`${'performance, accessibility, best practices, SEO'.padEnd(60)}\n\n`);
  const lowest = new Map<string, number[]>();
  for (const address of addresses) {
    for (const device of ['phone', 'desktop'] as const) {
      const { scores, faults } = await median(address, device);
      const least = lowest.get(device) ?? scores;
      lowest.set(
        device,
        least.map((score, i) => Math.min(score, scores[i] as number)),
      );
      process.stdout.write(`${scores.map((score) => String(score).padStart(4)).join('')}  ${device.padEnd(8)} ${address}\n`);
      for (const fault of faults) process.stdout.write(`                            ${fault}\n`);
    }
  }
  for (const [device, scores] of lowest)
    process.stdout.write(`${scores.map((score) => String(score).padStart(4)).join('')}  lowest, ${device}\n`);
}

/** The run whose performance is the middle one. */
async function median(address: string, device: 'phone' | 'desktop'): Promise<Audited> {
  const audited: Audited[] = [];
  for (let run = 0; run < runs; run++) audited.push(await audit(address, device));
  audited.sort((a, b) => (a.scores[0] as number) - (b.scores[0] as number));
  return audited[Math.floor(runs / 2)] as Audited;
}

async function audit(address: string, device: 'phone' | 'desktop'): Promise<Audited> {
  const chrome = await launch({ chromePath, chromeFlags, logLevel: 'silent' });
  try {
    const flags = {
      port: chrome.port,
      logLevel: 'silent' as const,
      onlyCategories: [...CATEGORIES],
      ...(cookie !== undefined && { extraHeaders: { cookie } }),
    };
    const outcome = await lighthouse(address, flags, device === 'desktop' ? desktopConfig : undefined);
    if (!outcome) throw new Error(`Lighthouse gave no result for ${address}.`);
    return read(outcome.lhr);
  } finally {
    chrome.kill();
  }
}

function read(result: Result): Audited {
  const scores = CATEGORIES.map((name) => Math.round((result.categories[name]?.score ?? 0) * 100));
  const faults: string[] = [];
  for (const category of CATEGORIES) {
    for (const { id, weight } of result.categories[category]?.auditRefs ?? []) {
      const { score, title, displayValue, details } = result.audits[id] ?? {};
      if (weight === 0 || score === null || score === undefined || score >= 0.9) continue;
      const items = details && 'items' in details && Array.isArray(details.items) ? details.items.slice(0, 3) : [];
      const shown = category === 'performance' ? '' : ` ${JSON.stringify(items).slice(0, 400)}`;
      faults.push(`${id} (${score.toFixed(2)}): ${title} ${displayValue ?? ''}${shown}`);
    }
  }
  return { scores, faults };
}
