import { sql } from 'kysely';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../../ports/database.ts';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { countWith, hashedKey } from './limit-state.ts';

const tableName = 'rate_limits';
/** Any number that nobody else in the database uses; two processes that make the table at once would fail. */
const lockId = 4_718_331_903;
/** Rows of windows that have ended are removed so often. */
const cleanUpMs = 5 * 60 * 1000;

/**
 * Counts in the database, so that all processes on it count together, exactly, and a restart forgets nothing. A window begins with
 * the first call of its key. After a crash of the database server itself the counts begin anew: they are not worth a
 * write to the disk for each request.
 */
export async function openPostgresRateLimiter(database: Database): Promise<RateLimiter> {
  await createTable(database);
  const storeClient = {
    query: ({ text, values }: { text: string; values?: unknown[] }) => database.execute(text, values),
  };
  const create = ({ name, points, windowSeconds }: RateLimit) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: `${name}/${windowSeconds}`,
      points,
      duration: windowSeconds,
    });
  const { consume } = countWith(create);
  const cleanUp = setInterval(() => {
    // What is left over now is removed the next time.
    database.execute(`DELETE FROM ${tableName} WHERE expire < $1`, [Date.now()]).catch(() => {});
  }, cleanUpMs);
  cleanUp.unref();
  return {
    consume: (limit, key) => consume(limit, hashedKey(key)),
    close: async () => clearInterval(cleanUp),
  };
}

/** The counts of the library's own form, in a table that is not written ahead. */
async function createTable({ queries }: Database): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${lockId})`.execute(transaction);
    await sql`
      CREATE UNLOGGED TABLE IF NOT EXISTS rate_limits (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`.execute(transaction);
  });
}
