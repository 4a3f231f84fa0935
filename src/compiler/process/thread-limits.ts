import { getPriority, setPriority } from 'node:os';
import type { ResourceLimits } from 'node:worker_threads';

/** Limits of the threads that build. */
export const threadLimits: ResourceLimits = {
  // The MDX parser is native and recursive: if it runs out of stack, it crashes the process, which cannot be caught.
  // `core/content/mdx/source-risk.ts` bounds its input; this leaves ample room.
  stackSizeMb: 64,
  // A page creates many short-lived objects. With enough room they die before the garbage collector runs; twice as much room takes
  // 60 MB more for a large API description, and saves no time.
  maxYoungGenerationSizeMb: 48,
};

const { NODE_COMPILE_CACHE } = process.env;

/**
 * The whole environment of a build process or thread. It configures how glibc returns memory (see `scripts/toolchain.mjs`): pages of large
 * descriptions are blocks of a megabyte, of which glibc would keep a hundred. It also sets where Node.js caches compiled modules,
 * which halves the CPU time of a small build.
 */
export const buildEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};

const MAX_NICENESS = 19;

/** Lowers the priority of a process that was just started: serving readers comes before checking and building. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(MAX_NICENESS, getPriority() + niceness));
  } catch {
    // If the system does not allow it, the process runs with the same priority.
  }
}
