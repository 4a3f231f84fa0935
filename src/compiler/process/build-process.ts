import { Worker } from 'node:worker_threads';
import {
  type BudgetLimit,
  type BuildBudget,
  type BuildWork,
  buildEnvironment,
  describeStop,
  passedLimit,
  threadLimits,
} from './build-limits.ts';
import type { BuildThreadAnswer, BuildThreadData, BuildThreadMessage } from './build-thread.ts';

/** The first message to a build process. */
export interface BuildProcessStart {
  data: BuildThreadData;
  budget: BuildBudget;
}

/** Messages of a build process: those of its build thread, except those that only this process needs. */
export type BuildProcessMessage =
  | Exclude<BuildThreadMessage, { type: 'work' }>
  | { type: 'stage'; stage: string }
  | { type: 'broken'; reason: string };

const CHECK_MS = 200;

// The build runs in a thread, so that this one always has time to monitor it and to notice that the parent is gone.
let work: BuildWork = { stage: 'starting' };

process.once('message', ({ data, budget }: BuildProcessStart) => {
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { ...threadLimits, maxOldGenerationSizeMb: budget.memoryMb },
    env: buildEnvironment,
  });
  const stop = (limit: BudgetLimit) => {
    clearInterval(timer);
    send({ type: 'refused', code: 'build_failed', ...describeStop(limit, budget, work) });
  };
  worker.on('message', (message: BuildThreadMessage) => {
    if (message.type === 'work') {
      if (message.work.stage !== work.stage) send({ type: 'stage', stage: message.work.stage });
      work = message.work;
    } else send(message);
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') stop('memoryMb');
    else send({ type: 'broken', reason: error.stack ?? error.message });
  });
  process.on('message', (answer: BuildThreadAnswer) => worker.postMessage(answer));
  const timer = setInterval(() => {
    const passed = passedLimit(used(), budget);
    if (passed) stop(passed);
  }, CHECK_MS);
});
process.on('disconnect', endGroup);

function send(message: BuildProcessMessage): void {
  process.send?.(message);
}

function used(): BuildBudget {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: process.uptime(),
    memoryMb: process.memoryUsage.rss() / 1024 / 1024,
  };
}

/** Kills this process and all processes that it started. */
function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // Without process groups, child processes end by themselves.
    process.exit(1);
  }
}
