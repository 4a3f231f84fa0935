import { expect, test } from 'vitest';
import { describeStop, passedLimit } from './build-limits.ts';

const budget = { cpuSeconds: 300, wallSeconds: 600, memoryMb: 4096 };

test('a build may use exactly its budget, and is stopped by the first limit that it exceeds', () => {
  expect(passedLimit({ ...budget }, budget)).toBeUndefined();
  expect(passedLimit({ cpuSeconds: 1, wallSeconds: 601, memoryMb: 5000 }, budget)).toBe(
    'wallSeconds',
  );
  expect(passedLimit({ cpuSeconds: 1, wallSeconds: 1, memoryMb: 4097 }, budget)).toBe('memoryMb');
});

test('a stopped build reports the limit, the stage, the file, the remedy and the setting', () => {
  const { detail, errors } = describeStop('memoryMb', budget, {
    stage: 'compiling pages',
    file: 'a.mdx',
  });
  expect(detail).toBe(
    'The build was stopped because it used more than 4096 MB of memory, while compiling pages (a.mdx). Make this file smaller or ' +
      'simpler, then publish again. The operator of the server sets this limit with DOCENT_BUILD_MEMORY_MB.',
  );
  expect(errors).toEqual([
    { path: 'a.mdx', message: 'The build was stopped while compiling pages.' },
  ]);
});
