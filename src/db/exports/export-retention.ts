import { sql } from 'kysely';
import type { QueryRunner } from '../../ports/database.ts';

/**
 * Removes the bundles of jobs that were completed before a time; from now on nobody gets a link to them.
 * @returns number of jobs
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
 * Returns the files of these jobs that must be kept: all files of unfinished jobs, which may be writing, and the bundle of each
 * job that has one, or had one after `releasedAfter`, so that existing links still work.
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
