import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  hasClickHouse,
  startClickHouse,
  type TestClickHouse,
} from '../../../../../test/support/clickhouse.ts';
import {
  postgresBin,
  startPostgres,
  type TestPostgres,
} from '../../../../../test/support/postgres.ts';
import { silentLogger } from '../../../../../test/support/silent-logger.ts';
import { sharedTestDatabase } from '../../../../../test/support/test-database.ts';
import { analyticsStoreContract } from '../../ports/analytics-store.contract.ts';
import type { Database } from '../../ports/database.ts';
import { openPostgresDatabase } from '../database/postgres.ts';
import { literal, openClickHouseEvents } from './clickhouse-events.ts';
import { createSqlAnalyticsStore } from './sql.ts';

const opened = (database: Database) => ({
  database,
  store: createSqlAnalyticsStore(database),
  close: () => database.close(),
});

analyticsStoreContract('embedded PostgreSQL', async () => opened(await sharedTestDatabase()));

describe.skipIf(postgresBin === undefined)('on a server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  analyticsStoreContract('PostgreSQL', async () => {
    const database = await openPostgresDatabase({
      url: await server.createDatabase(),
      logger: silentLogger,
    });
    await database.migrate();
    return opened(database);
  });
});

// Another server, for example a current one: CLICKHOUSE_URL=http://default@127.0.0.1:8123/default
describe.skipIf(!hasClickHouse && !process.env.CLICKHOUSE_URL)('with ClickHouse', () => {
  let server: TestClickHouse | undefined;
  let url = process.env.CLICKHOUSE_URL ?? '';
  beforeAll(async () => {
    if (url !== '') return;
    server = await startClickHouse();
    url = server.url;
  });
  afterAll(() => server?.stop());

  analyticsStoreContract('events in ClickHouse', async () => {
    const database = await sharedTestDatabase();
    const events = await openClickHouseEvents(url);
    const close = () => Promise.all([events.close(), database.close()]).then(() => {});
    return { database, store: createSqlAnalyticsStore(database, events), close };
  });

  test('a SQL literal preserves any text', async () => {
    const texts = [
      "'",
      "\\'",
      '\\',
      "a\\\\'; DROP TABLE x; --",
      '\n\0😀\\n',
      '',
      "''",
      '%{a:String}?',
    ];
    const client = createClient({ url });
    for (const text of texts) {
      const found = await client.query({
        query: `SELECT ${literal(text)} AS text`,
        format: 'JSONEachRow',
      });
      expect(await found.json()).toEqual([{ text }]);
    }
    await client.close();
  });
});
