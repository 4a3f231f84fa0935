import { type Actor, requirePermission } from '../../core/access/may.ts';
import { isSlug } from '../../core/access/site-name.ts';
import { type HostnameClaim, listHostnameClaims } from '../../db/sites/hostname-claims.ts';
import { listOwnSites, readSiteStates, type SiteRow, type SiteState } from '../../db/sites/sites.ts';
import type { Deps } from '../deps.ts';
import { foreignCursor, type ListPage, type PageRequest } from '../list-pages.ts';
import { findActorSite } from './find-actor-site.ts';

/** A site with every hostname that it claims, proven or not, and its deployments' states. */
export interface SiteDetails extends SiteRow {
  claims: HostnameClaim[];
  state: Pick<SiteState, 'live' | 'last'>;
}

/**
 * Returns the sites of the actor's organization, by identifier.
 * @throws DocentError `invalid_request` for a cursor that this server did not create
 */
export async function listSites(
  { database }: Pick<Deps, 'database'>,
  actor: Actor,
  { cursor, limit }: PageRequest,
): Promise<ListPage<SiteDetails>> {
  requirePermission(actor, 'projects.read');
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const found = await listOwnSites(database.queries, actor.organisationId, { after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = found.length > rows.length && last ? Buffer.from(last.slug).toString('base64url') : null;
  return { rows: await withDetails({ database }, rows), nextCursor };
}

/**
 * Returns one site, by identifier, project id or hostname.
 * @throws DocentError `site_not_found`
 */
export async function getSite(deps: Pick<Deps, 'database' | 'config'>, actor: Actor, name: string): Promise<SiteDetails> {
  requirePermission(actor, 'projects.read');
  const [site] = await withDetails(deps, [await findActorSite(deps, actor, name)]);
  return site as SiteDetails;
}

async function withDetails({ database }: Pick<Deps, 'database'>, sites: readonly SiteRow[]): Promise<SiteDetails[]> {
  const ids = sites.map(({ id }) => id);
  const [claims, states] = await Promise.all([listHostnameClaims(database.queries, ids), readSiteStates(database.queries, ids)]);
  const claimsOf = Map.groupBy(claims, ({ siteId }) => siteId);
  return sites.map((site) => ({
    ...site,
    claims: claimsOf.get(site.id) ?? [],
    state: states.get(site.id) ?? { live: null, last: null },
  }));
}

function readCursor(cursor: string): string {
  const slug = Buffer.from(cursor, 'base64url').toString('utf8');
  if (isSlug(slug)) return slug;
  throw foreignCursor();
}
