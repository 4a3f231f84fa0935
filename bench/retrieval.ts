import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSite } from '../src/build/build-site.ts';
import { describeFile, type FileSink } from '../src/build/file-sink.ts';
import { defaultSlicePages } from '../src/core/navigation/default-slice.ts';
import { buildSearchIndex } from '../src/core/search/build-search-index.ts';
import { groupByPage } from '../src/core/search/group-by-page.ts';
import { IndexData } from '../src/core/search/index-data.ts';
import { loadSearchIndex } from '../src/core/search/load-search-index.ts';
import type { SearchDocument, SearchFilter } from '../src/core/search/search-index.ts';
import type { SiteBuild } from '../src/core/site-build.ts';

/*
 * How well search finds the pages that answer real questions, and how fast it is.
 *
 *   node bench/retrieval.ts <corpora folder> <retrieval folder> [--misses]
 *
 * The retrieval folder holds one `<repository>.jsonl` for each repository of the corpora folder, a line being
 * `{"q": question, "relevant": [page, …]}`. Every repository is built as for publishing; searched is its default version and
 * language. Printed: hit@1, hit@5 and MRR@10, and for the indexes: CPU milliseconds to build, milliseconds to load, and
 * the 50th and 99th percentile of a query in milliseconds.
 */

interface Question {
  q: string;
  relevant: string[];
}

interface Row {
  repository: string;
  hit1: number;
  hit5: number;
  mrr10: number;
  pages: number;
  sections: number;
  megabytes: number;
  buildCpuMs: number;
  loadMs: number;
  queryP50Ms: number;
  queryP99Ms: number;
}

const [corporaFolder, retrievalFolder, ...flags] = process.argv.slice(2);
if (corporaFolder === undefined || retrievalFolder === undefined) {
  process.stdout.write('usage: node bench/retrieval.ts <corpora folder> <retrieval folder> [--misses]\n');
} else {
  const rows: Row[] = [];
  for (const file of readdirSync(retrievalFolder).filter((name) => name.endsWith('.jsonl'))) {
    const repository = file.slice(0, -'.jsonl'.length);
    const lines = readFileSync(join(retrievalFolder, file), 'utf8').trim().split('\n');
    rows.push(
      await measure(
        repository,
        resolve(corporaFolder, repository),
        lines.map((line) => JSON.parse(line) as Question),
      ),
    );
  }
  print(rows);
}

async function measure(repository: string, folder: string, questions: readonly Question[]): Promise<Row> {
  const files = new Map<string, Uint8Array>();
  const sink: FileSink = {
    async add(bytes, type) {
      const file = describeFile(bytes, type);
      files.set(file.sha256, bytes);
      return file;
    },
  };
  const build = await buildSite(folder, sink, { threads: availableParallelism() });
  const bytes = files.get(build.searchIndex.sha256) as Uint8Array;
  const quality = judge(repository, build, bytes, questions);
  return { repository, ...quality, ...speed(bytes, questions) };
}

function judge(
  repository: string,
  build: SiteBuild,
  bytes: Uint8Array,
  questions: readonly Question[],
): Pick<Row, 'hit1' | 'hit5' | 'mrr10'> {
  const slice = new Set(defaultSlicePages(build.navigation));
  const inSlice = build.pages.filter((page) => slice.has(page.path));
  const filter: SearchFilter = {};
  const language = inSlice.find((page) => page.language !== undefined)?.language;
  if (language !== undefined) filter.language = language;
  const version = inSlice.find((page) => page.version !== undefined)?.version;
  if (version !== undefined) filter.version = version;
  const index = loadSearchIndex(bytes);
  let [hit1, hit5, reciprocalRanks] = [0, 0, 0];
  for (const { q, relevant } of questions) {
    const pages = groupByPage(index.search(q, { limit: 80, completeLastWord: false, filter })).filter((page) =>
      slice.has(page.path),
    );
    const rank = pages.slice(0, 10).findIndex((page) => relevant.includes(page.path)) + 1;
    if (rank === 1) hit1++;
    if (rank >= 1 && rank <= 5) hit5++;
    if (rank >= 1) reciprocalRanks += 1 / rank;
    if (rank !== 1 && flags.includes('--misses')) {
      const found = pages.slice(0, 3).map((page) => `${page.path} ${page.score.toFixed(2)}`);
      process.stdout.write(
        `${repository} rank ${rank || '–'}: ${q}\n  wanted ${relevant.join(', ')}\n  found  ${found.join(', ')}\n`,
      );
    }
  }
  return { hit1: hit1 / questions.length, hit5: hit5 / questions.length, mrr10: reciprocalRanks / questions.length };
}

type Speed = Omit<Row, 'repository' | 'hit1' | 'hit5' | 'mrr10'>;

function speed(bytes: Uint8Array, questions: readonly Question[]): Speed {
  const data = new IndexData(bytes);
  const documents: SearchDocument[] = Array.from({ length: data.sectionCount }, (_, section) => data.document(section));
  buildSearchIndex(documents);
  const before = process.cpuUsage();
  buildSearchIndex(documents);
  const cpu = process.cpuUsage(before);
  const loadStart = performance.now();
  const index = loadSearchIndex(bytes);
  const loadMs = performance.now() - loadStart;
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const { q } of questions) {
      const start = performance.now();
      index.search(q, { limit: 60, completeLastWord: false });
      times.push(performance.now() - start);
    }
  }
  times.sort((a, b) => a - b);
  return {
    pages: data.pages.length,
    sections: data.sectionCount,
    megabytes: bytes.length / 1e6,
    buildCpuMs: (cpu.user + cpu.system) / 1000,
    loadMs,
    queryP50Ms: times[Math.floor(times.length * 0.5)] as number,
    queryP99Ms: times[Math.floor(times.length * 0.99)] as number,
  };
}

function print(rows: readonly Row[]): void {
  const header = [
    'repository',
    'hit@1',
    'hit@5',
    'MRR@10',
    'pages',
    'sections',
    'index MB',
    'build CPU ms',
    'load ms',
    'query p50 ms',
    'p99 ms',
  ];
  const lines = rows.map((row) => [
    row.repository,
    ...[row.hit1, row.hit5, row.mrr10].map((value) => value.toFixed(3)),
    String(row.pages),
    String(row.sections),
    ...[row.megabytes, row.buildCpuMs, row.loadMs, row.queryP50Ms, row.queryP99Ms].map((value) => value.toFixed(1)),
  ]);
  const mean = (key: 'hit1' | 'hit5' | 'mrr10') => (rows.reduce((sum, row) => sum + row[key], 0) / rows.length).toFixed(3);
  lines.push(['mean', mean('hit1'), mean('hit5'), mean('mrr10'), ...Array<string>(7).fill('')]);
  const widths = header.map((name, column) => Math.max(name.length, ...lines.map((line) => (line[column] as string).length)));
  for (const line of [header, ...lines]) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
