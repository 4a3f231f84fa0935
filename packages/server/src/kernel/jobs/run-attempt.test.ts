import { DocentError } from '@docent/format/errors.ts';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import type { JobContext } from '../../ports/job-queue.ts';
import { type Attempt, runAttempt } from './run-attempt.ts';

const OUTAGE = new DocentError('dependency_unavailable', 'away', { dependency: 'database' });

/** Runs an attempt that holds its job, and records the calls that it gets. */
async function run(
  attempt: Partial<Attempt>,
  context: Partial<JobContext> = {},
): Promise<{ calls: string[]; thrown: unknown }> {
  const calls: string[] = [];
  const call = (name: string) => {
    calls.push(name);
  };
  const signal = new AbortController().signal;
  const thrown = await runAttempt(
    {
      work: async () => call('work'),
      beat: async () => true,
      beatFailure: 'a beat failed',
      onLost: () => call('lost'),
      postpone: async (waitingFor, seconds) => call(`waits ${seconds} s for ${waitingFor}`),
      isFinal: () => false,
      countFailure: async () => 1,
      maxFailures: 3,
      onRetry: async () => call('retry'),
      fail: async () => call('failed'),
      ...attempt,
    },
    { signal, attempt: 1, lastAttempt: false, waitSeconds: 30, ...context },
    silentLogger,
  ).catch((error: unknown) => error);
  return { calls, thrown };
}

const fails = (error: unknown) => async () => {
  throw error;
};
const WRONG = new Error('wrong');

describe('an attempt at a job', () => {
  test('that fails is counted and thrown to the queue, until it has failed too often', async () => {
    const work = fails(WRONG);
    expect(await run({ work })).toEqual({ calls: ['retry'], thrown: WRONG });
    const third = { work, countFailure: async () => 3 };
    expect(await run(third)).toEqual({ calls: ['failed'], thrown: undefined });
    const last = await run({ work }, { lastAttempt: true });
    expect(last).toEqual({ calls: ['failed'], thrown: undefined });
  });

  test('whose error is final fails at once, and is not counted', async () => {
    const countFailure = fails(new Error('was counted'));
    const result = await run({ work: fails(WRONG), isFinal: () => true, countFailure });
    expect(result).toEqual({ calls: ['failed'], thrown: undefined });
  });

  test('that meets an outage waits and is not counted, until a job may wait no longer', async () => {
    const work = fails(OUTAGE);
    expect(await run({ work })).toEqual({ calls: ['waits 30 s for database'], thrown: OUTAGE });
    const { signal } = new AbortController();
    const patient: JobContext = { signal, attempt: 9, lastAttempt: false };
    const calls: string[] = [];
    const result = runAttempt(
      {
        work,
        beat: async () => true,
        beatFailure: '',
        onLost: () => {},
        postpone: fails(new Error('waits again')),
        isFinal: () => false,
        countFailure: async () => 3,
        maxFailures: 3,
        fail: async () => void calls.push('failed'),
      },
      patient,
      silentLogger,
    );
    await expect(result).resolves.toBeUndefined();
    expect(calls).toEqual(['failed']);
  });

  test('that a shutdown stops goes back to the queue as it was', async () => {
    const signal = AbortSignal.abort(WRONG);
    const countFailure = fails(new Error('was counted'));
    const result = await run({ work: fails(WRONG), countFailure }, { signal });
    expect(result).toEqual({ calls: [], thrown: WRONG });
  });

  test('that no longer holds its job is stopped within a beat and changes nothing more', async () => {
    const untilStopped = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const result = await run({ work: untilStopped, beat: async () => false });
    expect(result).toEqual({ calls: ['lost'], thrown: undefined });
    // Its error came first: the beat after it says that nobody waits for this attempt.
    const late = await run({ work: fails(WRONG), beat: async () => false });
    expect(late).toEqual({ calls: ['lost'], thrown: undefined });
    const taken = await run({ work: fails(WRONG), countFailure: async () => undefined });
    expect(taken).toEqual({ calls: [], thrown: undefined });
  });

  test('goes on when a beat fails, and never has two at once', async () => {
    let running = 0;
    let beats = 0;
    const beat = async () => {
      running += 1;
      beats += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      throw OUTAGE;
    };
    const work: Attempt['work'] = async (signal, now) => {
      await Promise.all([now(), now(), now()]);
      signal.throwIfAborted();
    };
    expect(await run({ work, beat })).toEqual({ calls: [], thrown: undefined });
    expect(beats).toBe(3);
  });
});
