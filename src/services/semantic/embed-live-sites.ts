import { errorMessage } from '../../core/error-message.ts';
import { listLiveDeployments } from '../../db/deployments/deployment-notes.ts';
import { embedSiteJob } from '../../jobs/embed-site.job.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Deps } from '../deps.ts';
import { readLatest } from './vector-files.ts';

const EVERY_MS = 60 * 60 * 1000;
/** Delayed, because the startup itself is busy. */
const FIRST_MS = 5000;

type SweepDeps = Pick<Deps, 'database' | 'blobs' | 'jobs' | 'logger'>;

/**
 * Adds a job for every live site without vectors of this model: the model may have been set or changed just now, or a job may
 * have failed while the provider was down.
 * @returns number of added jobs
 */
export async function enqueueMissingVectors({ database, blobs, jobs }: SweepDeps, embedder: Embedder): Promise<number> {
  // Waiting and running jobs come first, in any process; the next check adds what is still missing.
  if (((await jobs.depth())[embedSiteJob.name] ?? 0) > 0) return 0;
  let added = 0;
  for (const { siteId, deploymentId } of await listLiveDeployments(database.queries)) {
    const latest = await readLatest(blobs, siteId, embedder.name);
    if (latest?.deploymentId === deploymentId) continue;
    await jobs.enqueue(embedSiteJob, { deploymentId });
    added++;
  }
  return added;
}

/** Checks for missing vectors soon after the start, and every hour. */
export function embedLiveSites(deps: SweepDeps, embedder: Embedder): { stop(): void } {
  const look = async () => {
    try {
      await enqueueMissingVectors(deps, embedder);
    } catch (error) {
      deps.logger.warn({ reason: errorMessage(error) }, 'missing vectors could not be checked');
    }
  };
  const first = setTimeout(look, FIRST_MS);
  const timer = setInterval(look, EVERY_MS);
  first.unref();
  timer.unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
