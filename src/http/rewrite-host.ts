import type { IncomingMessage } from 'node:http';

const hostSite: unique symbol = Symbol('site of the host');

interface HostedRequest {
  url?: string;
  headers: { host?: string };
  [hostSite]?: string;
}

/** The site that a hostname belongs to, by its identifier. */
export type SlugOfHostname = (hostname: string) => string | undefined;

/** `Docs.Example.com.:3000` → `docs.example.com` */
function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** The site that a `Host` header means: `<identifier>.localhost`, or one of the sites' own hostnames. */
function siteOfHost(host: string | undefined, slugOfHostname: SlugOfHostname): string | undefined {
  if (host === undefined) return undefined;
  const hostname = hostnameOf(host);
  const local = /^([a-z0-9-]{1,63})\.localhost$/.exec(hostname);
  return local ? local[1] : slugOfHostname(hostname);
}

/**
 * The address inside the server of a request: what comes for a site's own host stands under `/sites/<identifier>`, every
 * path of it, and the request remembers that its base path is empty.
 */
export function rewriteUrl(request: HostedRequest, slugOfHostname: SlugOfHostname): string {
  const url = request.url ?? '/';
  const site = url.startsWith('/') ? siteOfHost(request.headers.host, slugOfHostname) : undefined;
  if (site === undefined) return url;
  request[hostSite] = site;
  return `/sites/${site}${url}`;
}

/** Identifier of the site whose own host the request came to; `undefined` on the platform's name. */
export function hostSiteOf(request: IncomingMessage): string | undefined {
  return (request as HostedRequest)[hostSite];
}
