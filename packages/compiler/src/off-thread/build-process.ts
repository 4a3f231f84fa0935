import { Worker } from 'node:worker_threads';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { DocentError } from '@docent/format/errors.ts';
import { errorCode } from '@docent/format/outages.ts';
import {
  type BudgetLimit,
  type BuildBudget,
  type BuildWork,
  buildEnvironment,
  describeStop,
  passedLimit,
  threadLimits,
} from '../process/build-limits.ts';
import { answerCalls, type Calls } from '../process/calls.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { treeUsage } from '../process/process-tree.ts';
import { WorkerHost } from '../process/worker-host.ts';
import type { BuildSummary } from '../site/build-summary.ts';
import type { BuildHost, BuildThreadCalls, BuildThreadData } from './build-thread.ts';
import { endOwnGroup } from './work-process.ts';

export interface BuildProcessCalls {
  /** @throws DocentError `build_failed` if the budget is exceeded, and like `buildSite` */
  build(data: BuildThreadData, budget: BuildBudget): Promise<SiteBuild>;
  /** The same, but leaves its manifest in a file, as in `SummaryOptions`. */
  buildToFile(
    data: BuildThreadData,
    budget: BuildBudget,
    manifest: string,
    hasIntegrations: boolean,
  ): Promise<BuildSummary>;
}

/**
 * The bundler takes up to 1 GB per second, so this is also by how much a build may pass its limit
 * of memory.
 */
const CHECK_MS = 100;

// The build runs in a thread, so that this one always has time to monitor it and to notice that the
// parent is gone.
let work: BuildWork = { stage: 'starting' };
let toldWork = work;
/** How long this process has waited for its archive, which is not the time of its build. */
let waitedMs = 0;
let waitsSince: number | undefined;
const parent = answerCalls<BuildHost>({
  build: (data, budget) => run(data, budget, (calls) => calls.build()),
  buildToFile: (data, budget, manifest, hasIntegrations) =>
    run(data, budget, (calls) => calls.buildToFile(manifest, hasIntegrations)),
} satisfies BuildProcessCalls);
process.on('disconnect', endOwnGroup);

async function run<Result>(
  data: BuildThreadData,
  budget: BuildBudget,
  task: (thread: Calls<BuildThreadCalls>) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController();
  const stop = (limit: BudgetLimit) => {
    const { detail, errors } = describeStop(limit, budget, work);
    stopped.abort(new DocentError('build_failed', detail, { errors }));
  };
  const thread = new WorkerHost<BuildThreadCalls>({
    start: () =>
      new Worker(moduleUrl('./build-thread.ts', import.meta.url), {
        workerData: data,
        resourceLimits: { ...threadLimits, maxOldGenerationSizeMb: budget.memoryMb },
        env: buildEnvironment,
      }),
    local: {
      ...parentFunctions,
      onWork(threadWork) {
        const isStage = threadWork.stage !== work.stage;
        work = threadWork;
        if (isStage) tellWork();
      },
    } satisfies BuildHost,
  });
  const timer = setInterval(() => {
    tellWork();
    const passed = passedLimit(used(), budget);
    if (passed) stop(passed);
  }, CHECK_MS);
  try {
    return await thread.run(task, stopped.signal);
  } catch (error) {
    if (errorCode(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    stop('memoryMb');
    throw stopped.signal.reason;
  } finally {
    clearInterval(timer);
  }
}

/** What the process that started this one does for the thread. */
const parentFunctions: Omit<BuildHost, 'onWork'> = {
  store: (bytes, file) => parent.store(bytes, file),
  storeLarge: (path, file) => parent.storeLarge(path, file),
  hasScripts: (searchIndex) => parent.hasScripts(searchIndex),
  storeScripts: (path, searchIndex) => parent.storeScripts(path, searchIndex),
  missingOf: (files) => parent.missingOf(files),
  async archive() {
    waitsSince = performance.now();
    try {
      return await parent.archive();
    } finally {
      waitedMs += performance.now() - waitsSince;
      waitsSince = undefined;
    }
  },
  fetch: (url, request) => parent.fetch(url, request),
  formerBuilds: () => parent.formerBuilds(),
  onProgress: (pagesDone, pagesTotal) => void parent.onProgress.asEvent(pagesDone, pagesTotal),
};

/** Tells what the build works on, should the system kill this process. */
function tellWork(): void {
  if (work !== toldWork) void parent.onWork.asEvent(work);
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
  const waiting = waitsSince === undefined ? 0 : performance.now() - waitsSince;
  const wallSeconds = process.uptime() - (waitedMs + waiting) / 1000;
  return { wallSeconds, ...(treeUsage(process.pid) ?? ownUsage) };
}
