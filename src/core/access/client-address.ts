import { type IpAddress, type IpRange, ipInRange, isLocalIp, parseIp, parseIpRange } from './ip.ts';

/** Whom to trust about `X-Forwarded-For`: proxies by their addresses, or so many of them in a row. */
export type TrustedProxies = { kind: 'none' } | { kind: 'ranges'; ranges: IpRange[] } | { kind: 'count'; count: number };

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseForwarded(entry: string): IpAddress | undefined {
  const text = entry.trim().replace(/^"|"$/g, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return parseIp(bracketed[1] as string);
  return parseIp(/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
}

/**
 * The address of the client. `X-Forwarded-For` is read from its end, and only as far as each hop was written by a
 * trusted proxy; an entry that is no address ends the walk, because whatever stands before it was not written by ours.
 * @param remote address of the peer of the connection; `undefined` on a unix socket
 * @param forwardedFor the header, its lines joined by commas
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): IpAddress | undefined {
  let client = remote === undefined ? undefined : parseIp(remote);
  if (!client || !forwardedFor || trusted.kind === 'none') return client;
  let hops = 0;
  for (const entry of forwardedFor.split(',').reverse()) {
    const current: IpAddress = client;
    const trustsPeer =
      trusted.kind === 'count' ? hops < trusted.count : trusted.ranges.some((range) => ipInRange(current, range));
    const next = trustsPeer ? parseForwarded(entry) : undefined;
    if (!next) return client;
    client = next;
    hops++;
  }
  return client;
}

const FORWARDING_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a request comes straight from this machine or the local network: from an address there, and passed on by nobody.
 * @param remote address of the peer of the connection
 * @param headers of the request, names in lower case
 */
export function isDirectLocal(remote: string | undefined, headers: Readonly<Record<string, unknown>>): boolean {
  return isDirect(remote, headers, isLocalIp);
}

/** As `isDirectLocal`, from this machine alone. */
export function isDirectLoopback(remote: string | undefined, headers: Readonly<Record<string, unknown>>): boolean {
  return isDirect(remote, headers, (peer) => LOOPBACK.some((range) => ipInRange(peer, range)));
}

const LOOPBACK = ['127.0.0.0/8', '::1'].flatMap((range) => parseIpRange(range) ?? []);

function isDirect(
  remote: string | undefined,
  headers: Readonly<Record<string, unknown>>,
  isFrom: (peer: IpAddress) => boolean,
): boolean {
  const peer = remote === undefined ? undefined : parseIp(remote);
  return peer !== undefined && isFrom(peer) && !FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}
