import { expect, test } from 'vitest';
import { returnMemory } from './return-memory.ts';

const MEGABYTE = 1024 * 1024;

test('a process collects its garbage when it is quiet and has peak, and neither while it works nor again without growth', async () => {
  const state = { takenMb: 100, worked: 0.5, collections: 0 };
  const { run } = returnMemory({
    takenBytes: () => state.takenMb * MEGABYTE,
    workedShare: () => state.worked,
    async collect() {
      state.collections++;
      state.takenMb = 60;
    },
  });
  await run();
  expect(state.collections).toBe(0);
  state.worked = 0.01;
  await run();
  expect(state).toMatchObject({ takenMb: 60, collections: 1 });
  state.takenMb = 65;
  await run();
  expect(state.collections).toBe(1);
  state.takenMb = 110;
  await run();
  expect(state.collections).toBe(2);
});

test('what a process has let go of is given back', async () => {
  const task = returnMemory();
  let garbage: unknown[] | undefined = Array.from({ length: 300_000 }, (_, number) => ({
    number,
    text: `text ${number}`,
  }));
  expect(garbage).toHaveLength(300_000);
  const peak = process.memoryUsage().heapUsed;
  garbage = undefined;
  await expect
    .poll(
      async () => {
        await task.run();
        return process.memoryUsage().heapUsed;
      },
      { timeout: 60_000, interval: 300 },
    )
    .toBeLessThan(peak - 10 * MEGABYTE);
});
