import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** The argument of a query function: the database itself or a transaction of it. */
export type QueryRunner = Queries | Transaction;

/** A query that has ended. Neither its text nor its values are reported. */
export interface QueryReport {
  /** The SQL command: `SELECT`, `INSERT`, `BEGIN`, … */
  operation: string;
  /** The table, for queries that name one first. */
  table?: string | undefined;
  durationMs: number;
  /** Present if it failed. */
  error?: unknown;
}

/**
 * PostgreSQL, embedded or on a server. One handle per process. Inside a transaction use only its
 * own handle (the embedded engine has a single connection) and make no network call.
 */
export interface Database {
  /** `pglite` runs inside this process, the only one that uses its data. */
  readonly engine: 'pglite' | 'postgres';
  readonly queries: Queries;
  /** Runs plain SQL with `$1` parameters; for the job queue, which provides its own SQL. */
  execute(
    sql: string,
    parameters?: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[] }>;
  /** Migrates the schema under a lock. Resolves to the names of the applied migrations. */
  migrate(): Promise<string[]>;
  /**
   * Copies an embedded database as it is at one moment; queries wait meanwhile. Absent for a
   * server, whose transactions are snapshots.
   * @param owner id of the process that deletes the copy
   * @returns the folder of the copy
   */
  snapshot?(owner: number): Promise<string>;
  /** Returns whether the database answers a query now. */
  ping(): Promise<boolean>;
  /**
   * Returns whether only a restart helps: new connections to the database work, and those of this
   * process do not.
   */
  isStuck(): boolean;
  /** Returns the number of connections of this process by state, and of what waits for one. */
  connections(): { used: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** Returns whether a query failed because of a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}
