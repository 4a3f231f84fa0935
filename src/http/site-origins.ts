import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostnameOf, isLoopbackName, slugOfDefaultHostname } from '../core/access/host-name.ts';
import { parseIp } from '../core/access/ip.ts';
import type { Deps } from '../services/deps.ts';
import { defaultAddressOf } from '../services/sites/site-address.ts';
import type { App } from './app-types.ts';
import { hostSiteOf } from './rewrite-host.ts';

/**
 * Sandbox permissions of a page without an origin of its own. Without `allow-same-origin` its origin is opaque: it can read
 * nothing of another site or of the platform, neither storage nor documents nor responses.
 */
const SANDBOX = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts';

const SITE_ROUTE = '/sites/:slug';

/**
 * Keeps sites off the platform's origin, and redirects requests for a former identifier of a site to its new one. Requests for
 * `/sites/<slug>/…` there are redirected to the site's own address; if that cannot be reached, the site is served in a sandbox.
 * So are the preview images, which the dashboard shows: we draw them, and a redirect would cost a second connection.
 */
export function separateSites(app: App, { config, liveSites }: Pick<Deps, 'config' | 'liveSites'>): void {
  app.addHook('onRequest', async (request, reply) => {
    const former = formerSlugOf(request, config);
    const site = former === undefined ? undefined : await liveSites.find(former);
    if (!site || site.slug === former) return;
    reply.header('cache-control', 'no-cache');
    return reply.redirect(defaultAddressOf(site.slug, config) + pathInside(request), 308);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!isOnPlatform(request) || isPreviewImage(request) || !reachesOwnAddresses(request, config.sitesDomain)) return;
    const site = await liveSites.findShown((request.params as { slug: string }).slug);
    if (!site) return;
    // A cached redirect would outlive a change of the domain.
    reply.header('cache-control', 'no-cache');
    return reply.redirect(defaultAddressOf(site.slug, config) + pathInside(request), 308);
  });
  app.addHook('onSend', async (request, reply) => {
    if (isOnPlatform(request) && (isPreviewImage(request) || !reachesOwnAddresses(request, config.sitesDomain))) sandbox(reply);
  });
}

function isOnPlatform(request: FastifyRequest): boolean {
  return (request.routeOptions.url?.startsWith(SITE_ROUTE) ?? false) && hostSiteOf(request.raw) === undefined;
}

function isPreviewImage({ params }: FastifyRequest): boolean {
  return /^_docent\/og\/.+\.(?:png|webp)$/.test((params as { '*'?: string })['*'] ?? '');
}

/**
 * Returns whether the client can be expected to reach the addresses below the sites domain. A client that uses an IP address may
 * have no name for this server, and `localhost` is a different machine for everyone else.
 */
function reachesOwnAddresses({ headers }: FastifyRequest, sitesDomain: string | undefined): boolean {
  const hostname = hostnameOf(headers.host ?? '');
  if (sitesDomain === undefined || hostname === '' || parseIp(hostname) !== undefined) return false;
  return !isLoopbackName(sitesDomain) || isLoopbackName(hostname);
}

/** The identifier in the hostname of the request; the site may have another one now. */
function formerSlugOf(request: FastifyRequest, { sitesDomain }: Pick<Deps['config'], 'sitesDomain'>): string | undefined {
  if (hostSiteOf(request.raw) === undefined || !reachesOwnAddresses(request, sitesDomain)) return undefined;
  return slugOfDefaultHostname(hostnameOf(request.headers.host ?? ''), { sitesDomain });
}

/** Path and query below the site, unchanged. */
function pathInside({ url }: FastifyRequest): string {
  const inside = url.replace(/^\/sites\/[^/?]*\/?/, '/');
  return inside.replace(/[^!-~]/g, encodeURIComponent);
}

/** Adds to the response's existing policy, since each policy narrows the others. */
function sandbox(reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy');
  reply.header('content-security-policy', policy === undefined ? SANDBOX : `${policy}, ${SANDBOX}`);
}
