import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { searchFiles } from '@docent/compiler/site/search-files.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { cutIndex } from '@docent/search/shards/cut-index.ts';
import type { Shard } from '@docent/search/shards/shard-format.ts';
import { openShardedIndex } from '@docent/search/shards/sharded-index.ts';
import { largeSite } from './bundle-search/large-site.ts';
import { cpuMsSince, print, quantile } from './measure.ts';

/*
 * What a search inside a bundle of 4,000 pages fetches, and its cost.
 *
 *   node bench/bundle-search.ts <corpora folder> [<retrieval folder>] [--pages 4000] [--browser]
 *
 * The site consists of all repositories of the corpora folder; the retrieval folder contains
 * questions, `{"q": …}` per line. Prints for each kind of query, as 50th and 95th percentile and
 * maximum: the bytes of the scripts that a query fetches as the first one (head and shards, as on
 * disk and compressed with gzip) and as one after others, the CPU milliseconds of the two, and
 * those of a query whose shards are all loaded. Every answer is compared with that of the whole
 * index. `--browser` opens the same index from disk in Chromium (`CHROMIUM_PATH`) and prints the
 * milliseconds from the typed query to its answer on the page.
 */

const LIMIT = 16;
/** Titles that are searched for. */
const TITLES = 150;

type Sample = Record<
  'firstBytes' | 'firstGzip' | 'laterBytes' | 'firstMs' | 'laterMs' | 'againMs' | 'requests',
  number[]
>;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '4000' },
    browser: { type: 'boolean', default: false },
  },
});
const [corpora, retrieval] = positionals;
if (corpora === undefined) {
  process.stdout.write(
    'usage: node bench/bundle-search.ts <corpora folder> [<retrieval folder>] [--pages 4000] [--browser]\n',
  );
} else {
  const documents = await largeSite(resolve(corpora), Number(flags.pages));
  await measure(buildSearchIndex(documents));
}

async function measure(bytes: Uint8Array): Promise<void> {
  const data = new IndexData(bytes);
  const start = process.cpuUsage();
  const whole = cutIndex(data);
  const [head, shards] = [whole.head, [...whole.shards]];
  const cutMs = cpuMsSince(start);
  const cut = { name: 'search-index-00000000', languages: [] };
  const files = [...searchFiles(bytes, cut)];
  // The head comes first, then the shards in order.
  const gzip = new Map<number, number>();
  const gzipOf = (at: number) => {
    const known = gzip.get(at) ?? gzipSync(files[at]?.bytes ?? '').length;
    gzip.set(at, known);
    return known;
  };
  const sizeOf = (at: number) => files[at]?.bytes.length ?? 0;
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  process.stdout.write(
    `${data.pages.length} pages, ${data.sectionCount} sections, index of ${(bytes.length / 1e6).toFixed(1)} MB\n` +
      `cut in ${cutMs.toFixed(0)} ms of CPU: ${files.length} files, ${(total / 1e6).toFixed(1)} MB; head of ${sizeOf(0)} bytes, ${gzipOf(0)} with gzip\n\n`,
  );
  const inMemory = loadSearchIndex(bytes);
  const kinds = queriesOf(data, retrieval);
  for (const [kind, queries] of kinds) {
    const sample: Sample = {
      firstBytes: [],
      firstGzip: [],
      laterBytes: [],
      firstMs: [],
      laterMs: [],
      againMs: [],
      requests: [],
    };
    let fetched: number[] = [];
    const open = () =>
      openShardedIndex(head, async (number) => {
        fetched.push(number + 1);
        return shards[number] as Shard;
      });
    const sum = (of: (at: number) => number) => fetched.reduce((total, at) => total + of(at), 0);
    const lasting = open();
    let different = 0;
    for (const query of queries) {
      const timed = async (search: typeof lasting.search): Promise<number> => {
        const before = process.cpuUsage();
        const hits = await search(query, { limit: LIMIT });
        const ms = cpuMsSince(before);
        if (JSON.stringify(hits) !== JSON.stringify(inMemory.search(query, { limit: LIMIT })))
          different++;
        return ms;
      };
      fetched = [0];
      const fresh = open();
      sample.firstMs.push(await timed(fresh.search));
      sample.firstBytes.push(sum(sizeOf));
      sample.firstGzip.push(sum(gzipOf));
      sample.requests.push(fetched.length);
      sample.againMs.push(await timed(fresh.search));
      fetched = [];
      sample.laterMs.push(await timed(lasting.search));
      sample.laterBytes.push(sum(sizeOf));
    }
    process.stdout.write(
      `${kind}: ${queries.length} queries, ${different} answers unlike those of the whole index\n`,
    );
    printQuantiles('  first, bytes', sample.firstBytes);
    printQuantiles('  first, bytes with gzip', sample.firstGzip);
    printQuantiles('  first, requests', sample.requests);
    printQuantiles('  later, bytes', sample.laterBytes);
    printQuantiles('  first, CPU ms', sample.firstMs);
    printQuantiles('  later, CPU ms', sample.laterMs);
    printQuantiles('  again, CPU ms', sample.againMs);
  }
  if (flags.browser) {
    const { measureInBrowser } = await import('./bundle-search/in-browser.ts');
    printQuantiles(
      'in Chromium, from the disk: later, ms',
      await measureInBrowser(bytes, [...kinds.values()].flat()),
    );
  }
}

function printQuantiles(name: string, values: readonly number[]): void {
  const at = (share: number) => Math.round(quantile(values, share));
  print(`${name.padEnd(40)} p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}`);
}

/**
 * Returns queries by kind: questions if a folder of them is given, and typical queries of readers
 * who look for a page.
 */
function queriesOf(data: IndexData, retrieval: string | undefined): Map<string, string[]> {
  const pages = data.storedPages;
  const titles = Array.from(
    { length: TITLES },
    (_, i) => pages[Math.floor(((i + 0.5) * pages.length) / TITLES)]?.[2] ?? '',
  );
  const kinds = new Map<string, string[]>();
  if (retrieval !== undefined) kinds.set('questions', questions(retrieval));
  kinds.set('titles', titles);
  kinds.set(
    'typing errors',
    titles.map((title) => title.replace(/\b([a-z]{3})([a-z])([a-z])([a-z]+)/gi, '$1$3$2$4')),
  );
  kinds.set(
    'beginnings',
    titles.map((title) => title.slice(0, Math.ceil(title.length * 0.6))),
  );
  return kinds;
}

function questions(retrieval: string): string[] {
  return readdirSync(retrieval)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(retrieval, name), 'utf8').trim().split('\n'))
    .map((line) => (JSON.parse(line) as { q: string }).q);
}
