import { expect, it } from 'vitest';
import { takeTurns } from './turns.ts';

it('never runs more tasks at once than allowed, in their order, and refuses those that would wait too long', async () => {
  const turn = takeTurns({ atOnce: 2, maxWaiting: 3, refusal: 'Too many.' });
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const tasks = [0, 1, 2, 3, 4].map((task) =>
    turn(async () => {
      begun.push(task);
      await new Promise<void>((end) => ends.push(end));
      if (task === 1) throw new Error('failed');
      return task;
    }),
  );
  const results = Promise.allSettled(tasks);
  await expect(turn(async () => 5)).rejects.toMatchObject({
    code: 'dependency_unavailable',
    retryAfterSeconds: 5,
  });
  for (const running of [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    await expect.poll(() => begun).toEqual(running);
    ends.shift()?.();
  }
  ends.shift()?.();
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  // A failed task gave its turn back.
  expect(await turn(async () => 6)).toBe(6);
});
