import { Worker } from 'node:worker_threads';
import { DocentError } from '../core/errors.ts';
import type { FileEntry, SiteBuild } from '../core/site-build.ts';
import type { BuildOptions } from './build-site.ts';
import type { BuildThreadAnswer, BuildThreadData, BuildThreadMessage } from './build-thread.ts';
import { threadLimits } from './thread-limits.ts';

const questionsAtOnce = 32;

/** Where the compiled pages of a site stay from one build to the next. */
export interface PagePackStore {
  /** The pack of the last build, if there is one. */
  bytes: Uint8Array | undefined;
  /** Takes the pack of this build, where it is another. */
  keep(bytes: Uint8Array): void;
}

export interface ThreadBuildOptions extends Omit<BuildOptions, 'cache'> {
  pagePack?: PagePackStore;
  /** Whether the store has a file already; without this, every file is sent to it. For use with `pagePack`. */
  hasFile?: (file: FileEntry) => Promise<boolean>;
}

/**
 * Builds a site in a thread of its own, so that the server goes on answering.
 * @param store keeps one file of the build; called for some files at once, once for each content
 * @throws DocentError `build_failed` as `buildSite`; whatever `store` throws
 */
export function buildInThread(
  folder: string,
  store: (bytes: Uint8Array, file: FileEntry) => Promise<void>,
  options: ThreadBuildOptions,
): Promise<SiteBuild> {
  const { promise, resolve, reject } = Promise.withResolvers<SiteBuild>();
  const { threads, pagePack, fetchOutside } = options;
  const data: BuildThreadData = {
    folder,
    threads,
    pagePack: pagePack?.bytes,
    keepsPages: pagePack !== undefined,
    fetches: fetchOutside !== undefined,
  };
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: threadLimits,
  });
  const abort = () => reject(options.signal?.reason ?? new Error('The build was stopped.'));
  options.signal?.addEventListener('abort', abort, { once: true });
  const say = (answer: BuildThreadAnswer) => worker.postMessage(answer);
  worker.on('message', (message: BuildThreadMessage) => {
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
    }
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The build thread ended before the build was done.')));
  return promise.finally(() => {
    options.signal?.removeEventListener('abort', abort);
    return worker.terminate();
  });
}

/** Hashes of the files that the store has not; some are asked for at once, because the store may be far away. */
async function missingOf(files: readonly FileEntry[], hasFile: ThreadBuildOptions['hasFile']): Promise<string[]> {
  const missing: string[] = [];
  const left = files.values();
  const ask = async () => {
    for (const file of left) if (!(await hasFile?.(file))) missing.push(file.sha256);
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, ask));
  return missing;
}
