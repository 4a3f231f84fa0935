import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '@docent/format/error-message.ts';
import type { Logger } from '../../ports/logger.ts';

const PAUSE_MS = 500;

/**
 * Retries work until it succeeds, for work that must not be lost while a dependency is unavailable.
 * The work must be idempotent: a failed attempt may have had its effect.
 * @param forMs after this time the last error is thrown
 * @param signal stops the retries: the next error is thrown
 * @param isRetryable errors for which it returns false are thrown at once; by default every error
 *   is retried
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  {
    forMs,
    signal,
    isRetryable = () => true,
  }: { forMs: number; signal: AbortSignal; isRetryable?: (error: unknown) => boolean },
): Promise<Result> {
  for (const end = performance.now() + forMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || signal.aborted || performance.now() > end) throw error;
    }
    await wait(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

/** Work that is repeated in the background. */
export interface BackgroundTask {
  run(): Promise<unknown>;
  everyMs: number;
  /**
   * When it runs first, for the tasks of hours: not at once, because the startup itself is busy.
   */
  firstMs?: number;
  /** Logged with the reason if it fails; it is repeated anyway. */
  failure: string;
}

/**
 * Starts to repeat the tasks. A task that is still running when it is due again is skipped.
 * @returns a function that stops it
 */
export function repeat(logger: Logger, tasks: readonly BackgroundTask[]): () => Promise<void> {
  const timers = tasks.flatMap(({ run, everyMs, firstMs, failure }) => {
    let isRunning = false;
    const guarded = async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        await run();
      } catch (error) {
        logger.warn({ reason: errorMessage(error) }, failure);
      }
      isRunning = false;
    };
    return [
      setInterval(guarded, everyMs),
      ...(firstMs === undefined ? [] : [setTimeout(guarded, firstMs)]),
    ];
  });
  for (const timer of timers) timer.unref();
  return async () => {
    for (const timer of timers) clearInterval(timer);
  };
}
