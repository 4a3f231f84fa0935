import { listNewestLive } from '../../db/deployments/live-sites.ts';
import type { Deps } from '../deps.ts';

/** More would use memory for sites that may never be requested. */
const MAX_SITES = 5;

/**
 * Opens the most recently published sites and searches each of them once, so that the first reader after a start does not wait
 * longer than others. Errors are only logged: readers get them on their own requests.
 */
export async function warmSites({ database, liveSites, logger }: Pick<Deps, 'database' | 'liveSites' | 'logger'>): Promise<void> {
  try {
    for (const slug of await listNewestLive(database.queries, MAX_SITES)) {
      const site = await liveSites.find(slug);
      const index = await site?.searchIndex();
      index?.search(`how to begin with ${site?.build.config.name}`, { limit: 60, completeLastWord: false });
    }
  } catch (error) {
    logger.warn({ error: String(error) }, 'sites could not be preloaded');
  }
}
