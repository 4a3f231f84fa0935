import { parseIp } from './ip.ts';

/** The names that the platform itself goes by. */
export interface PlatformNames {
  /** Host name of the public address. */
  publicHostname: string;
  /** Further names of the platform and of its network, each with everything below it. */
  reservedHostnames: readonly string[];
}

/** `Docs.Example.com.:3000` → `docs.example.com`, `[::1]:3000` → `::1` */
export function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
  return bracketed ? (bracketed[1] as string) : host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

/** The site that has a name without anybody having given it one: `<identifier>.localhost`. */
export function slugOfDefaultHostname(hostname: string): string | undefined {
  return /^([a-z0-9-]{1,63})\.localhost$/.exec(hostname.toLowerCase())?.[1];
}

function isAtOrBelow(hostname: string, name: string): boolean {
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** Names inside a Kubernetes cluster, which it alone resolves. */
const CLUSTER_NAME = /\.svc(?:\.|$)/;

/**
 * Whether a request by this name is for the platform: an address, the public name, `localhost`, a reserved name, or a name that only a
 * private network can resolve. A page elsewhere can bring none of them to lead here (DNS rebinding).
 * @param hostname as `hostnameOf` returns it
 */
export function isPlatformHostname(hostname: string, { publicHostname, reservedHostnames }: PlatformNames): boolean {
  return (
    hostname === publicHostname ||
    parseIp(hostname) !== undefined ||
    /^[a-z0-9_-]{1,63}$/.test(hostname) ||
    CLUSTER_NAME.test(hostname) ||
    reservedHostnames.some((name) => isAtOrBelow(hostname, name))
  );
}

/**
 * Whether no site can take a name: it belongs to the platform, or means something else in each network.
 * @param hostname lower case
 */
export function isReservedHostname(hostname: string, names: PlatformNames): boolean {
  const below = [names.publicHostname, 'localhost', 'local', 'internal', ...names.reservedHostnames];
  return isPlatformHostname(hostname, names) || below.some((name) => isAtOrBelow(hostname, name));
}
