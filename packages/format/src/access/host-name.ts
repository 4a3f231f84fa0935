import { parseIp } from './ip.ts';
import { isSiteName, isSlug } from './site-name.ts';

/** The names of the platform itself. */
export interface PlatformNames {
  /** Host name of the public address. */
  publicHostname: string;
  /** Further names of the platform and of its network, each including its subdomains. */
  reservedHostnames: readonly string[];
  /**
   * Each site has its own name directly below this domain; `undefined` if the platform has no such
   * domain.
   */
  sitesDomain: string | undefined;
}

/** `Docs.Example.com.:3000` → `docs.example.com`, `[::1]:3000` → `::1` */
export function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return bracketed
    ? (bracketed[1] as string)
    : host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/**
 * Returns whether a name always resolves to the local machine: `localhost`, a name below it, or a
 * loopback address.
 */
export function isLoopbackName(hostname: string): boolean {
  return isAtOrBelow(hostname, 'localhost') || /^127\./.test(hostname) || hostname === '::1';
}

/**
 * Returns the site that a default name belongs to: `<identifier>.<sites domain>`.
 * `<identifier>.localhost` works on every platform for requests from its own machine.
 */
export function slugOfDefaultHostname(
  hostname: string,
  { sitesDomain }: Pick<PlatformNames, 'sitesDomain'>,
): string | undefined {
  const [, label = '', domain] = /^([^.]*)\.(.*)$/.exec(hostname.toLowerCase()) ?? [];
  return (domain === sitesDomain || domain === 'localhost') && isSlug(label) ? label : undefined;
}

/**
 * Returns the stored name of a site that is named by its identifier, its project id or one of its
 * host names. A host name may contain what a `Host` header may: capital letters, a trailing dot, a
 * port.
 * @returns `undefined` if the text cannot name a site
 */
export function siteNameOf(
  text: string,
  names: Pick<PlatformNames, 'sitesDomain'>,
): string | undefined {
  const name = text.includes('.') ? hostnameOf(text) : text;
  return isSiteName(name) ? (slugOfDefaultHostname(name, names) ?? name) : undefined;
}

function isAtOrBelow(hostname: string, name: string): boolean {
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** Names inside a Kubernetes cluster, which resolve only there. */
const CLUSTER_NAME = /\.svc(?:\.|$)/;

/**
 * Returns whether a request by this name is for the platform: an address, the public name,
 * `localhost`, a reserved name, or a name that only a private network can resolve. A foreign page
 * cannot make any of these resolve to this server (DNS rebinding). Of the default names of sites,
 * only reserved ones belong to the platform.
 * @param hostname as `hostnameOf` returns it
 */
export function isPlatformHostname(hostname: string, names: PlatformNames): boolean {
  const { publicHostname, reservedHostnames } = names;
  if (hostname === publicHostname || reservedHostnames.includes(hostname)) return true;
  if (slugOfDefaultHostname(hostname, names) !== undefined) return false;
  return (
    parseIp(hostname) !== undefined ||
    /^[a-z0-9_-]{1,63}$/.test(hostname) ||
    CLUSTER_NAME.test(hostname) ||
    reservedHostnames.some((name) => isAtOrBelow(hostname, name))
  );
}

/**
 * Returns whether a name is unavailable to sites: it belongs to the platform, is a site's default
 * name, or means something else in each network.
 * @param hostname lower case
 */
export function isReservedHostname(hostname: string, names: PlatformNames): boolean {
  const { publicHostname, sitesDomain = publicHostname, reservedHostnames } = names;
  const below = [
    publicHostname,
    sitesDomain,
    'localhost',
    'local',
    'internal',
    ...reservedHostnames,
  ];
  return isPlatformHostname(hostname, names) || below.some((name) => isAtOrBelow(hostname, name));
}
