import type { ChildProcess } from 'node:child_process';
import { DocentError } from '@docent/format/errors.ts';
import { startBounded } from '../process/bounded-process.ts';
import { yieldToServer } from '../process/build-limits.ts';
import { moduleUrl } from '../process/own-modules.ts';
import type { CheckMessage, CheckReply } from './archive-check-process.ts';

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

interface Check {
  /**
   * The archive is valid, though more of it may arrive: anything after the end of a tar is padding.
   */
  isDone: boolean;
  fault: Error | undefined;
  /** Called when the process accepted its input, and when it is done. */
  wake: () => void;
}

/**
 * The process starts with the first archive and ends when idle. All archives share it, chunk by
 * chunk.
 */
export function createArchiveChecker(): ArchiveChecker {
  const open = new Map<number, Check>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): ChildProcess {
    const started = startBounded({ module: MODULE, memoryMb: MEMORY_MB });
    yieldToServer(started.pid, NICENESS);
    started.on('message', (reply: CheckReply) => {
      const check = open.get(reply.id);
      if (!check) return;
      if (reply.type === 'done') {
        check.isDone = true;
        check.fault = reply.fault && new DocentError(reply.fault.code, reply.fault.detail);
      }
      check.wake();
    });
    const failAll = () => {
      if (child !== started) return;
      child = undefined;
      for (const check of open.values()) {
        check.fault = new DocentError(
          'dependency_unavailable',
          'The archive could not be checked; upload it again.',
        );
        check.wake();
      }
    };
    started.on('error', failAll).on('exit', failAll);
    // It does not keep this process alive: the request that waits for it does.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function end(): void {
    child?.kill('SIGKILL');
    // Otherwise the exit handler fails the open checks.
    if (open.size === 0) child = undefined;
  }

  function post(message: CheckMessage): void {
    // If the process is gone or could not start, for lack of open files for example, its event
    // fails the check.
    if (child?.connected) child.send(message, () => {});
  }

  /** Sends a message to the process, and waits until it requests more or is done. */
  async function send(check: Check, message: CheckMessage): Promise<void> {
    if (!check.isDone && check.fault === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      check.wake = resolve;
      post(message);
      await promise;
    }
    if (check.fault) throw check.fault;
  }

  return {
    async *checked(archive) {
      clearTimeout(idle);
      child ??= start();
      const id = ++lastId;
      const check: Check = { isDone: false, fault: undefined, wake: () => {} };
      open.set(id, check);
      post({ id, type: 'begin' });
      try {
        for await (const chunk of archive) {
          await send(check, { id, type: 'chunk', chunk });
          yield chunk;
        }
        await send(check, { id, type: 'end' });
      } finally {
        open.delete(id);
        if (!check.isDone) post({ id, type: 'stop' });
        if (open.size === 0) idle = setTimeout(end, IDLE_MS).unref();
      }
    },
    close: end,
  };
}
