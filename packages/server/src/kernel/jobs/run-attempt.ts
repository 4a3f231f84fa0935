import type { Dependency } from '@docent/format/dependencies.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { outageOf } from '@docent/format/outages.ts';
import type { JobContext } from '../../ports/job-queue.ts';
import type { Logger } from '../../ports/logger.ts';
import { repeat } from './retry.ts';

/** How soon a canceled job is noticed. */
const BEAT_MS = 500;

/** One attempt at a job that it has claimed in the row of the job. */
export interface Attempt {
  /**
   * @param signal aborted at a shutdown, and if the attempt is lost
   * @param beat runs the attempt's `beat` now
   */
  work: (signal: AbortSignal, beat: () => Promise<void>) => Promise<void>;
  /**
   * Stores news of the attempt. Called every half a second and after an error, never twice at once.
   * @returns whether the attempt still holds the job: it was neither canceled nor deleted, and no
   *   other attempt has claimed it
   */
  beat: () => Promise<boolean>;
  /** Logged if a beat fails, which changes nothing. */
  beatFailure: string;
  /** Called first with each error, and with what is unavailable if that is why it waits. */
  onError?: (error: unknown, waitingFor: Dependency | undefined) => void;
  /** The attempt ended because it no longer holds the job. */
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
 * Runs an attempt while it holds its job, and decides what its error means: a shutdown and an
 * outage are not failures of the job.
 * @throws the error, if the queue is to run the job again
 */
export async function runAttempt(
  attempt: Attempt,
  { signal, waitSeconds, lastAttempt }: JobContext,
  logger: Logger,
): Promise<void> {
  const { lost, beat, stop } = holdJob(attempt, logger);
  try {
    await attempt.work(AbortSignal.any([signal, lost]), beat).finally(stop);
  } catch (error) {
    const waitingFor = waitSeconds === undefined ? undefined : outageOf(error);
    attempt.onError?.(error, waitingFor);
    await beat();
    if (lost.aborted) return void (await attempt.onLost());
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

/** Watches whether an attempt holds its job, until `stop` is called. */
function holdJob({ beat, beatFailure }: Attempt, logger: Logger) {
  const lost = new AbortController();
  const once = async () => {
    try {
      if (!(await beat())) lost.abort(new Error('The job was canceled, or another worker has it.'));
    } catch (error) {
      // A failed query does not mean that the row is missing.
      logger.warn({ reason: errorMessage(error) }, beatFailure);
    }
  };
  let last = Promise.resolve();
  const beatNow = () => {
    last = last.then(once);
    return last;
  };
  const stop = repeat(logger, [{ run: beatNow, everyMs: BEAT_MS, failure: beatFailure }]);
  return { lost: lost.signal, beat: beatNow, stop };
}
