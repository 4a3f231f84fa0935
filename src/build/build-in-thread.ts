import { Worker } from 'node:worker_threads';
import { DocentError } from '../core/errors.ts';
import type { FileEntry, SiteBuild } from '../core/site-build.ts';
import type { BuildOptions } from './build-site.ts';
import type { BuildThreadData, BuildThreadMessage } from './build-thread.ts';
import { threadLimits } from './thread-limits.ts';

/**
 * Builds a site in a thread of its own, so that the server goes on answering.
 * @param store keeps one file of the build; called for one file at a time, once for each content
 * @throws DocentError `build_failed` as `buildSite`; whatever `store` throws
 */
export function buildInThread(
  folder: string,
  store: (bytes: Uint8Array, file: FileEntry) => Promise<void>,
  options: BuildOptions,
): Promise<SiteBuild> {
  const { promise, resolve, reject } = Promise.withResolvers<SiteBuild>();
  const data: BuildThreadData = { folder, threads: options.threads };
  const worker = new Worker(new URL('./build-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: threadLimits,
  });
  const abort = () => reject(options.signal?.reason ?? new Error('The build was stopped.'));
  options.signal?.addEventListener('abort', abort, { once: true });
  worker.on('message', (message: BuildThreadMessage) => {
    switch (message.type) {
      case 'file':
        store(message.bytes, message.file).then(() => worker.postMessage('stored'), reject);
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
    }
  });
  worker.on('error', reject);
  worker.on('exit', () => reject(new Error('The build thread ended before the build was done.')));
  return promise.finally(() => {
    options.signal?.removeEventListener('abort', abort);
    return worker.terminate();
  });
}
