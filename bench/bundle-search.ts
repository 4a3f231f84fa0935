import { resolve } from 'node:path';
import { searchFiles, searchHead } from '../src/compiler/site/search-parts.ts';
import { buildSearchIndex } from '../src/core/search/build-search-index.ts';
import { IndexData } from '../src/core/search/index-data.ts';
import { loadSearchIndex } from '../src/core/search/load-search-index.ts';
import { cutIndex } from '../src/core/search/parts/cut-index.ts';
import { openPartedIndex } from '../src/core/search/parts/parted-index.ts';
import { largeSite } from './bundle-search/large-site.ts';
import { queriesOf } from './bundle-search/queries.ts';

/*
 * What a search inside a bundle of 4,000 pages fetches, and what it costs.
 *
 *   node bench/bundle-search.ts <corpora folder> [<retrieval folder>] [--browser]
 *
 * The site is made of all repositories of the corpora folder; the retrieval folder holds questions, `{"q": …}` a line. For each
 * kind of query are printed, as 50th and 95th percentile and maximum: the bytes of the scripts that a query fetches as the first
 * one (head and parts, not compressed) and as one after others, the CPU milliseconds of the two, and those of a query whose parts
 * are all there. Every answer is compared with that of the whole index. `--browser` opens the same index from the disk in
 * Chromium (`CHROMIUM_PATH`) and prints the milliseconds from the typed query to its answer on the page.
 */

const SITE_PAGES = 4000;
const LIMIT = 16;

type Sample = Record<'firstBytes' | 'laterBytes' | 'firstMs' | 'laterMs' | 'againMs' | 'requests', number[]>;

const [corpora, ...rest] = process.argv.slice(2);
const retrieval = rest.find((argument) => !argument.startsWith('--'));
if (corpora === undefined) {
  process.stdout.write('usage: node bench/bundle-search.ts <corpora folder> [<retrieval folder>] [--browser]\n');
} else {
  const documents = await largeSite(resolve(corpora), SITE_PAGES);
  await measure(buildSearchIndex(documents));
}

async function measure(bytes: Uint8Array): Promise<void> {
  const data = new IndexData(bytes);
  const start = process.cpuUsage();
  const { head, parts } = cutIndex(data);
  const cutMs = cpuSince(start);
  const cut = { name: 'search-index-00000000', languages: [] };
  const [files, headName] = [searchFiles(bytes, cut), searchHead(cut)];
  const sizes = new Map(files.map((file) => [file.path, file.bytes.length]));
  const sizeOf = (part: number) => sizes.get(`_docent/${headName.replace(/\.js$/, `-${part}.js`)}`) as number;
  const headBytes = sizes.get(`_docent/${headName}`) as number;
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  process.stdout.write(
    `${data.pages.length} pages, ${data.sectionCount} sections, index of ${(bytes.length / 1e6).toFixed(1)} MB\n` +
      `cut in ${cutMs.toFixed(0)} ms of CPU: ${parts.length} parts, ${(total / 1e6).toFixed(1)} MB; head of ${headBytes} bytes\n\n`,
  );
  const whole = loadSearchIndex(bytes);
  const kinds = queriesOf(data, retrieval);
  for (const [kind, queries] of kinds) {
    const sample: Sample = { firstBytes: [], laterBytes: [], firstMs: [], laterMs: [], againMs: [], requests: [] };
    let fetched = 0;
    let requests = 0;
    const open = () =>
      openPartedIndex(head, async (part) => {
        fetched += sizeOf(part);
        requests++;
        return parts[part] as string;
      });
    const lasting = open();
    let different = 0;
    for (const query of queries) {
      const timed = async (search: typeof lasting.search): Promise<number> => {
        const before = process.cpuUsage();
        const hits = await search(query, { limit: LIMIT });
        const ms = cpuSince(before);
        if (JSON.stringify(hits) !== JSON.stringify(whole.search(query, { limit: LIMIT }))) different++;
        return ms;
      };
      fetched = headBytes;
      requests = 1;
      const fresh = open();
      sample.firstMs.push(await timed(fresh.search));
      sample.firstBytes.push(fetched);
      sample.requests.push(requests);
      sample.againMs.push(await timed(fresh.search));
      fetched = 0;
      sample.laterMs.push(await timed(lasting.search));
      sample.laterBytes.push(fetched);
    }
    process.stdout.write(`${kind}: ${queries.length} queries, ${different} answers unlike those of the whole index\n`);
    print('  first, bytes', sample.firstBytes);
    print('  first, requests', sample.requests);
    print('  later, bytes', sample.laterBytes);
    print('  first, CPU ms', sample.firstMs);
    print('  later, CPU ms', sample.laterMs);
    print('  again, CPU ms', sample.againMs);
  }
  if (rest.includes('--browser')) {
    const { measureInBrowser } = await import('./bundle-search/in-browser.ts');
    print('in Chromium, from the disk: later, ms', await measureInBrowser(bytes, [...kinds.values()].flat()));
  }
}

function print(name: string, values: readonly number[]): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number);
  process.stdout.write(`${name.padEnd(40)} p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}\n`);
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
