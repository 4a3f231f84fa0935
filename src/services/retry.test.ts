import { expect, test } from 'vitest';
import { retry } from './retry.ts';

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
  await expect(retry(failing(9), { forMs: 10_000, signal: AbortSignal.abort() })).rejects.toThrow('attempt 1');
  await expect(retry(failing(9), { forMs: 10_000, signal, isRetryable: () => false })).rejects.toThrow('attempt 1');
});
