import { Worker } from 'node:worker_threads';
import {
  type BudgetLimit,
  type BuildBudget,
  type BuildWork,
  buildEnvironment,
  describeStop,
  passedLimit,
  threadLimits,
} from '../process/build-limits.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { treeUsage } from '../process/process-tree.ts';
import type { BuildThreadAnswer, BuildThreadData, BuildThreadMessage } from './build-thread.ts';
import { endOwnGroup } from './work-process.ts';

/** The first message to a build process. */
export interface BuildProcessStart {
  data: BuildThreadData;
  budget: BuildBudget;
}

/**
 * Messages of a build process: those of its build thread, but what it works on only from time to
 * time.
 */
export type BuildProcessMessage =
  | BuildThreadMessage
  | { type: 'broken'; reason: string; code: string | undefined };

/**
 * The bundler takes up to 1 GB per second, so this is also by how much a build may pass its limit
 * of memory.
 */
const CHECK_MS = 100;

// The build runs in a thread, so that this one always has time to monitor it and to notice that the
// parent is gone.
let work: BuildWork = { stage: 'starting' };
let toldWork = work;

process.once('message', ({ data, budget }: BuildProcessStart) => {
  const worker = new Worker(moduleUrl('./build-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { ...threadLimits, maxOldGenerationSizeMb: budget.memoryMb },
    env: buildEnvironment,
  });
  const stop = (limit: BudgetLimit) => {
    clearInterval(timer);
    send({ type: 'refused', code: 'build_failed', ...describeStop(limit, budget, work) });
  };
  worker.on('message', (message: BuildThreadMessage) => {
    if (message.type !== 'work') return send(message);
    const isStage = message.work.stage !== work.stage;
    work = message.work;
    if (isStage) tellWork();
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') stop('memoryMb');
    else send({ type: 'broken', reason: error.stack ?? error.message, code: error.code });
  });
  process.on('message', (answer: BuildThreadAnswer) => worker.postMessage(answer));
  const timer = setInterval(() => {
    tellWork();
    const passed = passedLimit(used(), budget);
    if (passed) stop(passed);
  }, CHECK_MS);
});
process.on('disconnect', endOwnGroup);

function send(message: BuildProcessMessage): void {
  process.send?.(message);
}

/** Tells what the build works on, should the system kill this process. */
function tellWork(): void {
  if (work !== toldWork) send({ type: 'work', work });
  toldWork = work;
}

/**
 * What this process and all that it started use; only this process where the system does not tell.
 */
function used(): BuildBudget {
  const { user, system } = process.cpuUsage();
  const ownUsage = {
    cpuSeconds: (user + system) / 1e6,
    memoryMb: process.memoryUsage.rss() / 1024 / 1024,
  };
  return { wallSeconds: process.uptime(), ...(treeUsage(process.pid) ?? ownUsage) };
}
