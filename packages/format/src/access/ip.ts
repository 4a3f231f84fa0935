import ipaddr from 'ipaddr.js';

/** An address; an IPv4 address inside IPv6 (`::ffff:192.0.2.1`) is an IPv4 address. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that share the first `prefixBits` bits with `address`. */
export type IpRange = [address: IpAddress, prefixBits: number];

const FOUR_PARTS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** How a server that listens on both families writes an IPv4 address. */
const MAPPED = '::ffff:';
const ZONE = /^([^%:]*:[^%]*)%[\w.-]+$/;

/**
 * Reads an IPv4 or IPv6 address (RFC 4291 text forms; a zone such as `%eth0` is dropped), or
 * `undefined`.
 */
export function parseIp(text: string): IpAddress | undefined {
  const address = text.includes('%') ? text.replace(ZONE, '$1') : text;
  const isV6 = address.includes(':');
  const last = address.slice(address.lastIndexOf(':') + 1);
  // `ipaddr` also takes octal and shortened IPv4 addresses, which other programs read differently.
  // A name is refused first: every request asks, and `ipaddr` would throw and catch an error for
  // it.
  if (
    (!isV6 || last.includes('.')) &&
    !(FOUR_PARTS.test(last) && ipaddr.IPv4.isValidFourPartDecimal(last))
  )
    return undefined;
  // Almost every request has one of these: a tenth of the work.
  if (!isV6 || (last.includes('.') && address === MAPPED + last))
    return new ipaddr.IPv4(last.split('.').map(Number));
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address) : undefined;
}

/** Returns an address in a text form of RFC 4291, without the short form for zeros. */
export function formatIp(address: IpAddress): string {
  return address.toNormalizedString();
}

/**
 * Parses an address or a CIDR range (`192.0.2.0/24`). Returns `undefined` for invalid text and for
 * a range that covers every address (`/0`), because an allowlist with it protects nothing.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseIp(addressText);
  if (!address || rest.length > 0) return undefined;
  const isV4 = address.kind() === 'ipv4';
  const bits = isV4 ? 32 : 128;
  if (prefixText === undefined) return [address, bits];
  if (!/^\d{1,3}$/.test(prefixText)) return undefined;
  // The prefix of a mapped address is counted in its IPv6 form.
  const prefixBits = Number(prefixText) - (isV4 && addressText.includes(':') ? 96 : 0);
  return prefixBits >= 1 && prefixBits <= bits ? [address, prefixBits] : undefined;
}

/** Returns whether `address` is in `range`. */
export function ipInRange(address: IpAddress, range: IpRange): boolean {
  return address.kind() === range[0].kind() && address.match(range);
}

/**
 * Returns whether a list of addresses and ranges allows an address. An empty list allows all, even
 * an unknown one.
 */
export function allowsIp(list: readonly string[], address: IpAddress | undefined): boolean {
  if (list.length === 0) return true;
  const ranges = list.map((text) => parseIpRange(text)).filter((range) => range !== undefined);
  return address !== undefined && ranges.some((range) => ipInRange(address, range));
}

/** Returns whether every address of `inner` is in `outer`. */
export function rangeInRange(inner: IpRange, outer: IpRange): boolean {
  return inner[1] >= outer[1] && ipInRange(inner[0], outer);
}

/**
 * Returns the network that rate limits count an address as: an IPv4 address itself, an IPv6 address
 * by its /64, because that is what one subscriber gets.
 */
export function ipLimitKey(address: IpAddress): string {
  return 'parts' in address ? `6:${address.parts.slice(0, 4).join(':')}` : `4:${address}`;
}

/** Which proxies to trust for `X-Forwarded-For`: by address, or by their number in the chain. */
export type TrustedProxies =
  | { kind: 'none' }
  | { kind: 'ranges'; ranges: IpRange[] }
  | { kind: 'count'; count: number };

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function parseForwarded(entry: string): IpAddress | undefined {
  const text = entry.trim().replace(/^"|"$/g, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return parseIp(bracketed[1] as string);
  return parseIp(/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
}

/**
 * Returns the address of the client. Reads `X-Forwarded-For` from its end, only as far as a trusted
 * proxy wrote each hop. Stops at an entry that is not an address, because a trusted proxy did not
 * write what precedes it.
 * @param remote address of the peer of the connection; `undefined` on a unix socket
 * @param forwardedFor the header, its lines joined by commas
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): IpAddress | undefined {
  const peer = remote === undefined ? undefined : parseIp(remote);
  if (!peer || !forwardedFor || trusted.kind === 'none') return peer;
  let client = peer;
  let hops = 0;
  for (const entry of forwardedFor.split(',').reverse()) {
    const current: IpAddress = client;
    const trustsPeer =
      trusted.kind === 'count'
        ? hops < trusted.count
        : trusted.ranges.some((range) => ipInRange(current, range));
    const next = trustsPeer ? parseForwarded(entry) : undefined;
    if (!next) return client;
    client = next;
    hops++;
  }
  return client;
}

const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/**
 * Where a machine is that the Internet does not reach: here, or in the local network (RFC 1918,
 * 4193, 4291, 3927).
 */
const RANGES = {
  loopback: ['loopback'],
  local: ['loopback', 'private', 'linkLocal', 'uniqueLocal'],
};

/**
 * Returns whether a request comes directly from this machine (`loopback`) or from the local
 * network, without a proxy in between.
 * @param remote address of the peer of the connection
 * @param headers of the request, names in lower case
 */
export function isDirectFrom(
  place: keyof typeof RANGES,
  remote: string | undefined,
  headers: Readonly<Record<string, unknown>>,
): boolean {
  const peer = remote === undefined ? undefined : parseIp(remote);
  const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
  return peer !== undefined && !isForwarded && RANGES[place].includes(peer.range());
}
