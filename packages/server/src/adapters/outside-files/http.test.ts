import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outsideFilesContract, outsideFixtures } from '../../ports/outside-files.contract.ts';
import { isAllowedAddress } from './guarded-agent.ts';
import { createHttpOutside } from './http.ts';

const thisMachine = parseIpRange('127.0.0.1/32') as IpRange;
const files = createHttpOutside({ allowedRanges: [thisMachine] });
const guarded = createHttpOutside();
let server: Server;
let base: string;
let requests = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    const redirect = { '/moved': '/small.txt', '/loop': '/loop', '/inside': 'http://127.0.0.2:1/' }[
      request.url ?? ''
    ];
    if (redirect) return response.writeHead(302, { location: redirect }).end();
    if (request.url === '/stalled') return response.writeHead(200).write('begun');
    if (request.url === '/bomb')
      return response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(5e6)));
    const text = outsideFixtures[request.url as keyof typeof outsideFixtures];
    if (text === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'Text/Plain; charset=utf-8' }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await Promise.all([files.close(), guarded.close()]);
  server.closeAllConnections();
  server.close();
});

outsideFilesContract('HTTP', () => ({ files, base }));

describe('the address guard for outside files', () => {
  const limits = { maxBytes: 50_000, timeoutMs: 5_000 };

  it('measures a compressed body by its decoded size', async () => {
    await expect(files.fetch(`${base}/bomb`, limits)).rejects.toMatchObject({ kind: 'too-large' });
  });

  it('sends no request to this machine, by name or by number, unless the operator allows it', async () => {
    const before = requests;
    const port = new URL(base).port;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0',
    ]) {
      await expect(
        guarded.fetch(`http://${host}:${port}/small.txt`, limits),
        host,
      ).rejects.toMatchObject({ kind: 'refused' });
    }
    expect(requests).toBe(before);
  });

  it.each([
    '10.0.0.1',
    '100.64.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '2001:db8::1',
  ])('rejects the private or reserved address %s', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false);
  });

  it.each(['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])(
    'accepts the public address %s',
    (address) => {
      expect(isAllowedAddress(address, [])).toBe(true);
    },
  );
});
