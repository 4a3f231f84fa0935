import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** Rows that wait, `queued` and `waiting`, until their organisation has room in the job queue. */
export interface WaitingRows {
  table: 'deployments' | 'export_jobs';
  /** The status of a row that a worker has taken. */
  underway: string;
  /** What the job is given of a row: an expression over `work`, as is the order. */
  payload: string;
  order: string;
}

/**
 * Holds what an organisation has waiting and running still until the transaction ends, so that it is counted one at a time. It does
 * not stop the rest of the database from naming the organisation.
 */
export async function lockOrganisation(queries: QueryRunner, organisationId: string): Promise<void> {
  await sql`SELECT id FROM organisations WHERE id = ${organisationId} FOR NO KEY UPDATE`.execute(queries);
}

/** How many rows of an organisation are worked on or in the job queue; those that wait for room are not among them. */
export async function countActive(queries: QueryRunner, rows: WaitingRows, organisationId: string): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${sql.table(rows.table)} work JOIN sites ON sites.id = work.site_id
    WHERE sites.organisation_id = ${organisationId} AND work.status IN ('queued', ${rows.underway}) AND NOT work.waiting
  `.execute(queries);
  return found[0]?.count ?? 0;
}

/**
 * The rows that have waited longest wait no longer; the caller puts them into the job queue in the same transaction.
 * @returns what their jobs are given, the oldest first
 */
export async function endWaitingOfOldest(
  queries: QueryRunner,
  rows: WaitingRows,
  organisationId: string,
  count: number,
): Promise<string[]> {
  const { rows: found } = await sql<{ payload: string }>`
    WITH next AS (
      SELECT work.id, ${sql.raw(rows.payload)} AS payload, row_number() OVER (ORDER BY ${sql.raw(rows.order)}) AS place
      FROM ${sql.table(rows.table)} work JOIN sites ON sites.id = work.site_id
      WHERE sites.organisation_id = ${organisationId} AND work.status = 'queued' AND work.waiting
      ORDER BY place LIMIT ${count}
    ), begun AS (
      UPDATE ${sql.table(rows.table)} work SET waiting = false FROM next WHERE work.id = next.id
    )
    SELECT payload FROM next ORDER BY place
  `.execute(queries);
  return found.map(({ payload }) => payload);
}

export async function organisationsWithWaiting(queries: QueryRunner, { table }: WaitingRows): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT sites.organisation_id AS id FROM ${sql.table(table)} work JOIN sites ON sites.id = work.site_id
    WHERE work.status = 'queued' AND work.waiting
  `.execute(queries);
  return rows.map(({ id }) => id);
}
