import { siteNameOf } from '../../core/access/host-name.ts';
import { type Actor, requireSite } from '../../core/access/may.ts';
import { DocentError } from '../../core/errors.ts';
import { findSite } from '../../db/sites/sites.ts';
import type { Deps } from '../deps.ts';
import type { LiveSite } from './live-sites.ts';

/**
 * Returns the live site of `domain` for a caller that may query it.
 * @throws DocentError `wrong_site`; `site_not_found`, also if nothing was published yet
 */
export async function findRequestedSite(
  deps: Pick<Deps, 'config' | 'database' | 'liveSites'>,
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
  requireSite(actor, { siteId: site.id, organisationId: site.organisationId });
  throw new DocentError('site_not_found', 'Nothing has been published to this site yet, so there is nothing to answer from.');
}

function notFound(): DocentError {
  return new DocentError('site_not_found', 'There is no such site; use its identifier or one of its hostnames.');
}
