import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { TermReader } from '@docent/search/load/page-terms.ts';
import type { OutsideTexts } from '../outside/outside.ts';
import { Recorder } from '../page-cache/recorder.ts';
import { type BuildWork, threadLimits } from '../process/build-limits.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { WorkerHost } from '../process/worker-host.ts';
import type { PagePlan } from '../site/page-plans.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { SourcePart } from '../source/folder-files.ts';
import type { SourceTree } from '../source/source-tree.ts';
import { createPageCompiler } from './compile-site-page.ts';
import type { PagePack } from './page-pack.ts';
import { isRepeatable, type PageResult, toPageResult } from './page-result.ts';
import type { PageThreadCalls, PageThreadData, PageThreadHost } from './page-thread.ts';

/** Below this, a second thread costs more (loading grammars again) than it gains. */
const PAGES_WORTH_A_THREAD = 1000;
const BATCH_SIZE = 16;
/**
 * So many changed pages are compiled between those of the last build: pages that come in order need
 * not wait for the search index (`search-feed.ts`).
 */
const CHANGED_IN_ORDER = 32;
/** The current stage of the build, as in `BuildWork`. */
export const COMPILING = 'compiling pages';

export interface CompilePagesOptions {
  /** The tree that the model was read from, and its location. */
  source: SourceTree;
  folder: string;
  parts?: readonly SourcePart[] | undefined;
  /** Texts at URLs that the source names. */
  outside: OutsideTexts;
  /** Maximum threads that compile, the calling one included. */
  threads: number;
  signal?: AbortSignal;
  /** Called before each step of the build. */
  onWork?: (work: BuildWork) => void;
  /**
   * Pages of the last build: those that would be identical are not compiled again. Receives those
   * of this one.
   */
  cache?: Omit<PagePack, 'write'>;
  /**
   * Only report problems: code is not highlighted, and nothing is built for search or appearance. A
   * cache of such pages must have no others.
   */
  reportOnly?: boolean;
}

/**
 * Compiles every page of a site, in any order: in this thread for a small site, in several for a
 * large one.
 */
export async function* compilePages(
  model: SiteModel,
  options: CompilePagesOptions,
): AsyncIterable<PageResult> {
  const recorder = new Recorder(options.source, model);
  const compile = createPageCompiler(recorder, { plainCode: options.reportOnly === true });
  const onBegin = (index: number) => options.onWork?.(workOn(model.pages[index] as PagePlan));
  const reader = options.reportOnly ? undefined : new TermReader();
  const here = { signal: options.signal, onBegin, reader };
  const keep = (result: PageResult) => {
    if (isRepeatable(result))
      options.cache?.keep((model.pages[result.index] as PagePlan).path, result);
    return result;
  };
  const changed: number[] = [];
  let changedInOrder = 0;
  if (model.pages.length > 0) onBegin(0);
  for (const [index, page] of model.pages.entries()) {
    const kept = options.cache?.find(page.path);
    // Not a copy: its content is unpacked on request.
    if (kept && recorder.holds(kept.answers))
      yield Object.assign(kept, { index, isKept: true as const });
    else if (++changedInOrder > CHANGED_IN_ORDER) changed.push(index);
    else for await (const result of compileHere(model, compile, [index], here)) yield keep(result);
  }
  const threads = options.reportOnly
    ? 1
    : Math.min(options.threads, Math.floor(changed.length / PAGES_WORTH_A_THREAD));
  const results =
    threads < 2
      ? compileHere(model, compile, changed, here)
      : compileInThreads(model, options, { compile, threads, reader }, changed);
  for await (const result of results) yield keep(result);
}

interface CompilingHere {
  signal: AbortSignal | undefined;
  onBegin: (index: number) => void;
  reader: TermReader | undefined;
}

async function* compileHere(
  { pages }: SiteModel,
  compile: ReturnType<typeof createPageCompiler>,
  indexes: readonly number[],
  { signal, onBegin, reader }: CompilingHere,
): AsyncIterable<PageResult> {
  for (const index of indexes) {
    signal?.throwIfAborted();
    onBegin(index);
    const page = pages[index] as PagePlan;
    yield toPageResult(index, page.path, await compile(page), reader);
    // The parser's memory, about 30 KB for each page, is freed by the event loop alone.
    await setImmediate();
  }
}

/** What compiles one batch of pages at a time. */
interface Lane {
  /** @param onBegin called with the index of each page before it is compiled */
  compile(batch: readonly number[], onBegin: (index: number) => void): Promise<PageResult[]>;
}

interface Compiling {
  compile: ReturnType<typeof createPageCompiler>;
  threads: number;
  reader: TermReader | undefined;
}

/**
 * Besides this thread there are others: each takes 100 MB, so this one does not only wait for them.
 */
async function* compileInThreads(
  model: SiteModel,
  options: CompilePagesOptions,
  { compile, threads, reader }: Compiling,
  indexes: readonly number[],
): AsyncIterable<PageResult> {
  const startedLanes = Array.from({ length: threads - 1 }, () => startLane(model, options));
  const lanes: Lane[] = [
    ...startedLanes,
    {
      async compile(batch, onBegin) {
        const results: PageResult[] = [];
        for await (const result of compileHere(model, compile, batch, {
          signal: options.signal,
          onBegin,
          reader,
        }))
          results.push(result);
        return results;
      },
    },
  ];
  // The page that each lane is compiling; the one started first comes first.
  const underway = new Map<Lane, number>();
  const tellOldest = () => {
    const [oldest] = underway.values();
    if (oldest !== undefined) options.onWork?.(workOn(model.pages[oldest] as PagePlan));
  };
  let next = 0;
  const running = new Map<Lane, Promise<{ lane: Lane; results: PageResult[] }>>();
  const begin = (lane: Lane) => {
    underway.delete(lane);
    running.delete(lane);
    const batch = indexes.slice(next, next + BATCH_SIZE);
    next += batch.length;
    if (batch.length === 0) return;
    const compiling = lane.compile(batch, (index) => {
      underway.delete(lane);
      underway.set(lane, index);
      tellOldest();
    });
    running.set(
      lane,
      compiling.then((results) => ({ lane, results })),
    );
  };
  try {
    lanes.forEach(begin);
    while (running.size > 0) {
      const { lane, results } = await Promise.race(running.values());
      begin(lane);
      tellOldest();
      yield* results;
    }
  } finally {
    for (const pending of running.values()) pending.catch(() => {});
    await Promise.all(startedLanes.map((lane) => lane.end()));
  }
}

/** Starts a thread that compiles; `end` ends it. */
function startLane(
  model: SiteModel,
  { folder, parts, outside, signal }: CompilePagesOptions,
): Lane & { end(): Promise<void> } {
  let begins: (index: number) => void = () => {};
  const data: PageThreadData = { model, folder, parts, outside };
  const host = new WorkerHost<PageThreadCalls>({
    start: () =>
      new Worker(moduleUrl('./page-thread.ts', import.meta.url), {
        workerData: data,
        resourceLimits: threadLimits,
        env: {},
      }),
    local: { begins: (index) => begins(index) } satisfies PageThreadHost,
  });
  return {
    compile(batch, onBegin) {
      begins = onBegin;
      return host.run(({ compile }) => compile(batch), signal);
    },
    end: () => host.end(),
  };
}

function workOn({ file, path }: PagePlan): BuildWork {
  return { stage: COMPILING, file: file === '' ? path : file };
}
