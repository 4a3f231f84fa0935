import { DocentError } from '@docent/format/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { LiveSite, LiveSites } from '../../ports/live-sites.ts';
import { type ReaderDeps, readerOf } from './reader-of.ts';
import { siteOfRequest } from './site-of-request.ts';

/**
 * Returns the site in the URL of a request, or a preview of one, as the reader who asks sees it:
 * what a route makes of it needs no further check.
 * @throws DocentError `site_not_found`
 */
export function shownSite(
  deps: { liveSites: Pick<LiveSites, 'findShown'> } & ReaderDeps,
  request: FastifyRequest,
): Promise<LiveSite> {
  return asReader(deps, request, (slug) => siteOfRequest(deps.liveSites, request, slug));
}

/** Likewise, excluding previews. @throws DocentError `site_not_found` */
export function liveSite(
  deps: { liveSites: Pick<LiveSites, 'find'> } & ReaderDeps,
  request: FastifyRequest,
): Promise<LiveSite> {
  return asReader(deps, request, (slug) => deps.liveSites.find(slug));
}

/**
 * Returns the origin of the address that the owners set, where a proxy may replace the `Host` of a
 * request.
 */
export function ownOriginsOf({ settings: { publicUrl } }: Pick<LiveSite, 'settings'>): string[] {
  return publicUrl === null ? [] : [new URL(publicUrl).origin];
}

async function asReader(
  deps: ReaderDeps,
  request: FastifyRequest,
  find: (slug: string) => Promise<LiveSite | undefined>,
): Promise<LiveSite> {
  const { slug } = request.params as { slug: string };
  const site = await find(slug);
  if (!site) throw new DocentError('site_not_found', `There is no published site "${slug}".`);
  return site.as(await readerOf(deps, request, site));
}
