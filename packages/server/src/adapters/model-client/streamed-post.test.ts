import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createJsonPost } from './post-json.ts';
import type { StreamedAnswer } from './streamed-answer.ts';
import { createStreamedPost } from './streamed-post.ts';

const hasOpenssl = existsSync('/usr/bin/openssl');
if (!hasOpenssl)
  process.stdout.write('skipped: openssl is not installed, so a model over TLS is not tested\n');

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.close();
    (server as Partial<http.Server>).closeAllConnections?.();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function postTo(
  server: Server,
  {
    protocol = 'http',
    readEveryMs = 1,
    ca,
  }: { protocol?: string; readEveryMs?: number; ca?: string } = {},
) {
  const host = protocol === 'https' ? 'localhost' : '127.0.0.1';
  const url = new URL(`${protocol}://${host}:${await listen(server)}/v1/chat?a=b`);
  return createStreamedPost({
    url,
    headers: { authorization: 'Bearer key' },
    readEveryMs: () => readEveryMs,
    ca,
  });
}

async function textOf(answer: StreamedAnswer): Promise<string> {
  await answer.status();
  let bytes = '';
  for (let pieces = await answer.next(); pieces; pieces = await answer.next())
    bytes += pieces.join('');
  return Buffer.from(bytes, 'latin1').toString();
}

/** A server that echoes each request and counts connections. */
function echo(): { server: http.Server; connections: () => number } {
  const server = http.createServer(echoRequest);
  let count = 0;
  server.on('connection', () => count++);
  return { server, connections: () => count };
}

async function echoRequest(
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  response.write(`${request.method} ${request.url} ${request.headers.authorization} `);
  response.end(body);
}

describe('a POST with a streamed response', () => {
  it('delivers a large body and its response completely', async () => {
    const post = await postTo(echo().server);
    const question = `ä鍵🔑 ${'x'.repeat(300_000)}`;
    expect(await textOf(post(question))).toBe(`POST /v1/chat?a=b Bearer key ${question}`);
  });

  it.skipIf(!hasOpenssl)('works over TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const options = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ];
    execFileSync(
      'openssl',
      [
        ...options,
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      {
        stdio: 'ignore',
      },
    );
    const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    rmSync(folder, { recursive: true });
    const trusting = await postTo(https.createServer(pem, echoRequest), {
      protocol: 'https',
      ca: pem.cert,
    });
    expect(await textOf(trusting('y'.repeat(200_000)))).toHaveLength(
      200_000 + 'POST /v1/chat?a=b Bearer key '.length,
    );
    expect(await textOf(trusting('again'))).toContain('again');
    const distrusting = await postTo(https.createServer(pem, echoRequest), { protocol: 'https' });
    await expect(distrusting('secret').status()).rejects.toThrow(/self-signed|certificate/);
  });

  it('reuses an idle connection, and opens as many as concurrent requests need', async () => {
    const { server, connections } = echo();
    const post = await postTo(server);
    await textOf(post('a'));
    await textOf(post('b'));
    expect(connections()).toBe(1);
    await Promise.all([textOf(post('c')), textOf(post('d')), textOf(post('e'))]);
    expect(connections()).toBe(3);
  });

  it('is retried if the server closed an idle connection, but never after its response has begun', async () => {
    let received = 0;
    const server = createServer((socket: Socket) => {
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', (data) => {
        if (!data.toString().includes('\r\n\r\n')) return;
        requests++;
        received++;
        // Each connection answers once and then breaks, before the head of its next response or
        // within the body.
        if (requests === 1 && received !== 3)
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else if (received === 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else if (received < 5) socket.destroy();
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf');
      });
    });
    const post = await postTo(server);
    expect(await textOf(post('1'))).toBe('ok');
    expect(await textOf(post('2'))).toBe('ok');
    expect(received).toBe(3);
    received = 4;
    await expect(textOf(post('3'))).rejects.toThrow(/closed before the end/);
    expect(received).toBe(5);
  });

  it('pauses between two reads, and then reads everything that has arrived', async () => {
    const server = http.createServer(async (_request, response) => {
      for (let count = 0; count < 40; count++) {
        response.write('x');
        await sleep(5);
      }
      response.end();
    });
    const post = await postTo(server, { readEveryMs: 100 });
    const answer = post('');
    await answer.status();
    const reads: number[] = [];
    for (let pieces = await answer.next(); pieces; pieces = await answer.next())
      reads.push(pieces.join('').length);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBe(40);
    // The response takes at least 200 ms, even on a busy machine.
    expect(reads.length).toBeLessThan(20);
  });

  it('applies backpressure when its reader pauses', async () => {
    let written = 0;
    const server = http.createServer((_request, response) => {
      const more = () => {
        while (response.write('x'.repeat(64 * 1024))) written++;
      };
      response.on('drain', more);
      more();
    });
    const answer = (await postTo(server))('');
    await answer.status();
    await answer.next();
    await sleep(300);
    const before = written;
    await sleep(300);
    expect(written).toBe(before);
    answer.hangUp();
    await expect(answer.next()).rejects.toThrow(/was canceled/);
  });

  it('closes the connection when the reader hangs up', async () => {
    let closed = false;
    const server = http.createServer((_request, response) => {
      response.write('a');
      response.on('close', () => {
        closed = true;
      });
    });
    const answer = (await postTo(server))('');
    await answer.status();
    await answer.next();
    const isOver = answer.next();
    answer.hangUp();
    await expect(isOver).rejects.toThrow();
    await expect.poll(() => closed).toBe(true);
  });

  it('fails if the connection is refused or the server does not speak HTTP', async () => {
    const gone = createServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const nobody = createStreamedPost({
      url: new URL(`http://127.0.0.1:${port}`),
      headers: {},
      readEveryMs: () => 1,
    });
    await expect(nobody('').status()).rejects.toThrow(/ECONNREFUSED/);
    const other = await postTo(
      createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')),
    );
    await expect(other('').status()).rejects.toThrow(/not HTTP/);
  });

  it('uses the proxy of the environment, except for hosts in NO_PROXY', async () => {
    const proxied: string[] = [];
    const proxy = http.createServer();
    proxy.on('connect', (request, socket: Socket) => {
      proxied.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const there = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(there).pipe(socket);
      });
      there.on('error', () => socket.destroy());
      socket.on('error', () => there.destroy());
    });
    vi.stubEnv('http_proxy', `http://127.0.0.1:${await listen(proxy)}`);
    const { server } = echo();
    const post = await postTo(server);
    expect(await textOf(post('through'))).toContain('through');
    expect(proxied).toEqual([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
    const body = { asked: 1 };
    const json = http.createServer((_request, response) => response.end('{"answer":2}'));
    const url = `http://127.0.0.1:${await listen(json)}/v1`;
    const ask = createJsonPost({ url, what: 'The model' });
    expect(await ask(body, new AbortController().signal)).toEqual({ answer: 2 });
    expect(proxied).toHaveLength(2);
    vi.stubEnv('no_proxy', '127.0.0.1');
    expect(await textOf((await postTo(echo().server))('past'))).toContain('past');
    expect(proxied).toHaveLength(2);
  });

  it('is canceled when the reader hangs up while the proxy connects', async () => {
    const proxy = http.createServer();
    proxy.on('connect', () => {});
    vi.stubEnv('http_proxy', `http://127.0.0.1:${await listen(proxy)}`);
    const answer = (await postTo(echo().server))('');
    answer.hangUp();
    await expect(answer.status()).rejects.toThrow(/was canceled/);
  });

  it('rejects a header value with a line break', () => {
    const headers = { authorization: 'Bearer a\r\nx-other: b' };
    expect(() =>
      createStreamedPost({ url: new URL('http://127.0.0.1'), headers, readEveryMs: () => 1 }),
    ).toThrow(/Invalid character/);
  });
});
