import { resolve as resolvePath } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { BuildOptions } from '../build-site.ts';
import type { PagePackFiles } from '../pages/page-pack.ts';
import {
  type BuildBudget,
  BuildKilled,
  type BuildWork,
  buildEnvironment,
  threadLimits,
} from '../process/build-limits.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { BuildProcessMessage, BuildProcessStart } from './build-process.ts';
import type { BuildThreadAnswer, BuildThreadData, BuildThreadMessage } from './build-thread.ts';
import { startWorkProcess, type WorkProcess } from './work-process.ts';

const questionsAtOnce = 32;
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
   * A `.tar.gz` to unpack into the folder first. Its files are removed after the build, unless it
   * was stopped.
   */
  archive?: string;
  /** Called before each step of the build. */
  onStage?: (stage: string) => void;
  /** Resource limits of the build, which then runs in a process of its own. */
  budget?: BuildBudget;
}

/**
 * Builds a site: with a budget in a process of its own, which ends with the build, when the budget
 * is exceeded, on `signal`, and with this process; otherwise in a thread, which needs 130 MB less
 * for a large API description. Neither inherits the environment.
 * @param store stores one file of the build; called for several files concurrently, once per
 *   content
 * @throws DocentError `build_failed` like `buildSite`, and if the budget is exceeded;
 *   `invalid_archive`; any error of `store`
 */
export function buildOffThread(
  folder: string,
  store: (bytes: Uint8Array, file: FileEntry) => Promise<void>,
  options: OffThreadOptions,
): Promise<SiteBuild> {
  const { promise, resolve, reject } = Promise.withResolvers<SiteBuild>();
  const { threads, archive, pagePack, fetchOutside, gitFacts, parts, budget, signal } = options;
  let work: BuildWork = { stage: 'starting' };
  const reply = (id: number, answering: Promise<unknown> | undefined) =>
    answering?.then((answer) => host.send({ id, answer }), reject);
  const receive = (message: BuildProcessMessage | BuildThreadMessage) => {
    switch (message.type) {
      case 'file':
        reply(message.id, store(message.bytes, message.file));
        break;
      case 'large':
        reply(message.id, options.large?.store(message.path, message.file));
        break;
      case 'hasScripts':
        reply(message.id, options.searchScripts?.has(message.searchIndex));
        break;
      case 'scripts':
        reply(message.id, options.searchScripts?.store(message.path, message.searchIndex));
        break;
      case 'kept':
        reply(message.id, missingOf(message.files, options.hasFile));
        break;
      case 'fetch':
        reply(message.id, fetchOutside?.(message.url, message.request));
        break;
      case 'work':
        if (message.work.stage !== work.stage) options.onStage?.(message.work.stage);
        work = message.work;
        break;
      case 'progress':
        options.onProgress?.(message.pagesDone, message.pagesTotal);
        break;
      case 'done':
        resolve(message.build);
        break;
      case 'refused':
        reject(new DocentError(message.code, message.detail, { errors: message.errors }));
        break;
      case 'broken':
        // The code tells whether the disk is full.
        reject(Object.assign(new Error(message.reason), message.code && { code: message.code }));
        break;
    }
  };
  const data: BuildThreadData = {
    folder: resolvePath(folder),
    archive: archive && resolvePath(archive),
    threads,
    gitFacts,
    parts,
    pagePack,
    asksQuestions: options.asksQuestions,
    canSignIn: options.canSignIn,
    fetches: fetchOutside !== undefined,
    largeFolder: options.large && resolvePath(options.large.folder),
    scriptsFolder: options.searchScripts && resolvePath(options.searchScripts.folder),
  };
  const host = budget
    ? startWorkProcess<BuildProcessStart, BuildProcessMessage, BuildThreadAnswer>(
        { module: moduleUrl('./build-process.ts', import.meta.url) },
        { data, budget },
        { receive, reject, onKilled: () => reject(new BuildKilled(budget, work)) },
      )
    : startThread(data, receive, reject);
  const abort = () => reject(signal?.reason ?? new Error('The build was stopped.'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return promise.finally(() => {
    signal?.removeEventListener('abort', abort);
    host.end();
  });
}

function startThread(
  data: BuildThreadData,
  receive: (message: BuildThreadMessage) => void,
  reject: (reason: Error) => void,
): WorkProcess<BuildThreadAnswer> {
  const worker = new Worker(moduleUrl('./build-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: threadLimits,
    env: buildEnvironment,
  });
  worker.on('message', receive);
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The build ended before it finished.')));
  return { send: (answer) => worker.postMessage(answer), end: () => void worker.terminate() };
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
