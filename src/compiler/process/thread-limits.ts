import type { ResourceLimits } from 'node:worker_threads';

/** Limits of the threads that build. */
export const threadLimits: ResourceLimits = {
  // The MDX parser is native and recursive: where it runs out of stack it ends the process, and nothing can catch that.
  // `core/content/mdx/source-risk.ts` bounds what is given to it; this leaves room many times over.
  stackSizeMb: 64,
  // A page makes many short-lived objects. With room for them they are gone before the collector looks.
  maxYoungGenerationSizeMb: 96,
};

const { NODE_COMPILE_CACHE } = process.env;

/**
 * The whole environment of a process that builds. How glibc gives memory back (`scripts/toolchain.mjs` says why): pages of large
 * descriptions are blocks of a megabyte, of which it would keep a hundred. And where Node.js keeps compiled modules, which halves
 * the CPU time of a small build.
 */
export const buildEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};
