import { findSite } from '../db/sites.ts';
import type { Deps } from './deps.ts';

/** A site's own first hostname where it has one, else its place under the platform's address. No trailing slash. */
export function publicUrlOf(site: { slug: string; hostnames: readonly string[] }, platformUrl: string): string {
  const [hostname] = site.hostnames;
  return hostname === undefined ? `${platformUrl}/sites/${site.slug}` : `https://${hostname}`;
}

export async function publicUrlOfSite({ database, config }: Pick<Deps, 'database' | 'config'>, siteId: string): Promise<string> {
  const site = await findSite(database.queries, siteId);
  if (!site) throw new Error(`The site ${siteId} is missing.`);
  return publicUrlOf(site, config.publicUrl);
}
