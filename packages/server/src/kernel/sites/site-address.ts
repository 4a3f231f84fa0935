import { isLoopbackName } from '@docent/format/access/host-name.ts';
import { previewLabelOf } from '@docent/format/access/site-name.ts';
import type { SiteSettings } from '@docent/format/access/site-settings.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';

export type PlatformAddress = Pick<Config, 'publicUrl' | 'sitesDomain'>;

/**
 * Returns the hostname of a site below the sites domain; `undefined` if the platform has no such
 * domain.
 */
export function defaultHostnameOf(
  slug: string,
  { sitesDomain }: Pick<PlatformAddress, 'sitesDomain'>,
): string | undefined {
  return sitesDomain === undefined ? undefined : `${slug}.${sitesDomain}`;
}

/**
 * Returns the required target of a CNAME record for a site's hostname; none if no other machine can
 * reach the sites domain.
 */
export function cnameTargetOf(
  slug: string,
  platform: Pick<PlatformAddress, 'sitesDomain'>,
): string | undefined {
  const hostname = defaultHostnameOf(slug, platform);
  return hostname === undefined || isLoopbackName(hostname) ? undefined : hostname;
}

/**
 * Returns the default address of a site: below the sites domain, with scheme and port of the public
 * address; without such a domain, below the public address. No trailing slash.
 */
export function defaultAddressOf(slug: string, platform: PlatformAddress): string {
  const hostname = defaultHostnameOf(slug, platform);
  if (hostname === undefined) return `${platform.publicUrl}/sites/${slug}`;
  const { protocol, port } = new URL(platform.publicUrl);
  return `${protocol}//${hostname}${port && `:${port}`}`;
}

interface AddressedSite {
  slug: string;
  hostnames: readonly string[];
  settings: Pick<SiteSettings, 'publicUrl'>;
}

/**
 * Returns the canonical address of a site: the one that its owners set, else its first hostname,
 * else its default address. No trailing slash.
 */
export function publicUrlOf(
  { slug, hostnames, settings }: AddressedSite,
  platform: PlatformAddress,
): string {
  const [hostname] = hostnames;
  return (
    settings.publicUrl ??
    (hostname === undefined ? defaultAddressOf(slug, platform) : `https://${hostname}`)
  );
}

/**
 * Returns the base path of an address that the owners of a site set: `''`, or `/docs` for
 * `https://acme.com/docs`.
 */
export function basePathOf(publicUrl: SiteSettings['publicUrl']): string {
  return publicUrl?.replace(/^https?:\/\/[^/]*/, '') ?? '';
}

/**
 * Returns the startup warning if some or all readers get sites in a sandbox; undefined if none do.
 */
export function sandboxNotice({
  sitesDomain,
  host,
}: Pick<Config, 'sitesDomain' | 'host'>): string | undefined {
  const remedy =
    'in a sandbox, without the assistant; set DOCENT_SITES_DOMAIN to give each site a reachable origin of its own';
  if (sitesDomain === undefined)
    return `sites share the origin of the public address, so each is read ${remedy}`;
  if (!isLoopbackName(sitesDomain) || isLoopbackName(host)) return undefined;
  return `sites are below ${sitesDomain}, which no other machine reaches, so from there each is read ${remedy}`;
}

/** Returns the address of a preview. */
export function previewUrlOf(name: string, slug: string, config: Deps['config']): string {
  return defaultAddressOf(previewLabelOf(name, slug), config);
}
