import { parseIp } from './ip.ts';
import { isSiteName, isSlug } from './site-name.ts';

/** The names that the platform itself goes by. */
export interface PlatformNames {
  /** Host name of the public address. */
  publicHostname: string;
  /** Further names of the platform and of its network, each with everything below it. */
  reservedHostnames: readonly string[];
  /** Each site has a name of its own directly below it; `undefined` where the platform has no such domain. */
  sitesDomain: string | undefined;
}

/** `Docs.Example.com.:3000` → `docs.example.com`, `[::1]:3000` → `::1` */
export function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return bracketed ? (bracketed[1] as string) : host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** Whether a name always leads to the machine that asks for it: `localhost`, a name below it, or a loopback address. */
export function isLoopbackName(hostname: string): boolean {
  return isAtOrBelow(hostname, 'localhost') || /^127\./.test(hostname) || hostname === '::1';
}

/**
 * The site that has a name without anybody having given it one: `<identifier>.<sites domain>`. `<identifier>.localhost` works
 * on every platform, for those who sit at its machine.
 */
export function slugOfDefaultHostname(hostname: string, { sitesDomain }: Pick<PlatformNames, 'sitesDomain'>): string | undefined {
  const [, label = '', domain] = /^([^.]*)\.(.*)$/.exec(hostname.toLowerCase()) ?? [];
  return (domain === sitesDomain || domain === 'localhost') && isSlug(label) ? label : undefined;
}

/**
 * What a site is stored under that somebody names by its identifier, its project id or any of its host names. A host name may have what a
 * `Host` header may: capital letters, a trailing dot, a port.
 * @returns `undefined` where the text can name no site
 */
export function siteNameOf(text: string, names: Pick<PlatformNames, 'sitesDomain'>): string | undefined {
  const name = text.includes('.') ? hostnameOf(text) : text;
  return isSiteName(name) ? (slugOfDefaultHostname(name, names) ?? name) : undefined;
}

function isAtOrBelow(hostname: string, name: string): boolean {
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** Names inside a Kubernetes cluster, which it alone resolves. */
const CLUSTER_NAME = /\.svc(?:\.|$)/;

/**
 * Whether a request by this name is for the platform: an address, the public name, `localhost`, a reserved name, or a name that only a
 * private network can resolve. A page elsewhere can bring none of them to lead here (DNS rebinding). Of the default names of sites
 * only those that are reserved themselves are the platform's.
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
 * Whether no site can take a name: it belongs to the platform or to a site by default, or means something else in each network.
 * @param hostname lower case
 */
export function isReservedHostname(hostname: string, names: PlatformNames): boolean {
  const { publicHostname, sitesDomain = publicHostname, reservedHostnames } = names;
  const below = [publicHostname, sitesDomain, 'localhost', 'local', 'internal', ...reservedHostnames];
  return isPlatformHostname(hostname, names) || below.some((name) => isAtOrBelow(hostname, name));
}
