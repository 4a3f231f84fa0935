import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import type { Database } from '../../ports/database.ts';

/** A ping that takes longer than this counts as no answer. */
const pingTimeoutMs = 3000;

/**
 * What the embedded and the server adapter share: a `Database` over a pool of connections.
 *
 * @param close ends the pool and whatever stands behind it; called once
 */
export function pooledDatabase(engine: Database['engine'], pool: pg.Pool, close: () => Promise<void>): Database {
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let closing: Promise<void> | undefined;
  return {
    engine,
    queries,
    execute: (sql, parameters) => execute(pool, sql, parameters),
    migrate: () => migrate(queries),
    ping: () => answersInTime(pool),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function execute(pool: pg.Pool, sql: string, parameters?: readonly unknown[]) {
  const result: pg.QueryResult | pg.QueryResult[] = await pool.query(sql, parameters && [...parameters]);
  // Several statements in one text give one result for each.
  return { rows: Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows };
}

async function answersInTime(pool: pg.Pool): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), pingTimeoutMs);
  const answer = pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
