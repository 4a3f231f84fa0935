import { parentPort, workerData } from 'node:worker_threads';
import { searchFiles } from './search-parts.ts';

export interface SearchPartsData {
  indexBytes: Uint8Array;
  /** Site paths of the pages that go in. */
  included: ReadonlySet<string>;
}

const { indexBytes, included } = workerData as SearchPartsData;
const made = searchFiles(indexBytes, ({ href }) => included.has(href));
parentPort?.postMessage(made, [...new Set(made.files.map(({ bytes }) => bytes.buffer as ArrayBuffer))]);
