import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { repeat, retry } from './retry.ts';

function failing(times: number) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw new Error(`attempt ${calls}`);
    return calls;
  };
}

test('failed work is retried until it succeeds, times out, is aborted, or its error is not retryable', async () => {
  const { signal } = new AbortController();
  expect(await retry(failing(2), { forMs: 10_000, signal })).toBe(3);
  await expect(retry(failing(9), { forMs: -1, signal })).rejects.toThrow('attempt 1');
  await expect(retry(failing(9), { forMs: 10_000, signal: AbortSignal.abort() })).rejects.toThrow(
    'attempt 1',
  );
  await expect(
    retry(failing(9), { forMs: 10_000, signal, isRetryable: () => false }),
  ).rejects.toThrow('attempt 1');
});

test('a repeated task runs again after a failure, never while it is still running, and not after it was stopped', async () => {
  let running = 0;
  let calls = 0;
  const run = async () => {
    running += 1;
    calls += 1;
    expect(running).toBe(1);
    await wait(20);
    running -= 1;
    throw new Error('failed');
  };
  const warnings: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) };
  const stop = repeat(logger, [{ run, everyMs: 5, failure: 'the task failed' }]);
  await expect.poll(() => calls).toBeGreaterThan(2);
  await stop();
  await expect.poll(() => running).toBe(0);
  const before = calls;
  await wait(50);
  expect(calls).toBe(before);
  expect(warnings).toEqual(Array.from({ length: calls }, () => ({ reason: 'failed' })));
});
