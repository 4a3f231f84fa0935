import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createBoundedProcess } from './bounded-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-bounded-'));
const module = pathToFileURL(join(folder, 'child.mjs'));
writeFileSync(
  module,
  `import { readFileSync, writeFileSync } from 'node:fs';
   import { answerQuestions } from ${JSON.stringify(new URL('./bounded-process.ts', import.meta.url).href)};
   const attempt = (run) => { try { return run(); } catch (error) { return error.code; } };
   answerQuestions((word) => {
     if (word === 'endless') for (;;);
     if (word === 'wait') return new Promise((resolve) => setTimeout(resolve, 1500, 'waited'));
     if (word === 'throw') throw new Error('it broke');
     if (word === 'hoard') { const all = []; for (;;) all.push(new Array(1000).fill(word)); }
     if (word === 'env') return Object.keys(process.env).filter((name) => name.startsWith('DOCENT'));
     if (word === 'read') return attempt(() => readFileSync('/etc/hostname', 'utf8'));
     if (word === 'write') return attempt(() => writeFileSync(${JSON.stringify(join(folder, 'made'))}, ''));
     return word.toUpperCase();
   });`,
);

function child() {
  return createBoundedProcess<string, unknown>({
    module,
    timeLimitMs: 1_000,
    startLimitMs: 10_000,
    memoryMb: 48,
  });
}

test('concurrent questions are answered in order', async () => {
  const ask = child();
  expect(await Promise.all([ask('a'), ask('b')])).toEqual([{ answer: 'A' }, { answer: 'B' }]);
});

test('a question may take longer than its limit if the process computes nothing meanwhile, as on a busy machine', async () => {
  const ask = child();
  await ask('a');
  expect(await ask('wait')).toEqual({ answer: 'waited' });
});

test('an endless loop, an error and a memory leak each fail only their own question', async () => {
  const ask = child();
  expect(await ask('a')).toEqual({ answer: 'A' });
  expect(await ask('endless')).toEqual({ failure: 'it took longer than 1 seconds' });
  expect(await ask('throw')).toHaveProperty('failure');
  expect(await ask('b')).toEqual({ answer: 'B' });
  expect(await ask('hoard')).toHaveProperty('failure');
});

test('after three ended processes no other is started, so that a build ends', async () => {
  const ask = child();
  for (let i = 0; i < 3; i++) await ask('throw');
  expect(await ask('a')).toEqual({ failure: 'too much output before it failed' });
});

test('the process has no access to the environment and the file system', async () => {
  process.env.DOCENT_TEST_SECRET = 'secret';
  const ask = child();
  expect(await ask('env')).toEqual({ answer: [] });
  expect(await ask('read')).toEqual({ answer: 'ERR_ACCESS_DENIED' });
  expect(await ask('write')).toEqual({ answer: 'ERR_ACCESS_DENIED' });
});
