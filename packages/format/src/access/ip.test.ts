import { describe, expect, it } from 'vitest';
import {
  clientAddress,
  type IpAddress,
  type IpRange,
  ipInRange,
  ipLimitKey,
  isDirectFrom,
  parseIp,
  parseIpRange,
  type TrustedProxies,
} from './ip.ts';

function inRange(address: string, range: string): boolean {
  const parsedAddress = parseIp(address);
  const parsedRange = parseIpRange(range);
  if (!parsedAddress || !parsedRange) throw new Error(`not readable: ${address} ${range}`);
  return ipInRange(parsedAddress, parsedRange);
}

describe('IP addresses', () => {
  it('have equal values for every notation of an IPv6 address', () => {
    const value = parseIp('2001:db8:0:0:0:0:0:1');
    expect(value).toBeDefined();
    for (const form of [
      '2001:db8::1',
      '2001:DB8::0001',
      '2001:0db8:0000:0000:0000:0000:0.0.0.1',
      '2001:db8::1%eth0',
    ]) {
      expect(parseIp(form)).toEqual(value);
    }
  });

  it('in IPv4-mapped form are treated as IPv4, so that an IPv4 allowlist applies on a dual-stack socket', () => {
    expect(parseIp('::ffff:192.0.2.1')).toEqual(parseIp('192.0.2.1'));
    expect(inRange('::ffff:192.0.2.9', '192.0.2.0/24')).toBe(true);
    expect(inRange('192.0.2.9', '::ffff:192.0.2.0/120')).toBe(true);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    '::1::',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'localhost',
    '1.2.3.4/8',
    '1.2.3.4%eth0',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    '::ffff:010.0.0.1',
    '::ffff:256.0.0.1',
    '1:2:3:4:5:6:7::8:9',
  ])('are never parsed from %j', (text) => {
    expect(parseIp(text)).toBeUndefined();
  });

  it('are matched against a range to the exact bit', () => {
    expect(inRange('192.0.2.127', '192.0.2.0/25')).toBe(true);
    expect(inRange('192.0.2.128', '192.0.2.0/25')).toBe(false);
    expect(inRange('2001:db8:ffff::1', '2001:db8::/32')).toBe(true);
    expect(inRange('2001:db9::1', '2001:db8::/32')).toBe(false);
    expect(inRange('2001:db8::1', '192.0.2.0/25')).toBe(false);
  });

  it.each([
    '0.0.0.0/0',
    '::/0',
    '::ffff:0.0.0.0/96',
    '192.0.2.0/33',
    '192.0.2.0/-1',
    '192.0.2.0/8/8',
    '192.0.2.0/',
    '::1/129',
  ])('cannot be allowlisted as %j', (text) => {
    expect(parseIpRange(text)).toBeUndefined();
  });

  it('are limited by /64 prefix for IPv6 and individually for IPv4', () => {
    const key = (text: string) => ipLimitKey(parseIp(text) as IpAddress);
    expect(key('2001:db8:1:2::1')).toBe(key('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(key('2001:db8:1:2::1')).not.toBe(key('2001:db8:1:3::1'));
    expect(key('192.0.2.1')).not.toBe(key('192.0.2.2'));
  });

  it('are distinguished into local and public ones', () => {
    const local = (text: string) => isDirectFrom('local', text, {});
    expect(
      ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd00::1', 'fe80::1'].map(
        local,
      ),
    ).not.toContain(false);
    expect(['8.8.8.8', '172.32.0.1', '2001:db8::1'].map(local)).not.toContain(true);
    expect(['127.0.0.1', '10.1.2.3'].map((text) => isDirectFrom('loopback', text, {}))).toEqual([
      true,
      false,
    ]);
    expect(isDirectFrom('local', '10.1.2.3', { via: '1.1 proxy' })).toBe(false);
  });
});

const proxies: TrustedProxies = { kind: 'ranges', ranges: [parseIpRange('10.0.0.0/8') as IpRange] };

describe('the client address', () => {
  it('is the peer if no proxy is trusted, regardless of the header', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', { kind: 'none' })).toEqual(
      parseIp('203.0.113.9'),
    );
  });

  it('is the peer if the peer is not a trusted proxy', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', proxies)).toEqual(parseIp('203.0.113.9'));
  });

  it('is the last entry that is not a trusted proxy, so that a client cannot spoof it', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', proxies)).toEqual(
      parseIp('198.51.100.1'),
    );
  });

  it('is the last valid entry before an invalid one', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown, 10.0.0.2', proxies)).toEqual(
      parseIp('10.0.0.2'),
    );
    expect(clientAddress('10.0.0.1', '', proxies)).toEqual(parseIp('10.0.0.1'));
  });

  it('is as many hops back as there are proxies, at most the first entry', () => {
    const header = '1.1.1.1, 198.51.100.1, 10.0.0.2';
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 1 })).toEqual(
      parseIp('10.0.0.2'),
    );
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 2 })).toEqual(
      parseIp('198.51.100.1'),
    );
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 9 })).toEqual(
      parseIp('1.1.1.1'),
    );
  });

  it('is read from entries with a port', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1:4711', proxies)).toEqual(
      parseIp('198.51.100.1'),
    );
    expect(clientAddress('10.0.0.1', '"[2001:db8::1]:4711"', proxies)).toEqual(
      parseIp('2001:db8::1'),
    );
  });

  it('is unknown for a Unix socket', () => {
    expect(clientAddress(undefined, '198.51.100.1', proxies)).toBeUndefined();
  });
});
