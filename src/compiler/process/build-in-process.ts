import { type ChildProcess, fork } from 'node:child_process';
import { resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DocentError } from '../../core/errors.ts';
import type { FileEntry, SiteBuild } from '../../core/site-build.ts';
import type { BuildOptions } from '../build-site.ts';
import type { BuildBudget } from './build-budget.ts';
import type { BuildProcessMessage, BuildProcessStart } from './build-process.ts';
import type { BuildThreadAnswer } from './build-thread.ts';
import { giveWay } from './priority.ts';
import { buildEnvironment } from './thread-limits.ts';

const questionsAtOnce = 32;
const NICENESS = 10;

/** What `scripts/toolchain.mjs` sets for the memory of its process. */
const HEAP_FLAG = /^--(?:max-semi-space-size|heap-growing-percent)=/;

/** Where the compiled pages of a site stay from one build to the next. */
export interface PagePackStore {
  /** The pack of the last build, if there is one. */
  bytes: Uint8Array | undefined;
  /** Takes the pack of this build, where it is another. */
  keep(bytes: Uint8Array): void;
}

export interface ProcessBuildOptions extends Omit<BuildOptions, 'cache' | 'onWork'> {
  pagePack?: PagePackStore;
  /** Whether the store has a file already; without this, every file is sent to it. For use with `pagePack`. */
  hasFile?: (file: FileEntry) => Promise<boolean>;
  /** A `.tar.gz` that is unpacked into the folder first. Its files are gone after the build, except where it was stopped. */
  archive?: string;
  /** Called with what the build is about to do. */
  onStage?: (stage: string) => void;
  /** What the build may use; without it there is no limit. */
  budget?: BuildBudget;
}

/**
 * Builds a site in a process of its own, which ends with the build, with its budget, with `signal`, and with this process. It knows
 * nothing of this process's environment.
 * @param store keeps one file of the build; called for some files at once, once for each content
 * @throws DocentError `build_failed` as `buildSite`, and where the budget is used up; `invalid_archive`; whatever `store` throws
 */
export function buildInProcess(
  folder: string,
  store: (bytes: Uint8Array, file: FileEntry) => Promise<void>,
  options: ProcessBuildOptions,
): Promise<SiteBuild> {
  const { promise, resolve, reject } = Promise.withResolvers<SiteBuild>();
  const { threads, archive, pagePack, fetchOutside, budget, signal } = options;
  const child = startProcess(budget !== undefined);
  const say = (message: BuildProcessStart | BuildThreadAnswer) => {
    // Where the process is gone, its end says more than this.
    child.send(message, () => {});
  };
  const abort = () => reject(signal?.reason ?? new Error('The build was stopped.'));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  child.on('message', (message: BuildProcessMessage) => {
    switch (message.type) {
      case 'file':
        store(message.bytes, message.file).then(() => say({ type: 'stored', id: message.id }), reject);
        break;
      case 'kept':
        missingOf(message.files, options.hasFile).then((hashes) => say({ type: 'wanted', hashes }), reject);
        break;
      case 'fetch':
        fetchOutside?.(message.url, message.request).then((result) => say({ type: 'fetched', id: message.id, result }), reject);
        break;
      case 'stage':
        options.onStage?.(message.stage);
        break;
      case 'progress':
        options.onProgress?.(message.pagesDone, message.pagesTotal);
        break;
      case 'done':
        if (message.pagePack) pagePack?.keep(message.pagePack);
        resolve(message.build);
        break;
      case 'refused':
        reject(new DocentError(message.code, message.detail, { errors: message.errors }));
        break;
      case 'broken':
        reject(new Error(message.reason));
        break;
    }
  });
  child.on('error', reject);
  child.on('exit', (code, by) => {
    reject(new Error(`The build process ended with ${by ?? code} before the build was done. It may have run out of memory.`));
  });
  say({
    data: {
      folder: resolvePath(folder),
      archive,
      threads,
      pagePack: pagePack?.bytes,
      keepsPages: pagePack !== undefined,
      fetches: fetchOutside !== undefined,
    },
    budget,
  });
  return promise.finally(() => {
    signal?.removeEventListener('abort', abort);
    endWithItsChildren(child);
  });
}

function startProcess(isPatient: boolean): ChildProcess {
  const child = fork(fileURLToPath(new URL('./build-process.ts', import.meta.url)), [], {
    execArgv: ['--no-warnings', ...process.execArgv.filter((flag) => HEAP_FLAG.test(flag))],
    env: buildEnvironment,
    cwd: '/',
    // A group of its own, so that it can be ended with what it starts.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (isPatient) giveWay(child.pid, NICENESS);
  return child;
}

function endWithItsChildren(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

/** Hashes of the files that the store has not; some are asked for at once, because the store may be far away. */
async function missingOf(files: readonly FileEntry[], hasFile: ProcessBuildOptions['hasFile']): Promise<string[]> {
  const missing: string[] = [];
  const left = files.values();
  const ask = async () => {
    for (const file of left) if (!(await hasFile?.(file))) missing.push(file.sha256);
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, ask));
  return missing;
}
