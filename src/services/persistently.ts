import { setTimeout as wait } from 'node:timers/promises';

const PAUSE_MS = 500;

/**
 * Does something again and again until it succeeds, for work that must not be lost to a database that is away for a moment. What
 * it does must be able to run twice: a try that failed may have done its work.
 * @param forMs after this time the last error is thrown
 * @param signal ends the trying with the next error
 */
export async function persistently<Result>(
  work: () => Promise<Result>,
  { forMs, signal }: { forMs: number; signal: AbortSignal },
): Promise<Result> {
  for (const end = performance.now() + forMs; ; ) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || performance.now() > end) throw error;
    }
    await wait(PAUSE_MS);
  }
}
