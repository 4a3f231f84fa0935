import { describe, expect, it } from 'vitest';
import { clientAddress, type TrustedProxies } from './client-address.ts';
import { type IpRange, parseIp, parseIpRange } from './ip.ts';

const proxies: TrustedProxies = { kind: 'ranges', ranges: [parseIpRange('10.0.0.0/8') as IpRange] };

describe('the client address', () => {
  it('is the peer if no proxy is trusted, regardless of the header', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', { kind: 'none' })).toEqual(parseIp('203.0.113.9'));
  });

  it('is the peer if the peer is not a trusted proxy', () => {
    expect(clientAddress('203.0.113.9', '198.51.100.1', proxies)).toEqual(parseIp('203.0.113.9'));
  });

  it('is the last entry that is not a trusted proxy, so that a client cannot spoof it', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', proxies)).toEqual(parseIp('198.51.100.1'));
  });

  it('is the last valid entry before an invalid one', () => {
    expect(clientAddress('10.0.0.1', '1.1.1.1, unknown, 10.0.0.2', proxies)).toEqual(parseIp('10.0.0.2'));
    expect(clientAddress('10.0.0.1', '', proxies)).toEqual(parseIp('10.0.0.1'));
  });

  it('is as many hops back as there are proxies, at most the first entry', () => {
    const header = '1.1.1.1, 198.51.100.1, 10.0.0.2';
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 1 })).toEqual(parseIp('10.0.0.2'));
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 2 })).toEqual(parseIp('198.51.100.1'));
    expect(clientAddress('10.0.0.1', header, { kind: 'count', count: 9 })).toEqual(parseIp('1.1.1.1'));
  });

  it('is read from entries with a port', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1:4711', proxies)).toEqual(parseIp('198.51.100.1'));
    expect(clientAddress('10.0.0.1', '"[2001:db8::1]:4711"', proxies)).toEqual(parseIp('2001:db8::1'));
  });

  it('is unknown for a Unix socket', () => {
    expect(clientAddress(undefined, '198.51.100.1', proxies)).toBeUndefined();
  });
});
