import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostnameOf, isLoopbackName, slugOfDefaultHostname } from '../core/access/host-name.ts';
import { parseIp } from '../core/access/ip.ts';
import type { Deps } from '../services/deps.ts';
import { defaultAddressOf } from '../services/sites/site-address.ts';
import type { App } from './app-types.ts';
import { hostSiteOf } from './rewrite-host.ts';

/**
 * What a page may do that has no origin of its own. Without `allow-same-origin` its origin is opaque: it reads nothing of another
 * site and nothing of the platform, neither their storage nor their documents nor their answers.
 */
const SANDBOX = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts';

const SITE_ROUTE = '/sites/:slug';

/**
 * Keeps sites off the platform's origin, and sends what comes for a former identifier of a site on to its new one. What comes for `/sites/<slug>/…` there is sent on to the site's own address; where none can
 * be reached, it is served in a sandbox.
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
    if (!isOnPlatform(request) || !reachesOwnAddresses(request, config.sitesDomain)) return;
    const site = await liveSites.findShown((request.params as { slug: string }).slug);
    if (!site) return;
    // A cache that keeps it would outlive a change of the domain.
    reply.header('cache-control', 'no-cache');
    return reply.redirect(defaultAddressOf(site.slug, config) + pathInside(request), 308);
  });
  app.addHook('onSend', async (request, reply) => {
    if (isOnPlatform(request) && !reachesOwnAddresses(request, config.sitesDomain)) sandbox(reply);
  });
}

function isOnPlatform(request: FastifyRequest): boolean {
  return (request.routeOptions.url?.startsWith(SITE_ROUTE) ?? false) && hostSiteOf(request.raw) === undefined;
}

/**
 * Whether the client can be expected to reach the addresses below the sites domain. Whoever uses an IP address may have no name at
 * all for this server, and `localhost` is another machine for everybody but its own.
 */
function reachesOwnAddresses({ headers }: FastifyRequest, sitesDomain: string | undefined): boolean {
  const hostname = hostnameOf(headers.host ?? '');
  if (sitesDomain === undefined || hostname === '' || parseIp(hostname) !== undefined) return false;
  return !isLoopbackName(sitesDomain) || isLoopbackName(hostname);
}

/** The identifier in the name that a request came by; the site may have another one now. */
function formerSlugOf(request: FastifyRequest, { sitesDomain }: Pick<Deps['config'], 'sitesDomain'>): string | undefined {
  if (hostSiteOf(request.raw) === undefined || !reachesOwnAddresses(request, sitesDomain)) return undefined;
  return slugOfDefaultHostname(hostnameOf(request.headers.host ?? ''), { sitesDomain });
}

/** Path and query below the site, as they were sent. */
function pathInside({ url }: FastifyRequest): string {
  const inside = url.replace(/^\/sites\/[^/?]*\/?/, '/');
  return inside.replace(/[^!-~]/g, encodeURIComponent);
}

/** Adds to the policy that the answer has, for each policy narrows the others. */
function sandbox(reply: FastifyReply): void {
  const policy = reply.getHeader('content-security-policy');
  reply.header('content-security-policy', policy === undefined ? SANDBOX : `${policy}, ${SANDBOX}`);
}
