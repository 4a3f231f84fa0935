import { parentPort, workerData } from 'node:worker_threads';
import { createPageCompiler } from './compile-site-page.ts';
import { type OutsideTexts, withOutsideTexts } from './outside-texts.ts';
import { Recorder } from './page-cache/recorder.ts';
import { toPageResult } from './page-result.ts';
import type { SiteModel } from './site-model.ts';
import { openSourceFolder } from './source-folder.ts';

/** What a page thread is started with. */
export interface PageThreadData {
  model: SiteModel;
  folder: string;
  outside: OutsideTexts;
}

// A page thread compiles the batches of page indexes that it is sent, and answers each with its results.
const { model, folder, outside } = workerData as PageThreadData;
const port = parentPort;
if (!port) throw new Error('page-thread.ts runs only as a worker thread');
const compile = createPageCompiler(new Recorder(withOutsideTexts(openSourceFolder(folder), outside), model));

port.on('message', async (batch: number[]) => {
  const results = [];
  for (const index of batch) {
    const page = model.pages[index];
    if (page) results.push(toPageResult(index, await compile(page)));
  }
  port.postMessage(
    results,
    results.map((result) => result.content.buffer),
  );
});
