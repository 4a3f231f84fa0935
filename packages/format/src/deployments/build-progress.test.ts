import { expect, test } from 'vitest';
import { BuildProgress, endedStages } from './build-progress.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));

test('each stage ends when the next begins, and a failure ends the running stage', () => {
  const progress = new BuildProgress([]);
  progress.enter('unpacking the source', at(0));
  progress.enter('compiling pages', at(2));
  progress.end('failed', at(5));
  expect(progress.stages).toEqual([
    {
      name: 'Unpacking the source',
      startedAt: at(0).toISOString(),
      endedAt: at(2).toISOString(),
      status: 'done',
    },
    {
      name: 'Compiling pages',
      startedAt: at(2).toISOString(),
      endedAt: at(5).toISOString(),
      status: 'failed',
    },
  ]);
});

test('the log continues after that of the previous attempt and stays within its limits', () => {
  const progress = new BuildProgress([{ time: at(0).toISOString(), text: 'before' }]);
  for (let index = 0; index < 3000; index += 1) progress.addLine('x'.repeat(2000), at(1));
  expect(progress.log).toHaveLength(1000);
  expect(progress.log[0]?.text).toBe('before');
  expect(progress.log[1]?.text).toHaveLength(500);
  expect(progress.log.at(-1)?.text).toMatch(/^The log is full/);
});

test('page counts are reported every two seconds and at the end', () => {
  const progress = new BuildProgress([]);
  const counted = [1, 2, 3, 4].map((done) => progress.count(done, 4, at(done)));
  expect(counted).toEqual([true, false, true, true]);
});

test('a stage still running at the end of its deployment has failed', () => {
  const running = {
    name: 'Compiling pages',
    startedAt: at(0).toISOString(),
    endedAt: null,
    status: 'running' as const,
  };
  expect(endedStages([running], at(9))).toEqual([
    { ...running, status: 'failed', endedAt: at(9).toISOString() },
  ]);
});
