import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createPageCompiler } from './compile-site-page.ts';
import { createIconSource } from './iconify-icons.ts';
import { type PageResult, toPageResult } from './page-result.ts';
import type { PageThreadData } from './page-thread.ts';
import { createShikiHighlighter } from './shiki-highlighter.ts';
import type { SiteModel } from './site-model.ts';
import { openSourceFolder } from './source-folder.ts';
import { threadLimits } from './thread-limits.ts';

/** Below this a second thread costs more (loading grammars again) than it gains. */
const PAGES_WORTH_A_THREAD = 1000;
const BATCH_SIZE = 16;

export interface CompilePagesOptions {
  folder: string;
  /** Most threads to use beside the calling one. */
  threads: number;
  signal?: AbortSignal;
}

/** Compiles every page of a site, in any order: here for a small site, in threads for a large one. */
export async function* compilePages(model: SiteModel, options: CompilePagesOptions): AsyncIterable<PageResult> {
  const threads = Math.min(options.threads, Math.floor(model.pages.length / PAGES_WORTH_A_THREAD));
  if (threads < 2) yield* compileHere(model, options);
  else yield* compileInThreads(model, options, threads);
}

async function* compileHere(model: SiteModel, options: CompilePagesOptions): AsyncIterable<PageResult> {
  const tools = { highlighter: createShikiHighlighter(), icons: createIconSource() };
  const compile = createPageCompiler(model, openSourceFolder(options.folder), tools);
  for (const [index, page] of model.pages.entries()) {
    options.signal?.throwIfAborted();
    yield toPageResult(index, await compile(page));
  }
}

async function* compileInThreads(model: SiteModel, options: CompilePagesOptions, count: number): AsyncIterable<PageResult> {
  const data: PageThreadData = { model, folder: options.folder };
  const workers = Array.from(
    { length: count },
    () =>
      new Worker(new URL('./page-thread.ts', import.meta.url), {
        workerData: data,
        resourceLimits: threadLimits,
      }),
  );
  let next = 0;
  const takeBatch = () => {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, model.pages.length - next) }, (_, offset) => next + offset);
    next += batch.length;
    return batch;
  };
  const ask = async (worker: Worker, batch: number[]) => {
    worker.postMessage(batch);
    // `once` rejects on the worker's error event, which is how a thread that dies ends the build.
    const [results] = (await once(worker, 'message', { signal: options.signal })) as [PageResult[]];
    return { worker, results };
  };
  const running = new Map<Worker, ReturnType<typeof ask>>();
  try {
    for (const worker of workers) {
      const batch = takeBatch();
      if (batch.length > 0) running.set(worker, ask(worker, batch));
    }
    while (running.size > 0) {
      const { worker, results } = await Promise.race(running.values());
      const batch = takeBatch();
      if (batch.length > 0) running.set(worker, ask(worker, batch));
      else running.delete(worker);
      yield* results;
    }
  } finally {
    for (const pending of running.values()) pending.catch(() => {});
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
