import { setTimeout as wait } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { limitGarbage } from './limit-garbage.ts';

test('what a thread has dropped is collected as soon as there may be much of it', async () => {
  limitGarbage();
  const dropped = new WeakRef({});
  // An object that was created or looked at stays until the end of the job.
  await wait(1);
  // More than 16 MB, and than a quarter of what other tests have left in this process.
  const { used_heap_size, external_memory } = getHeapStatistics();
  const buffer = new Uint8Array(32 * 1024 * 1024 + (used_heap_size + external_memory) / 2);
  limitGarbage();
  expect(dropped.deref()).toBeUndefined();
  expect(buffer.byteLength).toBeGreaterThan(0);
});
