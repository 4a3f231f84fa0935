import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import { inTime } from '../../in-time.ts';
import type { Database } from '../../ports/database.ts';

/** A ping that takes longer than this counts as no answer. */
const pingTimeoutMs = 3000;

/**
 * Shared by the embedded and the server adapter: a `Database` over a connection pool.
 *
 * @param close ends the pool and its backend; called once
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
  // Several statements in one text return one result each.
  return { rows: Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows };
}

function answersInTime(pool: pg.Pool): Promise<boolean> {
  const answer = pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  return inTime(answer, pingTimeoutMs, () => false);
}
