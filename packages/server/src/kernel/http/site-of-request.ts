import type { FastifyRequest } from 'fastify';
import type { LiveSite, LiveSites } from '../../ports/live-sites.ts';

type Lookup = { slug: string; site: Promise<LiveSite | undefined> };

const lookups = new WeakMap<FastifyRequest, Lookup>();

/**
 * Returns the site, or the preview, of that name, looked up once for a request: each gate that it
 * passes, and its route, see the same.
 */
export function siteOfRequest(
  liveSites: Pick<LiveSites, 'findShown'>,
  request: FastifyRequest,
  slug: string,
): Promise<LiveSite | undefined> {
  const lookup = lookups.get(request);
  if (lookup?.slug === slug) return lookup.site;
  const site = liveSites.findShown(slug);
  lookups.set(request, { slug, site });
  return site;
}
