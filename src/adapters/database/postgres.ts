import pg from 'pg';
import type { Database } from '../../ports/database.ts';
import type { Logger } from '../../ports/logger.ts';
import { pooledDatabase, valueTypes } from './pooled-database.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/name`; libpq parameters such as `sslmode` are read from it. */
  url: string;
  logger: Logger;
  /** Maximum connections of this process. */
  maxConnections?: number;
}

/** How long startup waits for a database server that is starting too. */
const connectionTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;

/**
 * Opens a pool of connections to a PostgreSQL server, version 15 or newer. Connections are opened on demand, and reopened after
 * the server was unavailable. Throws if the server cannot be reached now.
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
  // The pool handles errors of idle connections. A connection that breaks between two queries of a transaction has no other
  // listener, and an unhandled error event ends the process; the next query on it reports the problem.
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
