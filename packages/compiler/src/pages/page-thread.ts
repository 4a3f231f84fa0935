import { parentPort, workerData } from 'node:worker_threads';
import { withApiOverlays } from '../descriptions/api-overlays.ts';
import { type OutsideTexts, withOutsideTexts } from '../outside/outside.ts';
import { Recorder } from '../page-cache/recorder.ts';
import type { SiteModel } from '../site/site-model.ts';
import { openSourceFolder } from '../source/source-tree.ts';
import { createPageCompiler } from './compile-site-page.ts';
import { type PageResult, toPageResult } from './page-result.ts';

/** Start data of a page thread. */
export interface PageThreadData {
  model: SiteModel;
  folder: string;
  outside: OutsideTexts;
}

/**
 * Messages of a page thread: the index of each page before it compiles it, and the results at the
 * end of a batch.
 */
export type PageThreadMessage = { begins: number } | { results: PageResult[] };

// A page thread compiles the batches of page indexes that it receives, and answers each with its
// results.
const { model, folder, outside } = workerData as PageThreadData;
const port = parentPort;
if (!port) throw new Error('page-thread.ts runs only as a worker thread');
const send = (message: PageThreadMessage, transfer: ArrayBuffer[] = []) =>
  port.postMessage(message, transfer);
const source = withApiOverlays(
  withOutsideTexts(openSourceFolder(folder), outside),
  model.apiOverlays,
);
const compile = createPageCompiler(new Recorder(source, model));

port.on('message', async (batch: number[]) => {
  const results: PageResult[] = [];
  for (const index of batch) {
    const page = model.pages[index];
    if (!page) continue;
    send({ begins: index });
    results.push(toPageResult(index, await compile(page)));
  }
  send(
    { results },
    results.map((result) => result.content.buffer),
  );
});
