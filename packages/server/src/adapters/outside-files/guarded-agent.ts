import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type IpRange, ipInRange, parseIp } from '@docent/format/access/ip.ts';
import ipaddr from 'ipaddr.js';
import type { Agent } from 'undici';
import { OutsideFault } from '../../ports/outside-files.ts';

/**
 * Creates the HTTP agent, of the package that is passed, for addresses that authors or readers choose. It connects to public
 * addresses and to `allowedRanges` only. The check runs on name resolution, on the exact address
 * that the socket then connects to, so a name whose answer changes between check and use gains
 * nothing.
 * @param allowedRanges private ranges that the operator allows, such as those of an internal API
 */
export function createGuardedAgent(
  { Agent: HttpAgent }: Pick<typeof import('undici'), 'Agent'>,
  allowedRanges: readonly IpRange[],
): Agent {
  return new HttpAgent({
    connect: { lookup: guardedLookup(allowedRanges), timeout: 10_000 },
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
    maxResponseSize: -1,
  });
}

/** Looks a name up, and refuses it if one of its addresses is not allowed. */
export function guardedLookup(allowedRanges: readonly IpRange[]): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const refused = addresses.find(({ address }) => !isAllowedAddress(address, allowedRanges));
      if (refused) return done(refusal(hostname), []);
      const [first] = addresses;
      if (options.all || !first) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/**
 * Checks what never reaches the resolver: the scheme, credentials in the address, and an IP address
 * in place of the host name.
 * @throws OutsideFault `refused`
 */
export function parseGuardedUrl(text: string, allowedRanges: readonly IpRange[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new OutsideFault('refused', `${shortened(text)} is not an http or https address.`);
  }
  if (url.username || url.password) {
    throw new OutsideFault(
      'refused',
      `${url.host} is refused because the address contains a user name or password.`,
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !isAllowedAddress(host, allowedRanges)) throw refusal(host);
  return url;
}

/**
 * Returns whether a socket may connect to this address: public unicast, or in a range that the
 * operator allows.
 */
export function isAllowedAddress(address: string, allowedRanges: readonly IpRange[]): boolean {
  const ip = parseIp(address.replace(/%[\s\S]*/, ''));
  if (ip && allowedRanges.some((range) => ipInRange(ip, range))) return true;
  // `process` turns an IPv4 address inside IPv6 into IPv4; other embeddings (6to4, NAT64, Teredo) have ranges of their own.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function refusal(host: string): OutsideFault {
  return new OutsideFault(
    'refused',
    `${host} is a private or reserved address, to which the server does not connect. The operator can allow it with DOCENT_ALLOWED_PRIVATE_RANGES.`,
  );
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
