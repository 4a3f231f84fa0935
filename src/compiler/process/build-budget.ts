import type { FieldError } from '../../core/errors.ts';

/** What one build may use before it is stopped. */
export interface BuildBudget {
  /** Of all its threads together. */
  cpuSeconds: number;
  wallSeconds: number;
  /** Resident memory, and heap of its main thread. */
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
  const remedy = file === undefined ? 'Publish a smaller source' : 'Make this file smaller or simpler';
  const detail =
    `The build was stopped because it used more than ${budget[limit]} ${unit}, while ${stage}${place}. ` +
    `${remedy}, then publish again. The operator of the server sets this limit with ${setting}.`;
  return { detail, errors: [{ path: file ?? 'docs.json', message: `The build was stopped while ${stage}.` }] };
}
