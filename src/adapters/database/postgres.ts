import pg from 'pg';
import type { Database } from '../../ports/database.ts';
import type { Logger } from '../../ports/logger.ts';
import { pooledDatabase } from './pooled-database.ts';
import { valueTypes } from './value-types.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/name`; parameters of libpq such as `sslmode` are taken from it. */
  url: string;
  logger: Logger;
  /** Connections of this process at most. */
  maxConnections?: number;
}

/** A start waits this long for a server that starts at the same time. */
const connectionTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;

/**
 * Opens a pool of connections to a PostgreSQL server, version 15 or newer. A connection is made when one is needed, and made again
 * after the server was away; so this throws where the server cannot be reached now.
 */
export async function openPostgresDatabase({ url, logger, maxConnections = 10 }: PostgresOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'docent',
    max: maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: connectionTimeoutMs,
    types: valueTypes,
  });
  // The pool listens to connections that nobody uses. One that breaks between two queries of a transaction has no other listener, and
  // an error that nobody hears ends the process; the next query on it says what is wrong.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => logger.warn({ message: error.message }, 'A connection to the database was lost.'));
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return pooledDatabase('postgres', pool, () => pool.end());
}
