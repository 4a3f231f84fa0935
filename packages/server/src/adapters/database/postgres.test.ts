import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  postgresBin,
  startPostgres,
  type TestPostgres,
} from '../../../../../test/support/postgres.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { databaseContract } from '../../ports/database.contract.ts';
import { jobQueueContract } from '../../ports/job-queue.contract.ts';
import { rateLimiterContract } from '../../ports/rate-limiter.contract.ts';
import { openPgBossQueue, startLockId } from '../job-queue/pg-boss.ts';
import { openPostgresRateLimiter } from '../rate-limiter/postgres.ts';
import { openPostgresDatabase } from './postgres.ts';

const logger = silentLogger;

test.each(['prefer', 'require', 'verify-ca'])(
  'sslmode=%s checks the certificate without a warning of the driver at each start',
  async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning');
    const url = `postgres://docent@127.0.0.1:1/docent?sslmode=${mode}`;
    await expect(openPostgresDatabase({ url, logger })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

describe.skipIf(postgresBin === undefined)('on a PostgreSQL server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const openDatabase = async () =>
    openPostgresDatabase({ url: await server.createDatabase(), logger });

  databaseContract('PostgreSQL', openDatabase);

  jobQueueContract('pg-boss on PostgreSQL', async () => {
    const database = await openDatabase();
    await database.migrate();
    return {
      database,
      openQueue: (outages) => openPgBossQueue({ database, logger, closeGraceSeconds: 1, outages }),
      close: () => database.close(),
    };
  });

  const openLimiter = async (url: string) => {
    const database = await openPostgresDatabase({ url, logger });
    const limiter = await openPostgresRateLimiter(database);
    const close = async () => {
      await limiter.close();
      await database.close();
    };
    return { ...limiter, close };
  };

  rateLimiterContract(
    'PostgreSQL',
    async () => openLimiter(await server.createDatabase()),
    async () => {
      const url = await server.createDatabase();
      return Promise.all([openLimiter(url), openLimiter(url)]);
    },
  );

  test('processes that start concurrently migrate an empty database together', async () => {
    const url = await server.createDatabase();
    const databases = await Promise.all(
      [1, 2, 3, 4].map(() => openPostgresDatabase({ url, logger })),
    );
    const applied = await Promise.all(databases.map((database) => database.migrate()));
    expect(new Set(applied.flat()).size).toBe(applied.flat().length);
    const queues = await Promise.all(
      databases.map((database) => openPgBossQueue({ database, logger })),
    );
    await Promise.all(queues.map((queue) => queue.close()));
    await Promise.all(databases.map(openPostgresRateLimiter)).then((limiters) =>
      limiters.map((limiter) => limiter.close()),
    );
    await Promise.all(databases.map((database) => database.close()));
  });

  test('a job queue that starts waits for another process that creates its tables', async () => {
    const database = await openDatabase();
    await database.migrate();
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = database.queries.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${startLockId})`.execute(transaction);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const opening = openPgBossQueue({ database, logger });
    const isWaiting = async () => {
      const { rows } =
        await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(
          database.queries,
        );
      return rows.length > 0;
    };
    await vi.waitFor(async () => expect(await isWaiting()).toBe(true), { timeout: 20_000 });
    const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = 'pgboss'`.execute(
      database.queries,
    );
    expect(rows).toEqual([]);
    release.resolve();
    await other;
    await (await opening).close();
    await database.close();
  });

  test('a connection that breaks within a transaction fails that transaction only', async () => {
    const database = await openDatabase();
    const broken = database.queries.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(
        transaction,
      );
      await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(database.queries);
      // An unhandled error would end the process here.
      await wait(200);
      await sql`SELECT 1`.execute(transaction);
    });
    await expect(broken).rejects.toThrow();
    expect((await sql`SELECT 1 AS one`.execute(database.queries)).rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('an unreachable server is reported immediately, without the password', async () => {
    const url = 'postgres://someone:hidden-word@127.0.0.1:1/none';
    const fault = await openPostgresDatabase({ url, logger }).catch((error: unknown) =>
      String(error),
    );
    expect(fault).toContain('ECONNREFUSED');
    expect(fault).not.toContain('hidden-word');
  });
});
