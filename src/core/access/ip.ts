/** An address as a number; an IPv4 address inside IPv6 (`::ffff:192.0.2.1`) counts as IPv4. */
export interface IpAddress {
  family: 4 | 6;
  value: bigint;
}

/** The addresses whose first `prefixBits` bits are those of `address`. */
export interface IpRange {
  address: IpAddress;
  prefixBits: number;
}

const V4_PART = /^(?:0|[1-9]\d{0,2})$/;
const V6_GROUP = /^[0-9a-f]{1,4}$/i;
const V4_MAPPED_PREFIX = 0xffffn << 32n;

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || parts.some((part) => !V4_PART.test(part) || Number(part) > 255)) return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** Parses `a:b` to numbers; a dotted IPv4 tail makes two groups. Returns `undefined` if a group is invalid. */
function parseGroups(text: string): bigint[] | undefined {
  if (text === '') return [];
  const groups: bigint[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    const tail = index === parts.length - 1 && part.includes('.') ? parseV4(part) : undefined;
    if (tail !== undefined) groups.push(tail >> 16n, tail & 0xffffn);
    else if (V6_GROUP.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] as string);
  const tail = halves.length === 2 ? parseGroups(halves[1] as string) : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...new Array<bigint>(missing).fill(0n), ...tail];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** Reads an IPv4 or IPv6 address (RFC 4291 text forms; a zone such as `%eth0` is dropped), or `undefined`. */
export function parseIp(text: string): IpAddress | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return { family: 4, value: v4 };
  const value = parseV6(text.replace(/%[\w.-]+$/, ''));
  if (value === undefined) return undefined;
  return value >> 32n === V4_MAPPED_PREFIX >> 32n ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

/** An address in a text form of RFC 4291, without the short form for zeros. */
export function formatIp({ family, value }: IpAddress): string {
  const [parts, bits, radix] = family === 4 ? ([4, 8n, 10] as const) : ([8, 16n, 16] as const);
  const mask = (1n << bits) - 1n;
  const texts = Array.from({ length: parts }, (_, index) =>
    ((value >> (BigInt(parts - 1 - index) * bits)) & mask).toString(radix),
  );
  return texts.join(family === 4 ? '.' : ':');
}

function bitsOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

/**
 * Parses an address or a CIDR range (`192.0.2.0/24`). Returns `undefined` for invalid text and for a range that covers every
 * address (`/0`), because an allowlist with it protects nothing.
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseIp(addressText);
  if (!address || rest.length > 0) return undefined;
  const bits = bitsOf(address.family);
  if (prefixText === undefined) return { address, prefixBits: bits };
  if (!/^\d{1,3}$/.test(prefixText)) return undefined;
  // The prefix of a mapped address is counted in its IPv6 form.
  const prefixBits = Number(prefixText) - (addressText.includes(':') && address.family === 4 ? 96 : 0);
  return prefixBits >= 1 && prefixBits <= bits ? { address, prefixBits } : undefined;
}

/** Whether `address` is in `range`. */
export function ipInRange(address: IpAddress, range: IpRange): boolean {
  if (address.family !== range.address.family) return false;
  const shift = BigInt(bitsOf(address.family) - range.prefixBits);
  return address.value >> shift === range.address.value >> shift;
}

/** Whether every address of `inner` is in `outer`. */
export function rangeInRange(inner: IpRange, outer: IpRange): boolean {
  return inner.prefixBits >= outer.prefixBits && ipInRange(inner.address, outer);
}

/** Whether `address` is not reachable from the Internet: loopback, private or link-local (RFC 1918, 4193, 4291, 3927). */
export function isLocalIp(address: IpAddress): boolean {
  return LOCAL_RANGES.some((range) => ipInRange(address, range));
}

const LOCAL_RANGES = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]
  .map((text) => parseIpRange(text))
  .filter((range) => range !== undefined);

/**
 * Returns the network that rate limits count an address as: an IPv4 address itself, an IPv6 address by its /64, because that is
 * what one subscriber gets.
 */
export function ipLimitKey(address: IpAddress): string {
  if (address.family === 4) return `4:${address.value.toString(16)}`;
  return `6:${(address.value >> 64n).toString(16)}`;
}

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
