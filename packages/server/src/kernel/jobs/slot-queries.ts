import { sql } from 'kysely';
import type { QueryRunner, Transaction } from '../../ports/database.ts';

/** Rows that are `queued` and `waiting` until their account has a free slot in the job queue. */
export interface WaitingRows {
  table: 'deployments' | 'export_jobs';
  /** The status of a row that a worker has claimed. */
  underway: string;
  /** The job's data: an SQL expression over `work`, as is the order. */
  payload: string;
  order: string;
}

/** How deployments and exports wait. */
export const DEPLOYMENT_ROWS: WaitingRows = {
  table: 'deployments',
  underway: 'in_progress',
  payload: 'coalesce(work.turn, work.id)',
  order: 'coalesce(work.turn, work.id)',
};
export const EXPORT_ROWS: WaitingRows = {
  table: 'export_jobs',
  underway: 'running',
  payload: 'work.id',
  order: 'work.created_at, work.id',
};

/**
 * Who is accountable for an organization: the person who created it, otherwise the organization
 * itself.
 */
const account = sql`coalesce(organizations.created_by_user, organizations.id)`;

const workOf = ({ table }: WaitingRows) =>
  sql`${sql.table(table)} work JOIN sites ON sites.id = work.site_id JOIN organizations ON organizations.id = sites.organization_id`;

/**
 * Locks an organization's waiting and running work until the transaction ends, so that only one
 * process counts it at a time. Does not block other statements that refer to the organization.
 */
export async function lockOrganization(
  queries: QueryRunner,
  organizationId: string,
): Promise<void> {
  await sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(
    queries,
  );
}

/** The work of everybody whom an account is accountable for. */
export interface AccountShare {
  account: string;
  /** Where on the common scale of seconds what it has used ends. */
  used: number;
}

/**
 * Locks the turns of whoever is accountable for an organization until the transaction ends.
 * @returns `undefined` if the organization no longer exists
 */
export async function lockShare(
  transaction: Transaction,
  rows: WaitingRows,
  organizationId: string,
): Promise<AccountShare | undefined> {
  const { rows: locked } = await sql<AccountShare>`
    INSERT INTO turn_shares AS share (kind, account)
    SELECT ${rows.table}, ${account} FROM organizations WHERE organizations.id = ${organizationId}
    ON CONFLICT (kind, account) DO UPDATE SET used = share.used
    RETURNING account, used
  `.execute(transaction);
  return locked[0];
}

/**
 * How many rows come before a queued one, as it stands now: those of its account that it waits for,
 * and those of others that are in the job queue with an earlier turn. A column of a query of the
 * table; null for rows that are not queued.
 */
export function queuePosition(rows: WaitingRows) {
  const { table, underway, order } = rows;
  const row = sql.table(table);
  const placeOf = (name: string) => sql`ROW(${sql.raw(order.replaceAll('work.', `${name}.`))})`;
  return sql<number | null>`CASE WHEN ${row}.status = 'queued' THEN (
    SELECT count(*)::integer FROM ${workOf(rows)}
    WHERE work.status IN ('queued', ${underway}) AND CASE
      WHEN ${account} = (
        SELECT coalesce(owner.created_by_user, owner.id) FROM sites queued JOIN organizations owner ON owner.id = queued.organization_id
        WHERE queued.id = ${row}.site_id
      ) THEN (${row}.waiting AND NOT work.waiting)
        OR (work.status = 'queued' AND work.waiting = ${row}.waiting AND ${placeOf('work')} < ${placeOf(table)})
      ELSE work.status = 'queued' AND NOT work.waiting
        AND (${row}.waiting OR ROW(coalesce(work.share, 0), work.id) < ROW(coalesce(${row}.share, 0), ${row}.id))
    END) END`;
}

/**
 * Returns the rows of an account that a worker has claimed, with the seconds since the attempt
 * began.
 */
export async function findUnderway(
  transaction: Transaction,
  rows: WaitingRows,
  accountId: string,
  now: Date,
) {
  const { rows: workRows } = await sql<{ id: string; share: number | null; seconds: number }>`
    SELECT work.id, work.share, coalesce(extract(epoch FROM ${now}::timestamptz - work.started_at), 0)::double precision AS seconds
    FROM ${workOf(rows)} WHERE ${account} = ${accountId} AND work.status = ${rows.underway}
  `.execute(transaction);
  return workRows;
}

/** Adds seconds to what an account has used, from where the turn began. @returns where that ends */
export async function addToShare(
  queries: QueryRunner,
  { table }: WaitingRows,
  accountId: string,
  { share, seconds }: { share: number; seconds: number },
): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    UPDATE turn_shares SET used = greatest(used, ${share}::double precision) + ${seconds}::double precision
    WHERE kind = ${table} AND account = ${accountId} RETURNING used
  `.execute(queries);
  return rows[0]?.used ?? 0;
}

/** Returns where on the scale the turn that began last is: the time of the scale. */
export async function findShareTime(queries: QueryRunner, { table }: WaitingRows): Promise<number> {
  const { rows } = await sql<{ share: number }>`
    SELECT share FROM ${sql.table(table)} WHERE share IS NOT NULL AND attempts > 0 ORDER BY share DESC LIMIT 1
  `.execute(queries);
  return rows[0]?.share ?? 0;
}

/** Deletes what is remembered of accounts that are not ahead of anybody. */
export async function deleteSpentShares(
  queries: QueryRunner,
  { table }: WaitingRows,
  before: number,
): Promise<void> {
  await sql`DELETE FROM turn_shares WHERE kind = ${table} AND used < ${before}::double precision`.execute(
    queries,
  );
}

/**
 * Returns the number of an account's rows that are running or in the job queue, excluding those
 * that wait for a slot.
 */
export async function countActive(
  queries: QueryRunner,
  rows: WaitingRows,
  accountId: string,
): Promise<number> {
  const { rows: countRows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${workOf(rows)}
    WHERE ${account} = ${accountId} AND work.status IN ('queued', ${rows.underway}) AND NOT work.waiting
  `.execute(queries);
  return countRows[0]?.count ?? 0;
}

/**
 * Releases the rows that have waited longest; the caller enqueues them in the same transaction.
 * @param share where their turn begins
 * @returns the data of their jobs, oldest first
 */
export async function endWaitingOfOldest(
  queries: QueryRunner,
  rows: WaitingRows,
  accountId: string,
  { count, share }: { count: number; share: number },
) {
  const { rows: payloadRows } = await sql<{ payload: string }>`
    WITH next AS (
      SELECT work.id, ${sql.raw(rows.payload)} AS payload, row_number() OVER (ORDER BY ${sql.raw(rows.order)}) AS place
      FROM ${workOf(rows)}
      WHERE ${account} = ${accountId} AND work.status = 'queued' AND work.waiting
      ORDER BY place LIMIT ${count}
    ), begun AS (
      UPDATE ${sql.table(rows.table)} work SET waiting = false, share = ${share}::double precision FROM next WHERE work.id = next.id
    )
    SELECT payload FROM next ORDER BY place
  `.execute(queries);
  return payloadRows.map(({ payload }) => payload);
}

/**
 * Returns how many rows wait for a slot, and for how long the oldest row that has not begun has
 * waited, across organizations.
 */
export async function countWaiting(queries: QueryRunner, table: WaitingRows['table']) {
  const { rows } = await sql<{ count: number; oldestSeconds: number }>`
    SELECT count(*) FILTER (WHERE waiting)::integer AS count,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::double precision AS "oldestSeconds"
    FROM ${sql.table(table)} WHERE status = 'queued'
  `.execute(queries);
  return rows[0] ?? { count: 0, oldestSeconds: 0 };
}

/** Returns an organization of each account that has waiting rows. */
export async function organizationsWithWaiting(
  queries: QueryRunner,
  rows: WaitingRows,
): Promise<string[]> {
  const { rows: organizationRows } = await sql<{ id: string }>`
    SELECT min(organizations.id) AS id FROM ${workOf(rows)}
    WHERE work.status = 'queued' AND work.waiting GROUP BY ${account}
  `.execute(queries);
  return organizationRows.map(({ id }) => id);
}
