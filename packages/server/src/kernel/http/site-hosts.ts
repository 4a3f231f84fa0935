import type { IncomingMessage } from 'node:http';
import {
  hostnameOf,
  isLoopbackName,
  isPlatformHostname,
  type PlatformNames,
  slugOfDefaultHostname,
} from '@docent/format/access/host-name.ts';
import { parseIp } from '@docent/format/access/ip.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveSite } from '../../ports/live-sites.ts';
import type { Deps } from '../deps.ts';
import { defaultAddressOf } from '../sites/site-address.ts';
import type { SiteRouting } from '../sites/site-routing.ts';
import type { App } from './base-app.ts';
import { siteOfRequest } from './site-of-request.ts';
import { SITE_ROUTE } from './site-route.ts';

const hostOwner: unique symbol = Symbol('owner of the host');

interface HostedRequest {
  url?: string;
  headers: { host?: string };
  [hostOwner]?: HostOwner;
}

/** Resolves the hostname of a request. */
type HostOwner =
  | { kind: 'platform' }
  | { kind: 'site'; slug: string; basePath: string }
  | { kind: 'nobody' };

export type OwnerOfHost = (host: string | undefined) => HostOwner;

/**
 * The only rule that maps a `Host` header to a site: its default name, or one of its own hostnames.
 * The platform's names take precedence.
 */
export function ownerOfHost(names: PlatformNames, routing: SiteRouting): OwnerOfHost {
  return (host = '') => {
    const hostname = hostnameOf(host);
    // HTTP/1.0 requests may lack a host; browsers always send one.
    if (hostname === '' || isPlatformHostname(hostname, names)) return { kind: 'platform' };
    const slug = slugOfDefaultHostname(hostname, names) ?? routing.slugOf(hostname);
    return slug === undefined
      ? { kind: 'nobody' }
      : { kind: 'site', slug, basePath: routing.basePathOf(slug) };
  };
}

/**
 * Returns the internal URL of a request: every path of a site's own host is below
 * `/sites/<identifier>`, without the base path of the site. The proxy in front may have removed
 * that already, so paths outside it are paths of the site too; only the owners' setting counts,
 * never a header of the request. An absolute target (`GET http://host/path`) replaces the header's
 * host (RFC 9112 §3.2.2).
 */
export function rewriteUrl(request: HostedRequest, ownerOf: OwnerOfHost): string {
  const target = request.url ?? '/';
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target);
  if (absolute) request.headers.host = absolute[1] as string;
  const rest = absolute ? (absolute[2] as string) : target;
  const url = absolute && !rest.startsWith('/') ? `/${rest}` : rest;
  const owner = ownerOf(request.headers.host);
  if (owner.kind === 'site' && !url.startsWith('/')) return url;
  request[hostOwner] = owner;
  return owner.kind === 'site' ? `/sites/${owner.slug}${withoutBase(url, owner.basePath)}` : url;
}

/** Marks a request as one for a site's own host, where a server has a single site. */
export function markSiteHost(request: IncomingMessage, slug: string, basePath: string): void {
  (request as HostedRequest)[hostOwner] = { kind: 'site', slug, basePath };
}

/**
 * `/docs/guides?x` → `/guides?x`; `/docs` → `/`, because servers of applications redirect `/docs/` to `/docs`.
 */
function withoutBase(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url;
}

/**
 * Returns the identifier of the site whose own host received the request; `undefined` on the
 * platform's name.
 */
export function hostSiteOf(request: IncomingMessage): string | undefined {
  const owner = (request as HostedRequest)[hostOwner];
  return owner?.kind === 'site' ? owner.slug : undefined;
}

const YEAR = 'max-age=31536000';

/**
 * Returns the `Strict-Transport-Security` for the host of a request (RFC 6797); nothing if the
 * platform is served without TLS. The only rule for it: names of the platform and of the sites
 * domain include their subdomains, a site's own hostname does not, since its owners have other
 * servers below it, and a site below a path of another website sets no policy for that website.
 */
export function transportPolicy(
  request: IncomingMessage,
  names: PlatformNames & { publicUrl: string },
): string | undefined {
  const owner = (request as HostedRequest)[hostOwner];
  if (!names.publicUrl.startsWith('https:') || owner === undefined || owner.kind === 'nobody')
    return undefined;
  if (owner.kind === 'platform') return `${YEAR}; includeSubDomains`;
  if (owner.basePath !== '') return undefined;
  const isDefaultName =
    slugOfDefaultHostname(hostnameOf(request.headers.host ?? ''), names) !== undefined;
  return isDefaultName ? `${YEAR}; includeSubDomains` : YEAR;
}

/** Returns whether the request used a name that neither the platform nor a site has. */
export function isUnknownHost(request: IncomingMessage): boolean {
  return (request as HostedRequest)[hostOwner]?.kind === 'nobody';
}

/**
 * Sandbox permissions of a page without an origin of its own. Without `allow-same-origin` its
 * origin is opaque: it can read nothing of another site or of the platform, neither storage nor
 * documents nor responses.
 */
const SANDBOX =
  'sandbox allow-downloads allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-scripts';

/**
 * Keeps sites off the platform's origin, and redirects requests for a former identifier of a site
 * to its new one. Requests for
 * `/sites/<slug>/…` there are redirected to the site's own address; if that cannot be reached, the site is served in a sandbox.
 * So are the preview images, which the dashboard shows: we draw them, and a redirect would cost a
 * second connection.
 */
export function separateSites(
  app: App,
  { config, liveSites }: Pick<Deps, 'config' | 'liveSites'>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const site = await siteElsewhere(request);
    if (!site) return;
    // A cached redirect would outlive a change of the name or the domain.
    reply.header('cache-control', 'no-cache');
    return reply.redirect(defaultAddressOf(site.slug, config) + pathInside(request), 308);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (
      isOnPlatform(request) &&
      (isPreviewImage(request) || !reachesOwnAddresses(request, config.sitesDomain))
    )
      sandbox(reply);
    done();
  });

  /** Returns the site of a request that belongs to another address. */
  async function siteElsewhere(request: FastifyRequest): Promise<LiveSite | undefined> {
    const former = formerSlugOf(request, config);
    if (former !== undefined) {
      const site = await siteOfRequest(liveSites, request, former);
      // A proxy that still uses the former name must not lead its readers away from the public URL.
      return site?.slug === former || site?.settings.publicUrl !== null ? undefined : site;
    }
    const isInPlace =
      !isOnPlatform(request) ||
      isPreviewImage(request) ||
      !reachesOwnAddresses(request, config.sitesDomain);
    return isInPlace
      ? undefined
      : siteOfRequest(liveSites, request, (request.params as { slug: string }).slug);
  }
}

function isOnPlatform(request: FastifyRequest): boolean {
  return (
    (request.routeOptions.url?.startsWith(SITE_ROUTE) ?? false) &&
    hostSiteOf(request.raw) === undefined
  );
}

function isPreviewImage({ params }: FastifyRequest): boolean {
  return /^_docent\/og\/.+\.(?:png|webp)$/.test((params as { '*'?: string })['*'] ?? '');
}

/**
 * Returns whether the client can be expected to reach the addresses below the sites domain. A
 * client that uses an IP address may have no name for this server, and `localhost` is a different
 * machine for everyone else.
 */
function reachesOwnAddresses(
  { headers }: FastifyRequest,
  sitesDomain: string | undefined,
): boolean {
  const hostname = hostnameOf(headers.host ?? '');
  if (sitesDomain === undefined || hostname === '' || parseIp(hostname) !== undefined) return false;
  return !isLoopbackName(sitesDomain) || isLoopbackName(hostname);
}

/** The identifier in the hostname of the request; the site may have another one now. */
function formerSlugOf(
  request: FastifyRequest,
  { sitesDomain }: Pick<Deps['config'], 'sitesDomain'>,
): string | undefined {
  if (hostSiteOf(request.raw) === undefined || !reachesOwnAddresses(request, sitesDomain))
    return undefined;
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
