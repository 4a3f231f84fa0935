import { sql } from 'kysely';
import type { QueryRunner } from '../ports/database.ts';

/**
 * Holds what an organisation has waiting and running still until the transaction ends, so that its exports and deployments are
 * counted one at a time. It does not stop the rest of the database from naming the organisation.
 */
export async function lockOrganisation(queries: QueryRunner, organisationId: string): Promise<void> {
  await sql`SELECT id FROM organisations WHERE id = ${organisationId} FOR NO KEY UPDATE`.execute(queries);
}

/** How many of an organisation's jobs run or are in the job queue; those that wait for room are not among them. */
export async function countActiveExports(queries: QueryRunner, organisationId: string): Promise<number> {
  const row = await queries
    .selectFrom('export_jobs')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organisation_id', '=', organisationId)
    .where('status', 'in', ['queued', 'running'])
    .where('waiting', '=', false)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Whether a job of the organisation waits for room: a newer one must not pass it. */
export async function hasWaitingExports(queries: QueryRunner, organisationId: string): Promise<boolean> {
  const [first] = await oldestWaitingExports(queries, organisationId, 1);
  return first !== undefined;
}

/** Ids of the jobs that have waited longest. */
export async function oldestWaitingExports(queries: QueryRunner, organisationId: string, count: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('export_jobs')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('status', '=', 'queued')
    .where('waiting', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .limit(count)
    .execute();
  return rows.map((row) => row.id);
}

/** The job waits no longer; whoever says so puts it into the job queue in the same transaction. */
export async function endWaiting(queries: QueryRunner, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await queries.updateTable('export_jobs').set({ waiting: false }).where('id', 'in', ids).execute();
}

export async function organisationsWithWaitingExports(queries: QueryRunner): Promise<string[]> {
  const rows = await queries
    .selectFrom('export_jobs')
    .select('organisation_id')
    .distinct()
    .where('status', '=', 'queued')
    .where('waiting', '=', true)
    .execute();
  return rows.map((row) => row.organisation_id);
}

/**
 * Jobs that run, but whose worker gave no sign of life since `before`. They count as seen `now`, so that one caller of many
 * gets each.
 */
export async function takeAbandonedExports(queries: QueryRunner, before: Date, now: Date): Promise<string[]> {
  const rows = await queries
    .updateTable('export_jobs')
    .set({ seen_at: now })
    .where('status', '=', 'running')
    .where(sql<Date>`coalesce(seen_at, updated_at)`, '<', before)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}
