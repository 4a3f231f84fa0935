import { parentPort, workerData } from 'node:worker_threads';
import { DocentError, type ErrorCode, type FieldError } from '../core/errors.ts';
import type { FileEntry, SiteBuild } from '../core/site-build.ts';
import { buildSite } from './build-site.ts';
import { describeFile } from './file-sink.ts';

/** What a build thread is started with. */
export interface BuildThreadData {
  folder: string;
  threads: number;
}

/** What a build thread says; `file` waits for an answer, which is how it goes no faster than the store. */
export type BuildThreadMessage =
  | { type: 'file'; bytes: Uint8Array; file: FileEntry }
  | { type: 'progress'; pagesDone: number; pagesTotal: number }
  | { type: 'done'; build: SiteBuild }
  | { type: 'refused'; code: ErrorCode; detail: string; errors: FieldError[] | undefined };

const port = parentPort;
if (!port) throw new Error('build-thread.ts runs only as a worker thread');
const say = (message: BuildThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const { folder, threads } = workerData as BuildThreadData;

const waiting: ((value: undefined) => void)[] = [];
port.on('message', () => waiting.shift()?.(undefined));
const seen = new Set<string>();

try {
  const build = await buildSite(
    folder,
    {
      async add(bytes, type) {
        const file = describeFile(bytes, type);
        if (seen.has(file.sha256)) return file;
        seen.add(file.sha256);
        say({ type: 'file', bytes, file });
        await new Promise((resolve) => waiting.push(resolve));
        return file;
      },
    },
    { threads, onProgress: (pagesDone, pagesTotal) => say({ type: 'progress', pagesDone, pagesTotal }) },
  );
  say({ type: 'done', build });
} catch (error) {
  if (!(error instanceof DocentError)) throw error;
  say({ type: 'refused', code: error.code, detail: error.message, errors: error.errors });
}
port.close();
