import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/**
 * Takes the bundles from jobs that were completed before a time; from now on nobody gets a link to them.
 * @returns how many
 */
export async function releaseOldBundles(queries: QueryRunner, completedBefore: Date, now: Date): Promise<number> {
  const rows = await queries
    .updateTable('export_jobs')
    .set({ bundle_deleted_at: now })
    .where('status', '=', 'completed')
    .where('bundle_deleted_at', 'is', null)
    .where(sql<Date>`coalesce(ended_at, updated_at)`, '<', completedBefore)
    .returning('id')
    .execute();
  return rows.length;
}

/**
 * What must be kept of the files of these jobs: everything of those that have not ended, which may be writing, and the bundle of
 * each that has one, or had one after `releasedAfter`, so that links that were given still lead to it.
 */
export async function findKeptBundles(
  queries: QueryRunner,
  jobIds: readonly string[],
  releasedAfter: Date,
): Promise<{ unfinishedJobs: Set<string>; keys: Set<string> }> {
  const rows = await queries
    .selectFrom('export_jobs')
    .select(['id', 'status', 'bundle_key', 'bundle_deleted_at'])
    .where('id', 'in', jobIds)
    .execute();
  const unfinished = rows.filter((row) => row.status === 'queued' || row.status === 'running');
  const kept = rows.filter((row) => row.bundle_deleted_at === null || row.bundle_deleted_at > releasedAfter);
  return {
    unfinishedJobs: new Set(unfinished.map((row) => row.id)),
    keys: new Set(kept.map((row) => row.bundle_key).filter((key) => key !== null)),
  };
}
