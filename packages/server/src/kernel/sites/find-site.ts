import { siteNameOf } from '@docent/format/access/host-name.ts';
import {
  type Action,
  type Actor,
  reachesSite,
  requirePermission,
  requireSite,
} from '@docent/format/access/may.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { Database } from '../../ports/database.ts';
import type { LiveSite, LiveSites } from '../../ports/live-sites.ts';
import type { Config } from '../config/config.ts';
import { findOwnSite, findSite, type SiteRow } from './site-queries.ts';

/** Part of `Deps`, which itself depends on files that find sites. */
interface SiteFinderDeps {
  config: Pick<Config, 'sitesDomain'>;
  database: Database;
}

/**
 * Returns the site of the actor's organization with that identifier, project id or hostname.
 * @throws DocentError `site_not_found`, also for sites of others, and for those that a key is not
 *   bound to
 */
export async function findActorSite(
  { config, database }: SiteFinderDeps,
  actor: Actor,
  name: string,
): Promise<SiteRow> {
  const stored = siteNameOf(name, config);
  const site =
    stored === undefined
      ? undefined
      : await findOwnSite(database.queries, actor.organizationId, stored);
  if (!site || !reachesSite(actor, site.id))
    throw new DocentError(
      'site_not_found',
      'The organization has no such site; use its identifier, project id or hostname.',
    );
  return site;
}

/**
 * Like `findActorSite`, after checking that the actor has a permission. @throws DocentError also
 * those of `requirePermission`
 */
export async function findPermittedSite(
  deps: SiteFinderDeps,
  actor: Actor,
  permission: Action,
  name: string,
): Promise<SiteRow> {
  requirePermission(actor, permission);
  return findActorSite(deps, actor, name);
}

/**
 * Returns the live site of `domain` for a caller that may query it.
 * @throws DocentError `wrong_site`; `site_not_found`, also if nothing was published yet
 */
export async function findRequestedSite(
  deps: SiteFinderDeps & { liveSites: LiveSites },
  actor: Actor,
  domain: string,
): Promise<LiveSite> {
  const stored = siteNameOf(domain, deps.config);
  if (stored === undefined) throw notFound();
  const live = await deps.liveSites.find(domain);
  if (live) {
    requireSite(actor, live);
    return live;
  }
  const site = await findSite(deps.database.queries, stored);
  if (!site) throw notFound();
  requireSite(actor, { siteId: site.id, organizationId: site.organizationId });
  throw new DocentError(
    'site_not_found',
    'Nothing has been published to this site yet, so there is nothing to answer from.',
  );
}

function notFound(): DocentError {
  return new DocentError(
    'site_not_found',
    'There is no such site; use its identifier or one of its hostnames.',
  );
}
