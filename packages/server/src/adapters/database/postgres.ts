import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../../kernel/db/migrate.ts';
import { inTime } from '../../lib/in-time.ts';
import type { Database, QueryReport } from '../../ports/database.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Tables } from '../../ports/tables.ts';
import { usualTimes, type WatchTimes, watchConnections } from './connection-watch.ts';
import { reportQueries, timed } from './query-report.ts';

/** Of this process. */
const maxConnections = 10;

/** How long startup waits for a database server that is starting too. */
const connectionTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
const keepAliveAfterMs = 10_000;
/** Then a connection is replaced, so that none stays on a server that others have left. */
const lifetimeSeconds = 30 * 60;
/** How long closing waits for queries. */
const closeWithinMs = 5_000;

/** @returns the address with a schema that all tables are in, instead of the usual one */
export function withSchema(url: string, schema: string): string {
  const address = new URL(url);
  const { searchParams } = address;
  searchParams.set(
    'options',
    `${searchParams.get('options') ?? ''} -c search_path=${schema}`.trim(),
  );
  return address.href;
}

/**
 * The driver checks the certificate of the server and its name for each of these modes, and warns at
 * every start that it will not in a future version.
 */
const CHECKED_MODES = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** Returns the address with the name of what the driver does, unless it asks for libpq's rules. */
const withCheckedCertificate = (url: string): string =>
  /[?&]uselibpqcompat=true(?:&|$)/.test(url) ? url : url.replace(CHECKED_MODES, 'verify-full');

/**
 * Opens a pool of connections to a PostgreSQL server, version 15 or newer. Connections are opened
 * on demand, and reopened after the server was unavailable. Throws if the server cannot be reached
 * now.
 * @param url `postgres://user:password@host:5432/name`; libpq parameters such as `sslmode` are read
 *   from it
 * @param times of checks on the connections, which tests lower
 * @param onQuery called with each query that has ended
 */
export async function openPostgresDatabase({
  url,
  logger,
  times = usualTimes,
  onQuery,
}: {
  url: string;
  logger: Logger;
  times?: WatchTimes;
  onQuery?: ((query: QueryReport) => void) | undefined;
}): Promise<Database> {
  const connection = {
    connectionString: withCheckedCertificate(url),
    application_name: 'docent',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    connectionTimeoutMillis: connectionTimeoutMs,
  };
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    idleTimeoutMillis: idleTimeoutMs,
    maxLifetimeSeconds: lifetimeSeconds,
    types: valueTypes,
  });
  // The pool handles errors of idle connections. A connection that breaks between two queries of a
  // transaction has no other listener, and an unhandled error event ends the process; the next
  // query on it reports the problem.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) =>
    logger.warn({ message: error.message }, 'A connection to the database was lost.'),
  );
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  const connect = async () => {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const watch = watchConnections(pool, { connect, logger, times });
  const close = async () => {
    watch.stop();
    await inTime(pool.end(), closeWithinMs, watch.destroyAll);
  };
  const database = pooledDatabase('postgres', pool, close, onQuery);
  return { ...database, isStuck: watch.isStuck, migrate: () => watch.unwatched(database.migrate) };
}

/** A ping that takes longer than this counts as no answer. */
const pingTimeoutMs = 3000;

/**
 * Shared by the embedded and the server adapter: a `Database` over a connection pool.
 *
 * @param close ends the pool and its backend; called once
 */
export function pooledDatabase(
  engine: Database['engine'],
  pool: pg.Pool,
  close: () => Promise<void>,
  onQuery?: (query: QueryReport) => void,
): Database {
  const queries = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: reportQueries(onQuery) }),
  });
  let closing: Promise<void> | undefined;
  return {
    engine,
    queries,
    execute: (sql, parameters) => timed(sql, () => execute(pool, sql, parameters), onQuery),
    migrate: () => migrate(queries),
    ping: () => answersInTime(pool),
    isStuck: () => false,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

async function execute(pool: pg.Pool, sql: string, parameters?: readonly unknown[]) {
  // Several statements in one text return one result each.
  const results: pg.QueryResult[] = [await pool.query(sql, parameters && [...parameters])].flat();
  return { rows: results.flatMap(({ rows }) => rows) };
}

function answersInTime(pool: pg.Pool): Promise<boolean> {
  const answer = pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  return inTime(answer, pingTimeoutMs, () => false);
}

const int8 = 20;
const numeric = 1700;

/** Counts and sizes fit a number; one that does not must fail rather than lose precision. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database value ${text} is too large for a number.`);
  return value;
}

/** Converts database values to ours, on every engine: `bigint` and `numeric` are numbers. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary' && oid === int8) return parseInt8;
    if (format !== 'binary' && oid === numeric) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};
