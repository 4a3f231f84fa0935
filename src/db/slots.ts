import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/** Rows that are `queued` and `waiting` until their organization has a free slot in the job queue. */
export interface WaitingRows {
  table: 'deployments' | 'export_jobs';
  /** The status of a row that a worker has claimed. */
  underway: string;
  /** The job's data: an SQL expression over `work`, as is the order. */
  payload: string;
  order: string;
}

/**
 * Locks an organization's waiting and running work until the transaction ends, so that only one process counts it at a time. Does
 * not block other statements that refer to the organization.
 */
export async function lockOrganisation(queries: QueryRunner, organisationId: string): Promise<void> {
  await sql`SELECT id FROM organisations WHERE id = ${organisationId} FOR NO KEY UPDATE`.execute(queries);
}

/** Returns the number of an organization's rows that are running or in the job queue, excluding those that wait for a slot. */
export async function countActive(queries: QueryRunner, rows: WaitingRows, organisationId: string): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${sql.table(rows.table)} work JOIN sites ON sites.id = work.site_id
    WHERE sites.organisation_id = ${organisationId} AND work.status IN ('queued', ${rows.underway}) AND NOT work.waiting
  `.execute(queries);
  return found[0]?.count ?? 0;
}

/**
 * Releases the rows that have waited longest; the caller enqueues them in the same transaction.
 * @returns the data of their jobs, oldest first
 */
export async function endWaitingOfOldest(queries: QueryRunner, rows: WaitingRows, organisationId: string, count: number) {
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
