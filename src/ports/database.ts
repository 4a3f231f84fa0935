import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { Tables } from '../db/tables.ts';

export type Queries = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** What a query function takes: the database itself or a transaction of it. */
export type QueryRunner = Queries | Transaction;

/**
 * PostgreSQL, embedded or a server. One handle for each process. Inside a transaction use only its own handle (the
 * embedded engine has a single connection) and make no network call.
 */
export interface Database {
  /** `pglite` lives inside this process, which is the only one that works on its data. */
  readonly engine: 'pglite' | 'postgres';
  readonly queries: Queries;
  /** Runs plain SQL with `$1` parameters; for the job queue, which brings its own. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Brings the schema up to date, under a lock. Resolves to the names of what was applied. */
  migrate(): Promise<string[]>;
  /** Whether a query gets an answer now. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** Whether a query failed because another row has a value that only one may have. */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === '23505';
}
