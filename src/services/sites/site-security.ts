import { type Actor, requirePermission } from '../../core/access/may.ts';
import { defaultSiteSecurity, type SiteSecurity } from '../../core/access/site-security.ts';
import { updateSiteSecurity } from '../../db/sites/site-security.ts';
import type { Deps } from '../deps.ts';
import { findActorSite } from './find-actor-site.ts';

type SecurityDeps = Pick<Deps, 'database' | 'liveSites' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readSiteSecurity(deps: SecurityDeps, actor: Actor, site: string): Promise<SiteSecurity> {
  requirePermission(actor, 'projects.read');
  return (await findActorSite(deps, actor, site)).security;
}

/**
 * Changes the given settings and keeps the others; pages are sent with them within a second.
 * @throws DocentError `site_not_found`
 */
export async function changeSiteSecurity(
  deps: SecurityDeps,
  actor: Actor,
  site: string,
  changes: Partial<SiteSecurity>,
): Promise<SiteSecurity> {
  requirePermission(actor, 'security.write');
  const { id } = await findActorSite(deps, actor, site);
  const stored = await updateSiteSecurity(deps.database.queries, id, changes);
  deps.liveSites.invalidate(id);
  return { ...defaultSiteSecurity, ...stored };
}
