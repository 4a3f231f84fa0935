import { errorMessage } from '../../core/error-message.ts';
import { listLiveDeployments } from '../../db/deployments/deployment-notes.ts';
import { embedSiteJob } from '../../jobs/embed-site.job.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Deps } from '../deps.ts';
import { readLatest } from './vector-files.ts';

const EVERY_MS = 60 * 60 * 1000;
/** Not with the start itself, which has enough to do. */
const FIRST_MS = 5000;

type SweepDeps = Pick<Deps, 'database' | 'blobs' | 'jobs' | 'logger'>;

/**
 * Adds a job for every live site without vectors of this model: the model may have been set or changed just now, or a job may
 * have been given up while the provider was down.
 * @returns how many jobs were added
 */
export async function enqueueMissingVectors({ database, blobs, jobs }: SweepDeps, embedder: Embedder): Promise<number> {
  // What waits or runs is done first, by whichever process; the next look adds what is missing then.
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

/** Looks for missing vectors soon after the start, and every hour. */
export function embedLiveSites(deps: SweepDeps, embedder: Embedder): { stop(): void } {
  const look = async () => {
    try {
      await enqueueMissingVectors(deps, embedder);
    } catch (error) {
      deps.logger.warn({ reason: errorMessage(error) }, 'missing vectors were not looked for');
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
