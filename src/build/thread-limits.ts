import type { ResourceLimits } from 'node:worker_threads';

/** Limits of the threads that build. */
export const threadLimits: ResourceLimits = {
  // The MDX parser is native and recursive: where it runs out of stack it ends the process, and nothing can catch that.
  // `core/content/source-risk.ts` bounds what is given to it; this leaves room many times over.
  stackSizeMb: 64,
  // A page makes many short-lived objects. With room for them they are gone before the collector looks.
  maxYoungGenerationSizeMb: 96,
};

/**
 * The whole environment of the process that builds: how glibc gives memory back (`scripts/toolchain.mjs` says why). Pages of large
 * descriptions are blocks of a megabyte, of which it would keep a hundred.
 */
export const allocatorSettings = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
