import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IpRange, parseIpRange } from '@docent/format/access/ip.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpOutside } from './http.ts';

const calls = createHttpOutside({ allowedRanges: [parseIpRange('127.0.0.1/32') as IpRange] });
const guarded = createHttpOutside();
const seen: { request: IncomingMessage; body: string }[] = [];
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ request, body: Buffer.concat(chunks).toString() });
    if (request.url === '/stalled') return;
    if (request.url === '/moved')
      return void response.writeHead(307, { location: 'http://127.0.0.2/' }).end();
    response
      .writeHead(404, { 'content-type': 'application/json', 'x-own': '1' })
      .end('{"ok":false}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await Promise.all([calls.close(), guarded.close()]);
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
});

describe('a call to an external API', () => {
  it('sends the method, headers, cookies and body, and returns any status', async () => {
    const headers = [
      ['Cookie', 'a=b'],
      ['X-Own', 'yes'],
      ['Content-Type', 'text/csv'],
    ] as const;
    const answer = await calls.call({
      url: `${base}/x`,
      method: 'PATCH',
      headers,
      body: Buffer.from('1;2'),
      timeoutMs: 5_000,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    expect(seen[0]?.request).toMatchObject({ method: 'PATCH', url: '/x' });
    expect(seen[0]?.request.headers).toMatchObject({
      cookie: 'a=b',
      'x-own': 'yes',
      'content-type': 'text/csv',
    });
    expect(seen[0]?.body).toBe('1;2');
    expect(answer.status).toBe(404);
    expect(Buffer.concat(chunks).toString()).toBe('{"ok":false}');
  });

  it('does not follow redirects', async () => {
    const answer = await calls.call({
      url: `${base}/moved`,
      method: 'POST',
      headers: [],
      timeoutMs: 5_000,
    });
    expect([answer.status, seen.length]).toEqual([307, 1]);
  });

  it('fails after its timeout', async () => {
    const stalled = calls.call({
      url: `${base}/stalled`,
      method: 'GET',
      headers: [],
      timeoutMs: 100,
    });
    await expect(stalled).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it.each(['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])(
    'makes no connection to %s unless the operator allows it',
    async (host) => {
      const url = `http://${host}:${new URL(base).port}/x`;
      await expect(
        guarded.call({ url, method: 'GET', headers: [], timeoutMs: 5_000 }),
      ).rejects.toMatchObject({
        kind: 'refused',
      });
      expect(seen).toEqual([]);
    },
  );
});
