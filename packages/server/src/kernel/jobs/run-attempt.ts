import type { Dependency } from '@docent/format/dependencies.ts';
import { outageOf } from '@docent/format/outages.ts';
import type { JobContext } from '../../ports/job-queue.ts';

/** One attempt at a job that it has claimed in the row of the job. */
export interface Attempt {
  /** @param signal aborted at a shutdown, and if the attempt is lost */
  work: (signal: AbortSignal) => Promise<void>;
  /** Aborted once the job was canceled or deleted, or another attempt holds it. */
  lost: AbortSignal;
  /** Called first with each error, and with what is unavailable if that is why it waits. */
  onError?: (error: unknown, waitingFor: Dependency | undefined) => Promise<void>;
  /** The attempt ended because it was lost. */
  onLost: () => unknown;
  /**
   * Records what is unavailable; the queue runs the job again after `waitSeconds`, as often as it
   * takes.
   */
  postpone: (waitingFor: Dependency, waitSeconds: number, error: unknown) => Promise<void>;
  /** Returns whether another attempt would fail in the same way. */
  isFinal: (error: unknown) => boolean;
  /**
   * Counts a failure.
   * @returns the number of failures so far; undefined if the attempt no longer holds the job
   */
  countFailure: (error: unknown) => Promise<number | undefined>;
  /** The job fails after so many failures. Attempts of killed processes do not count. */
  maxFailures: number;
  /** The job is going to be tried again after a failure. */
  onRetry?: () => Promise<void>;
  /** Ends the job with this error. */
  fail: (error: unknown) => Promise<void>;
}

/**
 * Runs an attempt, and decides what its error means: a shutdown and an outage are not failures of
 * the job.
 * @throws the error, if the queue is to run the job again
 */
export async function runAttempt(
  attempt: Attempt,
  { signal, waitSeconds, lastAttempt }: JobContext,
): Promise<void> {
  try {
    await attempt.work(AbortSignal.any([signal, attempt.lost]));
  } catch (error) {
    const waitingFor = waitSeconds === undefined ? undefined : outageOf(error);
    await attempt.onError?.(error, waitingFor);
    if (attempt.lost.aborted) return void (await attempt.onLost());
    if (signal.aborted) throw error;
    if (waitSeconds !== undefined && waitingFor !== undefined) {
      await attempt.postpone(waitingFor, waitSeconds, error);
      throw error;
    }
    if (!attempt.isFinal(error)) {
      const failures = await attempt.countFailure(error);
      if (failures === undefined) return;
      if (failures < attempt.maxFailures && !lastAttempt) {
        await attempt.onRetry?.();
        throw error;
      }
    }
    await attempt.fail(error);
  }
}
