import { expect, test } from 'vitest';
import { persistently } from './persistently.ts';

function failing(times: number) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw new Error(`try ${calls}`);
    return calls;
  };
}

test('what fails is tried again until it succeeds, its time is over, or it is told to end', async () => {
  const { signal } = new AbortController();
  expect(await persistently(failing(2), { forMs: 10_000, signal })).toBe(3);
  await expect(persistently(failing(9), { forMs: -1, signal })).rejects.toThrow('try 1');
  await expect(persistently(failing(9), { forMs: 10_000, signal: AbortSignal.abort() })).rejects.toThrow('try 1');
});
