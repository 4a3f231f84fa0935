import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type SearchFiles, searchFiles } from './search-parts.ts';
import type { SearchPartsData } from './search-parts-thread.ts';

/** The work makes little that is gone soon; more room would only be filled. */
const resourceLimits = { maxYoungGenerationSizeMb: 24 };
/** Below this a thread costs more than the work. */
const SMALL_INDEX_BYTES = 300_000;

/**
 * `searchFiles` beside the work of this thread: for thousands of pages it takes seconds.
 * @param indexBytes may be given away, so that they are not there twice; do not use them any more
 * @param included site paths of the pages that go in
 */
export async function searchFilesInThread(indexBytes: Uint8Array, included: ReadonlySet<string>): Promise<SearchFiles> {
  if (indexBytes.byteLength <= SMALL_INDEX_BYTES) return searchFiles(indexBytes, ({ href }) => included.has(href));
  const workerData: SearchPartsData = { indexBytes, included };
  const worker = new Worker(new URL('./search-parts-thread.ts', import.meta.url), {
    workerData,
    transferList: [indexBytes.buffer as ArrayBuffer],
    resourceLimits,
  });
  try {
    const [files] = (await once(worker, 'message')) as [SearchFiles];
    return files;
  } finally {
    await worker.terminate();
  }
}
