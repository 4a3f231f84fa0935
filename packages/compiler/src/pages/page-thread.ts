import { workerData } from 'node:worker_threads';
import { TermReader } from '@docent/search/load/page-terms.ts';
import { withApiOverlays } from '../descriptions/overlaid-source.ts';
import { type OutsideTexts, withOutsideTexts } from '../outside/outside.ts';
import { Recorder } from '../page-cache/recorder.ts';
import { answerCalls, withTransfer } from '../process/calls.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { SourcePart } from '../source/folder-files.ts';
import { openSourceFolder } from '../source/source-tree.ts';
import { createPageCompiler } from './compile-site-page.ts';
import { type PageResult, toPageResult } from './page-result.ts';

/** Start data of a page thread. */
export interface PageThreadData {
  model: SiteModel;
  folder: string;
  parts: readonly SourcePart[] | undefined;
  outside: OutsideTexts;
}

/** What the thread reports. */
export interface PageThreadHost {
  /** The page of this index is about to be compiled. */
  begins(index: number): void;
}

const { model, folder, parts, outside } = workerData as PageThreadData;
const source = withApiOverlays(
  withOutsideTexts(openSourceFolder(folder, undefined, parts), outside),
  model.apiOverlays,
);
const reader = new TermReader();
const compile = createPageCompiler(new Recorder(source, model));

const calls = {
  /** Compiles pages, given by their indexes, one after another. */
  async compile(batch: readonly number[]): Promise<PageResult[]> {
    const results: PageResult[] = [];
    for (const index of batch) {
      const page = model.pages[index];
      if (!page) continue;
      void host.begins.asEvent(index);
      results.push(toPageResult(index, page.path, await compile(page), reader));
    }
    return withTransfer(
      results,
      results.flatMap(({ content, terms }) => [
        content.buffer,
        ...(terms ? [terms.records.buffer] : []),
      ]),
    );
  },
};

export type PageThreadCalls = typeof calls;
const host = answerCalls<PageThreadHost>(calls);
