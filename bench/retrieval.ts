import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFile } from '@docent/compiler/files/file-sink.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { buildSearchIndex } from '@docent/search/load/build-search-index.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import {
  groupByPage,
  type SearchDocument,
  type SearchHit,
  type SearchOptions,
} from '@docent/search/search-index.ts';
import { loadConfig } from '@docent/server/kernel/config/config.ts';
import { openFileSystemBlobStore } from '../packages/server/src/adapters/blob-store/file-system.ts';
import { createPinoLogger } from '../packages/server/src/adapters/logger/pino.ts';
import type { LiveSite } from '../packages/server/src/ports/live-sites.ts';
import { embeddedTexts, makeVectors } from '../packages/server/src/semantic/make-vectors.ts';
import { readVectors, vectorsKey } from '../packages/server/src/semantic/vector-files.ts';
import { openSiteSearch } from '../packages/server/src/start/compose-search.ts';
import { buildInMemory, documentsIn } from './build-in-memory.ts';
import { cpuMsOf, printTable, quantile } from './measure.ts';
import { defaultSlice, projectsOf, type Question, readQuestions } from './train/read-examples.ts';

/*
 * How well search finds the pages that answer real questions, and how fast it is.
 *
 *   node bench/retrieval.ts <corpora folder> <retrieval folder> [--misses] [--slower=<times>] [--embeddings]
 *
 * The retrieval folder contains one `<repository>.jsonl` for each repository of the corpora folder,
 * with lines `{"q": question, "relevant": [page, …]}`. Builds every repository as for publishing,
 * and searches its default version and language. Prints hit@1, hit@5 and MRR@10 of each repository
 * and their means; then, for all repositories as one site of 4,000 pages, the CPU milliseconds to
 * build the index and to load it, its size relative to the text, and the 50th and 99th percentile
 * of a query in CPU milliseconds, each the best of its rounds. `--slower=2.8` states how many times
 * slower this machine is than the one that the limits are meant for, and also prints the figures
 * divided by that.
 *
 * `--embeddings` also searches by meaning, and reranks, with the models of DOCENT_EMBEDDINGS and DOCENT_RERANKER; vectors are
 * cached in `.cache/bench-vectors`, so that only the first run waits for the model.
 */

interface Row {
  repository: string;
  hit1: number;
  hit5: number;
  mrr10: number;
  pages: number;
  sections: number;
}

interface Measured {
  row: Row;
  documents: SearchDocument[];
}

const SITE_PAGES = 4000;
const ROUNDS = 8;

const [corporaFolder, retrievalFolder, ...flags] = process.argv.slice(2);
if (corporaFolder === undefined || retrievalFolder === undefined) {
  process.stdout.write(
    'usage: node bench/retrieval.ts <corpora folder> <retrieval folder> [--misses] [--slower=<times>] [--embeddings]\n',
  );
} else {
  const measured: Measured[] = [];
  const asked: string[] = [];
  for (const repository of projectsOf(retrievalFolder)) {
    const questions = readQuestions(retrievalFolder, repository);
    asked.push(...questions.map(({ q }) => q));
    measured.push(await measure(repository, resolve(corporaFolder, repository), questions));
  }
  printQuality(measured.map(({ row }) => row));
  const slower = Number(
    flags.find((flag) => flag.startsWith('--slower='))?.slice('--slower='.length) ?? 1,
  );
  printSpeed(largeSite(measured), asked, slower);
}

async function measure(
  repository: string,
  folder: string,
  questions: readonly Question[],
): Promise<Measured> {
  const { build, searchIndex: bytes } = await buildInMemory(folder);
  const documents = documentsIn(bytes);
  const quality = await judge(repository, build, bytes, questions);
  const pages = new IndexData(bytes).pages.length;
  return { row: { repository, ...quality, pages, sections: documents.length }, documents };
}

/**
 * Returns the documents of all repositories, repeated under other paths until there are enough
 * pages.
 */
function largeSite(measured: readonly Measured[]): SearchDocument[] {
  const documents: SearchDocument[] = [];
  const paths = new Set<string>();
  for (let round = 0; ; round++) {
    for (const { row, documents: ofRepository } of measured) {
      for (const document of ofRepository) {
        const path = `${row.repository}-${round}/${document.path}`;
        if (!paths.has(path) && paths.size === SITE_PAGES) return documents;
        paths.add(path);
        documents.push({ ...document, path, href: `/${path}` });
      }
    }
    if (paths.size === 0) return documents;
  }
}

async function judge(
  repository: string,
  build: SiteBuild,
  bytes: Uint8Array,
  questions: readonly Question[],
): Promise<Pick<Row, 'hit1' | 'hit5' | 'mrr10'>> {
  const { slice, filter } = defaultSlice(build);
  const index = loadSearchIndex(bytes);
  const search = flags.includes('--embeddings')
    ? await meaningSearch(bytes)
    : index.search.bind(index);
  let [hit1, hit5, reciprocalRanks] = [0, 0, 0];
  for (const { q, relevant } of questions) {
    const hits = await search(q, { limit: 80, completeLastWord: false, filter });
    const pages = groupByPage(hits).filter((page) => slice.has(page.path));
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
  return {
    hit1: hit1 / questions.length,
    hit5: hit5 / questions.length,
    mrr10: reciprocalRanks / questions.length,
  };
}

function printSpeed(
  documents: readonly SearchDocument[],
  questions: readonly string[],
  slower: number,
): void {
  const textBytes = documents.reduce((sum, { markdown }) => sum + Buffer.byteLength(markdown), 0);
  let bytes = new Uint8Array();
  const buildMs = cpuMsOf(() => {
    bytes = new Uint8Array(buildSearchIndex(documents));
  });
  let index = loadSearchIndex(bytes);
  const loadMs = Math.min(
    ...Array.from({ length: ROUNDS }, () =>
      cpuMsOf(() => {
        index = loadSearchIndex(bytes);
      }),
    ),
  );
  // The best of several rounds, because a busy machine sometimes pauses for longer than a query
  // takes.
  const best = questions.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    questions.forEach((question, at) => {
      const ms = cpuMsOf(() => index.search(question, { limit: 60, completeLastWord: false }));
      best[at] = Math.min(best[at] as number, ms);
    });
  }
  const line = (name: string, ms: number) =>
    `  ${name.padEnd(18)} ${ms.toFixed(1).padStart(8)} ms${slower === 1 ? '' : `${(ms / slower).toFixed(1).padStart(8)} ms on a machine ${slower} times as fast`}\n`;
  process.stdout.write(
    `\n${new Set(documents.map((one) => one.path)).size} pages, ${documents.length} sections: ` +
      `${(textBytes / 1e6).toFixed(1)} MB of text, index ${(bytes.length / 1e6).toFixed(1)} MB (${(bytes.length / textBytes).toFixed(2)} times)\n` +
      line('build, CPU', buildMs) +
      line('load, CPU', loadMs) +
      line('query p50, CPU', quantile(best, 0.5)) +
      line('query p99, CPU', quantile(best, 0.99)),
  );
}

function printQuality(rows: readonly Row[]): void {
  const header = ['repository', 'hit@1', 'hit@5', 'MRR@10', 'pages', 'sections'];
  const lines = rows.map((row) => [
    row.repository,
    ...[row.hit1, row.hit5, row.mrr10].map((value) => value.toFixed(3)),
    String(row.pages),
    String(row.sections),
  ]);
  const mean = (key: 'hit1' | 'hit5' | 'mrr10') =>
    (rows.reduce((sum, row) => sum + row[key], 0) / rows.length).toFixed(3);
  lines.push(['mean', mean('hit1'), mean('hit5'), mean('mrr10'), '', '']);
  printTable([header, ...lines]);
}

/**
 * Returns the search that the server would use with the models in the environment; computes the
 * vectors first.
 */
async function meaningSearch(
  index: Uint8Array,
): Promise<(query: string, options: SearchOptions) => Promise<SearchHit[]>> {
  const folder = fileURLToPath(new URL('../../.cache/bench-vectors', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const clock = { now: () => new Date() };
  const logger = createPinoLogger({ level: 'warn' });
  const blobs = await openFileSystemBlobStore({
    folder,
    linkBaseUrl: 'http://localhost',
    secret: 'none',
    clock,
  });
  // Nobody waits here, so the models have no time limit.
  const waits = { DOCENT_EMBEDDINGS_TIMEOUT_MS: '60000', DOCENT_RERANKER_TIMEOUT_MS: '60000' };
  const { embedder, siteSearch } = await openSiteSearch(loadConfig({ ...process.env, ...waits }), {
    blobs,
    clock,
    logger,
  });
  const searchIndex = describeFile(index, 'application/octet-stream');
  if (embedder) {
    const key = vectorsKey(searchIndex.sha256, embedder.name);
    const { signal } = new AbortController();
    const making = {
      embedder,
      sections: await embeddedTexts(index),
      key,
      siteId: 'bench',
      deploymentId: 'bench',
      signal,
    };
    await makeVectors(blobs, making, await readVectors(blobs, key));
  }
  const site = {
    build: { searchIndex },
    searchIndex: async () => loadSearchIndex(index),
  } as unknown as LiveSite;
  return (query, options) => siteSearch.hits(site, query, options);
}
