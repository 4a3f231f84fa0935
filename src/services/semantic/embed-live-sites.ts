import { listLiveBuilds } from '../../db/deployments/live-sites.ts';
import { embedSiteJob } from '../../jobs.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Deps } from '../deps.ts';
import { readLatest } from './vector-files.ts';

/**
 * Adds a job for every live site without vectors of this model: the model may have been set or changed just now, or a job may
 * have failed while the provider was down.
 * @returns number of added jobs
 */
export async function enqueueMissingVectors(
  { database, blobs, jobs }: Pick<Deps, 'database' | 'blobs' | 'jobs'>,
  embedder: Embedder,
): Promise<number> {
  // Waiting and running jobs come first, in any process; the next check adds what is still missing.
  if (((await jobs.depth())[embedSiteJob.name] ?? 0) > 0) return 0;
  let added = 0;
  for (const { siteId, deploymentId } of await listLiveBuilds(database.queries)) {
    const latest = await readLatest(blobs, siteId, embedder.name);
    if (latest?.deploymentId === deploymentId) continue;
    await jobs.enqueue(embedSiteJob, { deploymentId });
    added++;
  }
  return added;
}
