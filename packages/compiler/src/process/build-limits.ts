import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { ResourceLimits } from 'node:worker_threads';
import { DocentError, type FieldError } from '@docent/format/errors.ts';

/** What one build may use before it is stopped: its process and all that it starts, together. */
export interface BuildBudget {
  cpuSeconds: number;
  wallSeconds: number;
  /** Resident memory; also the limit of the heap of its main thread. */
  memoryMb: number;
}

/** Current activity of a build. */
export interface BuildWork {
  /** The activity, worded to follow "while". */
  stage: string;
  /** Source file that it reads or compiles. */
  file?: string | undefined;
}

export type BudgetLimit = keyof BuildBudget;

/** Name of each limit in messages, and its setting. */
const LIMITS: Record<BudgetLimit, { unit: string; setting: string }> = {
  cpuSeconds: { unit: 'CPU seconds', setting: 'DOCENT_BUILD_CPU_SECONDS' },
  wallSeconds: { unit: 'seconds', setting: 'DOCENT_BUILD_WALL_SECONDS' },
  memoryMb: { unit: 'MB of memory', setting: 'DOCENT_BUILD_MEMORY_MB' },
};

/** Returns the first limit that was exceeded. */
export function passedLimit(used: BuildBudget, budget: BuildBudget): BudgetLimit | undefined {
  return (Object.keys(LIMITS) as BudgetLimit[]).find((limit) => used[limit] > budget[limit]);
}

/** Message to the author about a stopped build: the limit, the stage, the file, and the remedy. */
export function describeStop(
  limit: BudgetLimit,
  budget: BuildBudget,
  { stage, file }: BuildWork,
): { detail: string; errors: FieldError[] } {
  const { unit, setting } = LIMITS[limit];
  const place = file === undefined ? '' : ` (${file})`;
  const remedy =
    file === undefined ? 'Publish a smaller source' : 'Make this file smaller or simpler';
  const detail =
    `The build was stopped because it used more than ${budget[limit]} ${unit}, while ${stage}${place}. ` +
    `${remedy}, then publish again. The operator of the server sets this limit with ${setting}.`;
  return {
    detail,
    errors: [{ path: file ?? 'docs.json', message: `The build was stopped while ${stage}.` }],
  };
}

/**
 * The system stopped a build, which says nothing certain about its source: another attempt may
 * succeed.
 */
export class BuildKilled extends DocentError {
  constructor(budget: BuildBudget, { stage, file }: BuildWork) {
    const place = file === undefined ? '' : ` (${file})`;
    const detail =
      `The system stopped the build, probably because the machine ran out of memory, while ${stage}${place}. Publish again; if it ` +
      `happens again, make the source smaller. The build may use ${budget.memoryMb} MB: the operator of the server gives the machine ` +
      'or its container more memory, or lowers DOCENT_BUILD_MEMORY_MB.';
    const errors = [
      { path: file ?? 'docs.json', message: `The system stopped the build while ${stage}.` },
    ];
    super('build_failed', detail, { errors });
    this.name = 'BuildKilled';
  }
}

/** Limits of the threads that build. */
export const threadLimits: ResourceLimits = {
  // The MDX parser is native and recursive: if it runs out of stack, it crashes the process, which
  // cannot be caught.
  // `format/content/mdx/source-risk.ts` bounds its input; this leaves ample room.
  stackSizeMb: 64,
  // A page creates many short-lived objects. With enough room they die before the garbage collector
  // runs; twice as much room takes 25 MB more for 10,000 pages, and saves no time.
  maxYoungGenerationSizeMb: 24,
};

const { NODE_COMPILE_CACHE } = process.env;

/**
 * The whole environment of a build process or thread. It configures how glibc returns memory (see
 * `scripts/launch.mjs`): pages of large descriptions are blocks of a megabyte, of which glibc would
 * keep a hundred. It also sets where Node.js caches compiled modules, which halves the CPU time of
 * a small build.
 */
export const buildEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};

const MAX_NICENESS = 19;

/** Of 1,000: the kernel ends a process with this first when memory runs out. */
const OOM_SCORE = 800;

/**
 * Puts a process that was just started, and what it will start, behind the server: serving readers
 * comes before checking and building, and when memory runs out, the build ends and not the server.
 */
export function yieldToServer(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(MAX_NICENESS, getPriority() + niceness));
  } catch {
    // If the system does not allow it, the process runs with the same priority.
  }
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // Only Linux has this.
  }
}
