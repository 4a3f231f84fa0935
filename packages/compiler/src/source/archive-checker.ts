import { DocentError } from '@docent/format/errors.ts';
import { startBounded } from '../process/bounded-process.ts';
import { yieldToServer } from '../process/build-limits.ts';
import { moduleUrl } from '../process/own-modules.ts';
import { WorkerHost } from '../process/worker-host.ts';
import type { ArchiveChecks } from './archive-check-process.ts';

/**
 * Checks uploaded archives in a separate process: unpacking one costs far more than receiving it.
 */
export interface ArchiveChecker {
  /**
   * Passes an archive through as it arrives, and throws if it cannot be unpacked.
   * @throws DocentError like `checkSourceArchive`; `dependency_unavailable` if the process ended;
   *   any error of `archive`
   */
  checked(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>;
  /** Ends the process; running checks fail. */
  close(): void;
}

/** Less than a build: the sender of the archive waits for the answer. */
const NICENESS = 5;
const MEMORY_MB = 512;
/** Its memory is free again before the build of the archive needs most. */
const IDLE_MS = 5_000;
const MODULE = moduleUrl('./archive-check-process.ts', import.meta.url);

/**
 * The process starts with the first archive and ends when idle. All archives share it, chunk by
 * chunk.
 */
export function createArchiveChecker(): ArchiveChecker {
  let lastId = 0;
  const host = new WorkerHost<ArchiveChecks>({
    start() {
      const child = startBounded({ module: MODULE, memoryMb: MEMORY_MB });
      yieldToServer(child.pid, NICENESS);
      return child;
    },
    idleMs: IDLE_MS,
    lost: () =>
      new DocentError(
        'dependency_unavailable',
        'The archive could not be checked; upload it again.',
      ),
  });

  return {
    async *checked(archive) {
      const id = ++lastId;
      // Valid before all of it has arrived: anything after the end of a tar is padding.
      let isDone = false;
      const check = host.run(async (calls) => {
        await calls.check(id).finally(() => {
          isDone = true;
        });
      });
      check.catch(() => {});
      try {
        for await (const chunk of archive) {
          if (!isDone) await Promise.race([check, host.run(({ write }) => write(id, chunk))]);
          yield chunk;
        }
        if (!isDone) void host.run(({ end }) => end(id)).catch(() => {});
        await check;
      } finally {
        if (!isDone) void host.run(({ stop }) => stop(id)).catch(() => {});
      }
    },
    close: () => void host.end(),
  };
}
