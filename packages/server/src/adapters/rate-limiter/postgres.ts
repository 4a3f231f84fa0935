import { sql } from 'kysely';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../../ports/database.ts';
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts';
import { countWith, hashedKey } from './limit-state.ts';

const tableName = 'rate_limits';
/**
 * Advisory lock number, unique in this database; two processes that create the table at once would
 * fail.
 */
const lockId = 4_718_331_904;
/** How often rows of ended windows are removed. */
const cleanUpMs = 5 * 60 * 1000;

/**
 * Counts in the database, so that all processes share exact counts, and a restart keeps them. A
 * window starts with the first call of its key. A crash of the database server resets the counts:
 * they are not worth a disk write per request.
 */
export async function openPostgresRateLimiter(database: Database): Promise<RateLimiter> {
  await createTable(database);
  const storeClient = {
    query: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const { rows } = await database.execute(text, values);
      return { rows, rowCount: rows.length };
    },
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
  const { consume, peek, clear } = countWith(create);
  const cleanUp = setInterval(() => {
    // Anything left over is removed by the next run.
    database.execute(`DELETE FROM ${tableName} WHERE expire < $1`, [Date.now()]).catch(() => {});
  }, cleanUpMs);
  cleanUp.unref();
  return {
    consume: (limit, key) => consume(limit, hashedKey(key)),
    peek: (limit, key) => peek(limit, hashedKey(key)),
    clear: (limit, key) => clear(limit, hashedKey(key)),
    close: async () => clearInterval(cleanUp),
  };
}

/** Stores the counts in the library's own format, in an unlogged table. */
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
