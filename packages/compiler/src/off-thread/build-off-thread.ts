import { resolve as resolvePath } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { BuildOptions } from '../build-site.ts';
import type { PagePackFiles } from '../pages/page-pack.ts';
import {
  type BuildBudget,
  BuildKilled,
  type BuildWork,
  buildEnvironment,
  threadLimits,
} from '../process/build-limits.ts';
import type { Calls } from '../process/calls.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { WorkerHost } from '../process/worker-host.ts';
import type { BuildSummary, FormerBuilds } from '../site/build-summary.ts';
import type { BuildProcessCalls } from './build-process.ts';
import type { BuildHost, BuildThreadCalls, BuildThreadData } from './build-thread.ts';
import { createWorkProcess } from './work-process.ts';

const questionsAtOnce = 32;
const NO_BUILDS: FormerBuilds = { live: undefined, newest: undefined };

export interface OffThreadOptions extends Omit<BuildOptions, 'cache' | 'onWork'> {
  /**
   * The compiled pages of the site's last build, and those of this one; the latter is not written
   * if nothing changed.
   */
  pagePack?: PagePackFiles | undefined;
  /**
   * Returns whether the store already has a file; if absent, every file is sent. For use with
   * `pagePack`.
   */
  hasFile?: (file: FileEntry) => Promise<boolean>;
  /**
   * Stores large files, which the build writes to this folder and leaves there; if absent, `store`
   * gets them too.
   */
  large?: { folder: string; store: (path: string, file: FileEntry) => Promise<void> };
  /**
   * Stores the scripts of the search index, which the build writes to this folder and leaves there;
   * if absent, they are not made.
   */
  searchScripts?: {
    folder: string;
    has: (searchIndex: FileEntry) => Promise<boolean>;
    store: (path: string, searchIndex: FileEntry) => Promise<void>;
  };
  /**
   * Returns the path of a `.tar.gz` to unpack into the folder first, once it is whole; meanwhile the
   * build gets ready. The unpacked files are removed after the build, unless it was stopped.
   */
  archive?: () => Promise<string>;
  /** Called before each step of the build. */
  onStage?: (stage: string) => void;
  /** Resource limits of the build, which then runs in a process of its own. */
  budget?: BuildBudget;
}

/** How a build is left in a file. */
export interface SummaryOptions {
  /** Path of the manifest. */
  manifest: string;
  /** Whether the server lets pages load third-party scripts. */
  hasIntegrations: boolean;
  /** Called once the build is finished. */
  formerBuilds: () => Promise<FormerBuilds>;
}

type Store = (bytes: Uint8Array, file: FileEntry) => Promise<void>;

/**
 * Builds a site: with a budget in a process of its own, which ends with the build, when the budget
 * is exceeded, on `signal`, and with this process; otherwise in a thread, which needs 130 MB less
 * for a large API description. Neither inherits the environment.
 * @param store stores one file of the build; called for several files concurrently, once per
 *   content
 * @throws DocentError `build_failed` like `buildSite`, and if the budget is exceeded;
 *   `invalid_archive`; any error of `store`
 */
export async function buildOffThread(
  folder: string,
  store: Store,
  options: OffThreadOptions,
): Promise<SiteBuild> {
  return run(folder, store, options, {
    inThread: ({ build }) => build(),
    inProcess: ({ build }, data, budget) => build(data, budget),
  });
}

/**
 * The same for a process that serves readers: the build itself, of some KB a page, never reaches
 * it.
 */
export async function buildToFile(
  folder: string,
  store: Store,
  { manifest, hasIntegrations, formerBuilds, ...options }: OffThreadOptions & SummaryOptions,
): Promise<BuildSummary> {
  return run(
    folder,
    store,
    { ...options, formerBuilds },
    {
      inThread: (calls) => calls.buildToFile(manifest, hasIntegrations),
      inProcess: (calls, data, budget) =>
        calls.buildToFile(data, budget, manifest, hasIntegrations),
    },
  );
}

async function run<Result>(
  folder: string,
  store: Store,
  options: OffThreadOptions & Partial<Pick<SummaryOptions, 'formerBuilds'>>,
  task: {
    inThread: (thread: Calls<BuildThreadCalls>) => Promise<Result>;
    inProcess: (
      process: Calls<BuildProcessCalls>,
      data: BuildThreadData,
      budget: BuildBudget,
    ) => Promise<Result>;
  },
): Promise<Result> {
  const { threads, archive, pagePack, fetchOutside, gitFacts, budget, signal } = options;
  let work: BuildWork = { stage: 'starting' };
  const local: BuildHost = {
    store,
    storeLarge: async (path, file) => options.large?.store(path, file),
    hasScripts: async (searchIndex) => (await options.searchScripts?.has(searchIndex)) ?? false,
    storeScripts: async (path, searchIndex) => options.searchScripts?.store(path, searchIndex),
    missingOf: (files) => missingOf(files, options.hasFile),
    async archive() {
      if (!archive) throw new Error('This build unpacks nothing.');
      return resolvePath(await archive());
    },
    async fetch(url, request) {
      if (!fetchOutside) throw new Error('This build fetches nothing.');
      return fetchOutside(url, request);
    },
    formerBuilds: async () => (await options.formerBuilds?.()) ?? NO_BUILDS,
    onProgress: (pagesDone, pagesTotal) => options.onProgress?.(pagesDone, pagesTotal),
    onWork(threadWork) {
      if (threadWork.stage !== work.stage) options.onStage?.(threadWork.stage);
      work = threadWork;
    },
  };
  const data: BuildThreadData = {
    folder: resolvePath(folder),
    hasArchive: archive !== undefined,
    threads,
    gitFacts,
    parts: options.parts,
    pagePack,
    asksQuestions: options.asksQuestions,
    canSignIn: options.canSignIn,
    fetches: fetchOutside !== undefined,
    namesFiles: budget !== undefined,
    largeFolder: options.large && resolvePath(options.large.folder),
    scriptsFolder: options.searchScripts && resolvePath(options.searchScripts.folder),
  };
  if (!budget) {
    const thread = createBuildThread(data, local);
    return thread.run(task.inThread, signal).finally(() => thread.end());
  }
  const host = createWorkProcess<BuildProcessCalls>({
    module: moduleUrl('./build-process.ts', import.meta.url),
    local,
    killed: () => new BuildKilled(budget, work),
  });
  return host.run((calls) => task.inProcess(calls, data, budget), signal).finally(() => host.end());
}

function createBuildThread(data: BuildThreadData, local: BuildHost): WorkerHost<BuildThreadCalls> {
  return new WorkerHost<BuildThreadCalls>({
    start: () =>
      new Worker(moduleUrl('./build-thread.ts', import.meta.url), {
        workerData: data,
        resourceLimits: threadLimits,
        env: buildEnvironment,
      }),
    local,
  });
}

/**
 * Returns the hashes of files missing from the store; several are checked concurrently, because the
 * store may be remote.
 */
async function missingOf(
  files: readonly FileEntry[],
  hasFile: OffThreadOptions['hasFile'],
): Promise<string[]> {
  const missing: string[] = [];
  const left = files.values();
  const ask = async () => {
    for (const file of left) if (!(await hasFile?.(file))) missing.push(file.sha256);
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, ask));
  return missing;
}
