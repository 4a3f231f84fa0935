import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { treeUsage } from './process-tree.ts';

const onLinux = test.skipIf(process.platform !== 'linux');

/**
 * Starts a process that starts `code` in a child of a worker thread, and waits for its first line.
 */
async function start(code: string) {
  const inThread = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}], { stdio: 'inherit' })`;
  const parent = `new (require('node:worker_threads').Worker)(${JSON.stringify(inThread)}, { eval: true })`;
  const child = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

onLinux('memory of a process that a thread of a child started counts', async () => {
  const child = await start(
    "const held = Buffer.alloc(300e6, 1); console.log('ready'); setTimeout(() => held, 60_000)",
  );
  try {
    expect(treeUsage(child.pid as number)?.memoryMb).toBeGreaterThan(300);
  } finally {
    child.kill('SIGKILL');
  }
});

onLinux('CPU time of a process that has ended still counts', async () => {
  const child = await start(
    'let sum = 0; for (let i = 0; i < 1e8; i++) sum += i; console.log(sum)',
  );
  try {
    await expect.poll(() => treeUsage(child.pid as number)?.cpuSeconds).toBeGreaterThan(0.1);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a process that is gone has no usage', () => {
  expect(treeUsage(2 ** 30)).toBeUndefined();
});
