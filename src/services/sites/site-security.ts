import type { Actor } from '../../core/access/may.ts';
import { defaultSiteSecurity, type SiteSecurity } from '../../core/access/site-settings.ts';
import { updateSiteSettings } from '../../db/sites/site-settings.ts';
import type { Deps } from '../deps.ts';
import { findPermittedSite } from './find-actor-site.ts';

type SecurityDeps = Pick<Deps, 'database' | 'liveSites' | 'config'>;

/** @throws DocentError `site_not_found` */
export async function readSiteSecurity(deps: SecurityDeps, actor: Actor, site: string): Promise<SiteSecurity> {
  return (await findPermittedSite(deps, actor, 'projects.read', site)).security;
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
  const { id } = await findPermittedSite(deps, actor, 'security.write', site);
  const stored = await updateSiteSettings(deps.database.queries, id, 'security', changes);
  deps.liveSites.invalidate(id);
  return { ...defaultSiteSecurity, ...stored };
}
