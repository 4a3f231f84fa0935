import { listNewestLive } from '../../db/deployments/live-sites.ts';
import type { Deps } from '../deps.ts';

/** More would take memory for sites that nobody may ask for. */
const MAX_SITES = 5;

/**
 * Opens the sites that were published last and searches each of them once, so that the first reader after a start waits no longer
 * than others. A fault is logged: readers find out for themselves.
 */
export async function warmSites({ database, liveSites, logger }: Pick<Deps, 'database' | 'liveSites' | 'logger'>): Promise<void> {
  try {
    for (const slug of await listNewestLive(database.queries, MAX_SITES)) {
      const site = await liveSites.find(slug);
      const index = await site?.searchIndex();
      index?.search(`how to begin with ${site?.build.config.name}`, { limit: 60, completeLastWord: false });
    }
  } catch (error) {
    logger.warn({ error: String(error) }, 'sites could not be opened ahead of their readers');
  }
}
