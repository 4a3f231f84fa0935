import { type Actor, requirePermission } from '../core/access/may.ts';
import { listOwnSites, type SiteRow } from '../db/sites.ts';
import type { Deps } from './deps.ts';

/** The sites of the actor's organisation, by identifier. */
export async function listSites({ database }: Pick<Deps, 'database'>, actor: Actor): Promise<SiteRow[]> {
  requirePermission(actor, 'projects.read');
  return listOwnSites(database.queries, actor.organisationId);
}
