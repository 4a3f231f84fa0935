import { type IpAddress, type IpRange, ipInRange, isLocalIp, parseIp, parseIpRange } from './ip.ts';

/** Which proxies to trust for `X-Forwarded-For`: by address, or by their number in the chain. */
export type TrustedProxies = { kind: 'none' } | { kind: 'ranges'; ranges: IpRange[] } | { kind: 'count'; count: number };

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseForwarded(entry: string): IpAddress | undefined {
  const text = entry.trim().replace(/^"|"$/g, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return parseIp(bracketed[1] as string);
  return parseIp(/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
}

/**
 * Returns the address of the client. Reads `X-Forwarded-For` from its end, only as far as a trusted proxy wrote each hop. Stops
 * at an entry that is not an address, because a trusted proxy did not write what precedes it.
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
 * Returns whether a request comes directly from this machine or the local network, without a proxy in between.
 * @param remote address of the peer of the connection
 * @param headers of the request, names in lower case
 */
export function isDirectLocal(remote: string | undefined, headers: Readonly<Record<string, unknown>>): boolean {
  return isDirect(remote, headers, isLocalIp);
}

/** Like `isDirectLocal`, but for this machine only. */
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
