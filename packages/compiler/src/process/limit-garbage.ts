import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const GARBAGE_BYTES = 16 * 1024 * 1024;
/** For larger heaps, in which a collection takes longer. */
const GARBAGE_SHARE = 0.25;

type Collect = (options?: { type: 'minor' }) => void;

let collect: Collect | undefined;
let restBytes = 0;

/**
 * Collects the garbage of this thread if there may be more than 16 MB of it, or a quarter of what
 * is in use; cheap enough to call for each page. The engine marks in the background, and lets the
 * heap grow meanwhile: on a busy machine a process that packs 10,000 pages would take 90 MB more.
 */
export function limitGarbage(): void {
  const bytes = usedBytes();
  // Buffers are freed in the background, after the collection.
  restBytes = Math.min(restBytes, bytes);
  if (bytes < restBytes + Math.max(GARBAGE_BYTES, restBytes * GARBAGE_SHARE)) return;
  collector()();
  restBytes = usedBytes();
}

/** Frees the buffers that have just been passed on, without a look at what is older: a few ms. */
export function collectYoungGarbage(): void {
  collector()({ type: 'minor' });
}

function collector(): Collect {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  return collect;
}

/** Bytes of objects and buffers, garbage included. */
function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
