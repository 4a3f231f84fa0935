import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BackgroundTask } from './retry.ts';

const MEGABYTE = 1024 * 1024;
const LOOK_EVERY_MS = 5000;
/** Less than this is left to the engine. */
const MIN_GROWTH_BYTES = 12 * MEGABYTE;
/**
 * Share of the time that a quiet process works. Collecting takes a tenth of a second, for which
 * answers would wait.
 */
const QUIET_SHARE = 0.1;

/** What the task knows and does of the process; replaced in tests. */
export interface ProcessHeap {
  /** Bytes that the engine has taken from the system. */
  takenBytes(): number;
  /** Share of the time since the last call in which the process worked, 0 to 1. */
  workedShare(): number;
  /** Collects all garbage, and gives its memory back. */
  collect(): Promise<void>;
}

/**
 * Gives memory back to the system once a process is quiet after its start, a publish or a burst of
 * requests: the engine keeps the pages of its largest heap until so much is allocated again that it
 * has to collect, which in a quiet process takes hours.
 */
export function returnMemory(heap: ProcessHeap = ofThisProcess()): BackgroundTask {
  let restBytes = 0;
  return {
    async run() {
      const isQuiet = heap.workedShare() < QUIET_SHARE;
      if (!isQuiet || heap.takenBytes() < restBytes + MIN_GROWTH_BYTES) return;
      await heap.collect();
      restBytes = heap.takenBytes();
    },
    everyMs: LOOK_EVERY_MS,
    failure: 'unused memory could not be given back',
  };
}

type Collect = (options: {
  type: 'major';
  execution: 'async';
  flavor: 'last-resort';
}) => Promise<void>;

function ofThisProcess(): ProcessHeap {
  let before = performance.eventLoopUtilization();
  return {
    takenBytes: () => process.memoryUsage().heapTotal,
    workedShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    async collect() {
      setFlagsFromString('--expose-gc');
      await (runInNewContext('gc') as Collect)({
        type: 'major',
        execution: 'async',
        flavor: 'last-resort',
      });
    },
  };
}
