import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killTestJob } from '../../../../../test/support/kill-test-job.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { testDatabase, testTemplate } from '../../../../../test/support/test-database.ts';
import { jobQueueContract } from '../../ports/job-queue.contract.ts';
import { openPgliteDatabase } from '../database/pglite.ts';
import { openPgBossQueue } from './pg-boss.ts';

const logger = silentLogger;

jobQueueContract('pg-boss on PGlite', async () => {
  const database = await testDatabase();
  return {
    database,
    openQueue: (outages) => openPgBossQueue({ database, logger, closeGraceSeconds: 1, outages }),
    close: () => database.close(),
  };
});

test('after a kill -9, the next start retries the job at once, and gives up one that was on its last attempt', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'docent-queue-')), 'database');
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../../../../test/support/kill-test-worker.ts'),
      folder,
      await testTemplate(),
    ],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let running = '';
  for await (const chunk of child.stdout) {
    running += chunk;
    if (running.includes('retry') && running.includes('last')) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');

  const startedAt = performance.now();
  const database = await openPgliteDatabase({ folder, logger });
  const queue = await openPgBossQueue({ database, logger });
  const attempt = Promise.withResolvers<number>();
  const givenUp = Promise.withResolvers<object>();
  await queue.work(killTestJob('retry', 1), async (_payload, context) =>
    attempt.resolve(context.attempt),
  );
  const never = async () => Promise.reject(new Error('There is no attempt left.'));
  await queue.work(killTestJob('last', 0), never, {
    givenUp: async (payload) => givenUp.resolve(payload),
  });
  expect(await attempt.promise).toBe(2);
  expect(await givenUp.promise).toEqual({ of: 'last' });
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  await queue.close();
  await database.close();
  await rm(join(folder, '..'), { recursive: true });
});

test('a job that is enqueued in this process starts immediately, not at the next poll', async () => {
  const database = await testDatabase();
  const queue = await openPgBossQueue({ database, logger });
  const kind = killTestJob('quick', 0);
  const waits: number[] = [];
  let startedAt = 0;
  await queue.work(kind, async () => void waits.push(performance.now() - startedAt));
  for (let round = 0; round < 6; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 130));
    await database.queries
      .transaction()
      .execute((transaction) => queue.enqueue(kind, { of: 'quick' }, transaction));
    startedAt = performance.now();
    while (waits.length === round) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(150);
  await queue.close();
  await database.close();
});

test('one statement looks for jobs of all kinds, and only kinds with a job ask for theirs', async () => {
  const database = await testDatabase();
  const first = await openPgBossQueue({ database, logger });
  await first.enqueue(killTestJob('left', 0), { of: 'left' });
  await first.close();

  const statements: string[] = [];
  const execute: typeof database.execute = (text, values) => {
    statements.push(`${text} ${JSON.stringify(values)}`);
    return database.execute(text, values);
  };
  const queue = await openPgBossQueue({ database: { ...database, execute }, logger });
  const done = Promise.withResolvers<object>();
  const unused = async () => {};
  for (const name of ['idle', 'quiet', 'unused'])
    await queue.work(killTestJob(name, 0), unused, { concurrency: 4, givenUp: unused });
  await queue.work(killTestJob('left', 0), async (payload) => done.resolve(payload));
  expect(await done.promise).toEqual({ of: 'left' });
  await queue.close();
  await database.close();

  const looks = statements.filter((text) => text.includes('unnest('));
  for (const name of ['idle', 'quiet', 'unused', 'left'])
    expect(looks.at(-1)).toContain(`"${name}"`);
  const fetches = statements.filter((text) => /FOR UPDATE OF j\b/.test(text)).join('\n');
  expect(fetches).toContain('left');
  expect(fetches).not.toMatch(/idle|quiet|unused/);
});
