import { parentPort, workerData } from 'node:worker_threads';
import { type SearchCut, searchFiles } from './search-parts.ts';

export interface SearchPartsData {
  indexBytes: Uint8Array;
  cut: SearchCut;
}

const { indexBytes, cut } = workerData as SearchPartsData;
const made = searchFiles(indexBytes, cut);
parentPort?.postMessage(made, [...new Set(made.map(({ bytes }) => bytes.buffer as ArrayBuffer))]);
