import { outageOf } from '@docent/format/outages.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MuteProxy, startMuteProxy } from '../../../../../test/support/mute-proxy.ts';
import {
  postgresBin,
  startPostgres,
  type TestPostgres,
} from '../../../../../test/support/postgres.ts';
import { silentLogger as logger } from '../../../../../test/support/silent-logger.ts';
import type { Database } from '../../ports/database.ts';
import { openPostgresDatabase } from './postgres.ts';

const CONNECTIONS = 10;
const times = {
  sweepMs: 200,
  pingMs: 500,
  freshMs: 4000,
  silentMs: 1000,
  queryMs: 600_000,
  stuckMs: 1000,
};

describe.skipIf(postgresBin === undefined)(
  'connections that go mute without a reset',
  { timeout: 180_000 },
  () => {
    let server: TestPostgres;
    let proxy: MuteProxy;
    let address: string;
    let database: Database;

    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());
    beforeEach(async () => {
      const url = new URL(await server.createDatabase());
      proxy = await startMuteProxy({ host: url.hostname, port: Number(url.port) });
      url.port = String(proxy.port);
      address = url.href;
      database = await openPostgresDatabase({ url: address, logger, times });
    });
    afterEach(async () => {
      await database.close();
      proxy.close();
    });

    const sleep = (seconds: number, { queries } = database) =>
      sql`SELECT pg_sleep(${seconds})`.execute(queries);
    const fill = () => Promise.all(Array.from({ length: CONNECTIONS }, () => sleep(0.3)));
    const answer = ({ queries } = database) =>
      sql<{ one: number }>`SELECT 1 AS one`.execute(queries).then(
        ({ rows }) => rows[0]?.one,
        () => undefined,
      );

    test('are replaced while they are idle, and queries work again', async () => {
      await fill();
      expect(proxy.mute()).toBeGreaterThanOrEqual(CONNECTIONS);
      await expect.poll(() => answer()).toBe(1);
      await Promise.all(
        Array.from({ length: CONNECTIONS }, () => expect.poll(() => answer()).toBe(1)),
      );
      expect(database.isStuck()).toBe(false);
    });

    test('fail the queries that they carry as an outage, even if all are in use, and others go on', async () => {
      await fill();
      const carried = Array.from({ length: CONNECTIONS }, () =>
        sleep(3).catch((error: unknown) => error),
      );
      await expect.poll(() => proxy.mute()).toBeGreaterThanOrEqual(CONNECTIONS);
      const waiting = answer();
      // One may have waited for the connection that was just checked, and have got a new one.
      const errors = (await Promise.all(carried)).filter((result) => result instanceof Error);
      expect(errors.map(outageOf)).toEqual(errors.map(() => 'database'));
      expect(errors.length).toBeGreaterThanOrEqual(CONNECTIONS - 1);
      expect(await waiting).toBe(1);
    });

    test('do not delay closing for ever', async () => {
      await fill();
      proxy.mute();
      proxy.muteNew(true);
      void sleep(0.1).catch(() => {});
      await database.close();
    });

    test('a query that takes long is left alone as long as the server is well', async () => {
      // A busy machine answers late, which is not what this is about.
      const patient = await openPostgresDatabase({
        url: address,
        logger,
        times: { ...times, pingMs: 60_000 },
      });
      const others = setInterval(() => answer(patient), 50);
      try {
        await sleep(4, patient);
      } finally {
        clearInterval(others);
        await patient.close();
      }
    });

    test('while the server does not answer anybody, a restart would not help', async () => {
      await fill();
      proxy.mute();
      proxy.muteNew(true);
      await expect(sleep(0.1)).rejects.toThrow();
      expect(database.isStuck()).toBe(false);
      proxy.muteNew(false);
      await expect.poll(() => answer(), { timeout: 120_000 }).toBe(1);
    });
  },
);
