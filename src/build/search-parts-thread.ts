import { parentPort, workerData } from 'node:worker_threads';
import { searchFiles } from './search-parts.ts';

export interface SearchPartsData {
  indexBytes: Uint8Array;
  /** Site paths of the pages that go in. */
  included: ReadonlySet<string>;
}

const { indexBytes, included } = workerData as SearchPartsData;
parentPort?.postMessage(searchFiles(indexBytes, ({ href }) => included.has(href)));
