import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type SearchCut, type SearchFile, searchFiles } from './search-parts.ts';
import type { SearchPartsData } from './search-parts-thread.ts';

/** The work makes little that is gone soon; more room would only be filled. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };
/** Below this a thread costs more than the work. */
const SMALL_INDEX_BYTES = 300_000;

/**
 * `searchFiles` beside the work of this thread: for thousands of pages it takes seconds.
 * @param indexBytes may be given away, so that they are not there twice; do not use them any more
 */
export async function searchFilesInThread(indexBytes: Uint8Array, cut: SearchCut): Promise<SearchFile[]> {
  if (indexBytes.byteLength <= SMALL_INDEX_BYTES) return searchFiles(indexBytes, cut);
  const workerData: SearchPartsData = { indexBytes, cut };
  const worker = new Worker(new URL('./search-parts-thread.ts', import.meta.url), {
    workerData,
    transferList: [indexBytes.buffer as ArrayBuffer],
    resourceLimits,
    env: {},
  });
  try {
    const [files] = (await once(worker, 'message')) as [SearchFile[]];
    return files;
  } finally {
    await worker.terminate();
  }
}
