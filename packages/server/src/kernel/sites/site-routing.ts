import type { Deps } from '../deps.ts';
import { repeat } from '../jobs/retry.ts';
import { listHostnames, listPublicUrls } from './routing-queries.ts';
import { basePathOf } from './site-address.ts';

/** Maps requests to sites. Synchronous, since every request needs it. */
export interface SiteRouting {
  /** Returns the identifier of the site that has this hostname. */
  slugOf(hostname: string): string | undefined;
  /** Returns the base path of a site, by its identifier or a former one: `''` or `/docs`. */
  basePathOf(slug: string): string;
}

/** How long it may take until a new hostname or base path is known. */
const REFRESH_MS = 2000;

/** Keeps the hostnames and base paths of all sites in memory, reloaded every few seconds. */
export async function watchSiteRouting({
  database,
  logger,
}: Pick<Deps, 'database' | 'logger'>): Promise<SiteRouting & { close: () => Promise<void> }> {
  const read = async () => {
    const [hostnames, publicUrls] = await Promise.all([
      listHostnames(database.queries),
      listPublicUrls(database.queries),
    ]);
    return {
      slugs: new Map(hostnames.map(({ hostname, slug }) => [hostname, slug])),
      basePaths: new Map(
        publicUrls.flatMap(({ publicUrl, slugs }) =>
          slugs.map((slug) => [slug, basePathOf(publicUrl)]),
        ),
      ),
    };
  };
  let current = await read();
  const refresh = async () => {
    current = await read();
  };
  const close = repeat(logger, [
    { run: refresh, everyMs: REFRESH_MS, failure: 'hostnames could not be reloaded' },
  ]);
  return {
    slugOf: (hostname) => current.slugs.get(hostname),
    basePathOf: (slug) => current.basePaths.get(slug) ?? '',
    close,
  };
}
