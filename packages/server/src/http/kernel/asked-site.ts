import { DocentError } from '@docent/format/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { LiveSite, LiveSites } from '../../ports/live-sites.ts';

/** Path prefix of all content of a site, at any address. */
export const SITE_ROUTE = '/sites/:slug';

/** Returns the site in the URL of a request, or a preview of one. @throws DocentError `site_not_found` */
export function shownSite(
  { liveSites }: { liveSites: Pick<LiveSites, 'findShown'> },
  request: FastifyRequest,
): Promise<LiveSite> {
  return found(request, (slug) => liveSites.findShown(slug));
}

/** Returns the site in the URL of a request, excluding previews. @throws DocentError `site_not_found` */
export function liveSite({ liveSites }: { liveSites: Pick<LiveSites, 'find'> }, request: FastifyRequest): Promise<LiveSite> {
  return found(request, (slug) => liveSites.find(slug));
}

/** Returns the origin of the address that the owners set, where a proxy may replace the `Host` of a request. */
export function ownOriginsOf({ settings: { publicUrl } }: Pick<LiveSite, 'settings'>): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).origin];
}

async function found(request: FastifyRequest, find: (slug: string) => Promise<LiveSite | undefined>): Promise<LiveSite> {
  const { slug } = request.params as { slug: string };
  const site = await find(slug);
  if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
  return site;
}
