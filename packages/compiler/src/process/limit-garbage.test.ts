import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitGarbage } from './limit-garbage.ts';

test('what a thread has dropped is collected as soon as there may be much of it', async () => {
  limitGarbage();
  const dropped = new WeakRef({});
  // An object that was created or looked at stays until the end of the job.
  await wait(1);
  // More than a quarter of what these tests use.
  const buffer = new Uint8Array(128 * 1024 * 1024);
  limitGarbage();
  expect(dropped.deref()).toBeUndefined();
  expect(buffer.byteLength).toBeGreaterThan(0);
});
