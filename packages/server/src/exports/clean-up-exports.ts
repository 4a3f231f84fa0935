import { DAY_MS } from '@docent/format/analytics/days.ts';
import type { Deps } from '../kernel/deps.ts';
import { exportSlots } from '../kernel/jobs/slots.ts';
import { inGroups } from '../kernel/list-pages.ts';
import { exportSiteJob } from '../ports/jobs.ts';
import { findKeptBundles, releaseOldBundles } from './job-queries.ts';
import { BUNDLE_FOLDER, jobOfBundle } from './make-export-bundle.ts';
import { takeAbandonedExports } from './run-queries.ts';

type CleanUpDeps = Pick<Deps, 'database' | 'blobs' | 'jobs' | 'clock' | 'config' | 'logger'>;

/**
 * Workers send a heartbeat every ten seconds. The job queue notices a dead one sooner; this is for
 * jobs that it lost.
 */
const ABANDONED_AFTER_MS = 3 * 60_000;

/**
 * Removes the bundles of jobs that were completed too long ago, and deletes files that nothing
 * refers to: old bundles, once their links have expired, and leftovers of killed workers.
 */
export async function cleanUpBundles(deps: CleanUpDeps): Promise<void> {
  const { database, blobs, clock, config, logger } = deps;
  const now = clock.now();
  const completedBefore = new Date(now.getTime() - config.exports.retentionDays * DAY_MS);
  const released = await releaseOldBundles(database.queries, completedBefore, now);
  if (released > 0) logger.info({ count: released }, 'expired bundles were deleted');
  let deleted = 0;
  for await (const keys of inGroups(blobs.list(BUNDLE_FOLDER))) {
    for (const key of await unneeded(deps, keys, now)) {
      await blobs.delete(key);
      deleted += 1;
    }
  }
  if (deleted > 0) logger.info({ count: deleted }, 'orphaned bundles were deleted');
}

/** A key in another format than a bundle's is not ours to delete. */
async function unneeded(
  { database, config }: CleanUpDeps,
  keys: readonly string[],
  now: Date,
): Promise<string[]> {
  const jobs = new Map(keys.map((key) => [key, jobOfBundle(key)]));
  const jobIds = [...new Set(jobs.values())].filter((id) => id !== undefined);
  if (jobIds.length === 0) return [];
  const linksExpiredBy = new Date(now.getTime() - config.bundleLinkSeconds * 1000);
  const kept = await findKeptBundles(database.queries, jobIds, linksExpiredBy);
  return keys.filter((key) => {
    const job = jobs.get(key);
    return job !== undefined && !kept.unfinishedJobs.has(job) && !kept.keys.has(key);
  });
}

/**
 * Restarts stalled jobs: those whose worker vanished, and those that wait although there is a free
 * slot.
 */
export async function rescueExports(deps: CleanUpDeps): Promise<void> {
  const { database, clock, jobs, logger } = deps;
  const now = clock.now();
  const abandoned = await takeAbandonedExports(
    database.queries,
    new Date(now.getTime() - ABANDONED_AFTER_MS),
    now,
  );
  for (const jobId of abandoned) await jobs.enqueue(exportSiteJob, { jobId });
  if (abandoned.length > 0)
    logger.warn({ count: abandoned.length }, 'exports whose worker vanished are restarted');
  await exportSlots.fillAll(deps);
}
