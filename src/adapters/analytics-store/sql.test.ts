import { afterAll, beforeAll, describe } from 'vitest';
import { postgresBin, startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { sharedTestDatabase } from '../../../test/support/test-database.ts';
import { analyticsStoreContract } from '../../ports/analytics-store.contract.ts';
import type { Database } from '../../ports/database.ts';
import { openPostgresDatabase } from '../database/postgres.ts';
import { createSqlAnalyticsStore } from './sql.ts';

const opened = (database: Database) => ({ database, store: createSqlAnalyticsStore(database), close: () => database.close() });

analyticsStoreContract('embedded PostgreSQL', async () => opened(await sharedTestDatabase()));

describe.skipIf(postgresBin === undefined)('on a server', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  analyticsStoreContract('PostgreSQL', async () => {
    const database = await openPostgresDatabase({ url: await server.createDatabase(), logger: silentLogger });
    await database.migrate();
    return opened(database);
  });
});
