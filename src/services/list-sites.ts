import { type Actor, requirePermission } from '../core/access/may.ts';
import { type HostnameClaim, listHostnameClaims } from '../db/hostname-claims.ts';
import { listOwnSites, type SiteRow } from '../db/sites.ts';
import type { Deps } from './deps.ts';

/** A site with every hostname that it asks for, proven or not. */
export interface SiteWithClaims extends SiteRow {
  claims: HostnameClaim[];
}

/** The sites of the actor's organisation, by identifier. */
export async function listSites({ database }: Pick<Deps, 'database'>, actor: Actor): Promise<SiteWithClaims[]> {
  requirePermission(actor, 'projects.read');
  const sites = await listOwnSites(database.queries, actor.organisationId);
  const claims = Map.groupBy(
    await listHostnameClaims(
      database.queries,
      sites.map(({ id }) => id),
    ),
    ({ siteId }) => siteId,
  );
  return sites.map((site) => ({ ...site, claims: claims.get(site.id) ?? [] }));
}
