import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 500;

/**
 * Retries work until it succeeds, for work that must not be lost while a dependency is unavailable. The work must be idempotent:
 * a failed attempt may have had its effect.
 * @param forMs after this time the last error is thrown
 * @param signal stops the retries: the next error is thrown
 * @param isRetryable errors for which it returns false are thrown at once; by default every error is retried
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  { forMs, signal, isRetryable = () => true }: { forMs: number; signal: AbortSignal; isRetryable?: (error: unknown) => boolean },
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
