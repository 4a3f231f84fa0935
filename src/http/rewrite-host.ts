import type { IncomingMessage } from 'node:http';
import { hostnameOf, isPlatformHostname, type PlatformNames, slugOfDefaultHostname } from '../core/access/host-name.ts';

const hostSite: unique symbol = Symbol('site of the host');
const unknownHost: unique symbol = Symbol('nobody has the host');

interface HostedRequest {
  url?: string;
  headers: { host?: string };
  [hostSite]?: string;
  [unknownHost]?: true;
}

/** Returns the identifier of the site that a hostname belongs to. */
export type SlugOfHostname = (hostname: string) => string | undefined;

/** Resolves the hostname of a request. */
type HostOwner = { kind: 'platform' } | { kind: 'site'; slug: string } | { kind: 'nobody' };

export type OwnerOfHost = (host: string | undefined) => HostOwner;

/**
 * The only rule that maps a `Host` header to a site: its default name, or one of its own hostnames. The platform's names take
 * precedence.
 */
export function ownerOfHost(names: PlatformNames, slugOfHostname: SlugOfHostname): OwnerOfHost {
  return (host = '') => {
    const hostname = hostnameOf(host);
    // HTTP/1.0 requests may lack a host; browsers always send one.
    if (hostname === '' || isPlatformHostname(hostname, names)) return { kind: 'platform' };
    const slug = slugOfDefaultHostname(hostname, names) ?? slugOfHostname(hostname);
    return slug === undefined ? { kind: 'nobody' } : { kind: 'site', slug };
  };
}

/**
 * Returns the internal URL of a request: every path of a site's own host is below `/sites/<identifier>`, and the request
 * remembers that its base path is empty. An absolute target (`GET http://host/path`) replaces the header's host (RFC 9112
 * §3.2.2).
 */
export function rewriteUrl(request: HostedRequest, ownerOf: OwnerOfHost): string {
  const target = request.url ?? '/';
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target);
  if (absolute) request.headers.host = absolute[1] as string;
  const rest = absolute ? (absolute[2] as string) : target;
  const url = absolute && !rest.startsWith('/') ? `/${rest}` : rest;
  const owner = ownerOf(request.headers.host);
  if (owner.kind === 'nobody') request[unknownHost] = true;
  if (owner.kind !== 'site' || !url.startsWith('/')) return url;
  request[hostSite] = owner.slug;
  return `/sites/${owner.slug}${url}`;
}

/** Returns the identifier of the site whose own host received the request; `undefined` on the platform's name. */
export function hostSiteOf(request: IncomingMessage): string | undefined {
  return (request as HostedRequest)[hostSite];
}

/** Returns whether the request used a name that neither the platform nor a site has. */
export function isUnknownHost(request: IncomingMessage): boolean {
  return (request as HostedRequest)[unknownHost] === true;
}
