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
if (!hasOpenssl) process.stdout.write('skipped: openssl is not installed, so a model over TLS is not tried\n');

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
  { protocol = 'http', readEveryMs = 1, ca }: { protocol?: string; readEveryMs?: number; ca?: string } = {},
) {
  const host = protocol === 'https' ? 'localhost' : '127.0.0.1';
  const url = new URL(`${protocol}://${host}:${await listen(server)}/v1/chat?a=b`);
  return createStreamedPost({ url, headers: { authorization: 'Bearer key' }, readEveryMs: () => readEveryMs, ca });
}

async function textOf(answer: StreamedAnswer): Promise<string> {
  await answer.status();
  let bytes = '';
  for await (const pieces of answer.read()) bytes += pieces.join('');
  return Buffer.from(bytes, 'latin1').toString();
}

/** Answers with what it was asked, and counts connections. */
function echo(): { server: http.Server; connections: () => number } {
  const server = http.createServer(answerWithQuestion);
  let count = 0;
  server.on('connection', () => count++);
  return { server, connections: () => count };
}

async function answerWithQuestion(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  response.write(`${request.method} ${request.url} ${request.headers.authorization} `);
  response.end(body);
}

describe('a request whose answer is streamed', () => {
  it('arrives whole, and so does its answer', async () => {
    const post = await postTo(echo().server);
    const question = `ä鍵🔑 ${'x'.repeat(300_000)}`;
    expect(await textOf(post(question))).toBe(`POST /v1/chat?a=b Bearer key ${question}`);
  });

  it.skipIf(!hasOpenssl)('works over TLS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync(
      'openssl',
      [...how, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert],
      {
        stdio: 'ignore',
      },
    );
    const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    rmSync(folder, { recursive: true });
    const trusting = await postTo(https.createServer(pem, answerWithQuestion), { protocol: 'https', ca: pem.cert });
    expect(await textOf(trusting('y'.repeat(200_000)))).toHaveLength(200_000 + 'POST /v1/chat?a=b Bearer key '.length);
    expect(await textOf(trusting('again'))).toContain('again');
    const wary = await postTo(https.createServer(pem, answerWithQuestion), { protocol: 'https' });
    await expect(wary('secret').status()).rejects.toThrow(/self-signed|certificate/);
  });

  it('uses a connection again, and opens as many as are needed at the same time', async () => {
    const { server, connections } = echo();
    const post = await postTo(server);
    await textOf(post('a'));
    await textOf(post('b'));
    expect(connections()).toBe(1);
    await Promise.all([textOf(post('c')), textOf(post('d')), textOf(post('e'))]);
    expect(connections()).toBe(3);
  });

  it('is sent again where the server gave up a kept connection meanwhile, but never when its answer has begun', async () => {
    let heard = 0;
    const server = createServer((socket: Socket) => {
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', (data) => {
        if (!data.toString().includes('\r\n\r\n')) return;
        requests++;
        heard++;
        // Each connection answers once, and then breaks: before the head of its answer, or within it.
        if (requests === 1 && heard !== 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else if (heard === 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else if (heard < 5) socket.destroy();
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf');
      });
    });
    const post = await postTo(server);
    expect(await textOf(post('1'))).toBe('ok');
    expect(await textOf(post('2'))).toBe('ok');
    expect(heard).toBe(3);
    heard = 4;
    await expect(textOf(post('3'))).rejects.toThrow(/closed before the end/);
    expect(heard).toBe(5);
  });

  it('leaves the connection alone between two reads, and then takes all that came', async () => {
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
    for await (const pieces of answer.read()) reads.push(pieces.join('').length);
    expect(reads.reduce((sum, length) => sum + length, 0)).toBe(40);
    // Two hundred milliseconds at least, on a machine that is as busy as can be.
    expect(reads.length).toBeLessThan(20);
  });

  it('does not run ahead of its reader', async () => {
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
    const reading = answer.read()[Symbol.asyncIterator]();
    await reading.next();
    await sleep(300);
    const before = written;
    await sleep(300);
    expect(written).toBe(before);
    answer.hangUp();
    await expect(reading.next()).rejects.toThrow(/was canceled/);
  });

  it('closes the connection when nobody wants the answer any more', async () => {
    let closed = false;
    const server = http.createServer((_request, response) => {
      response.write('a');
      response.on('close', () => {
        closed = true;
      });
    });
    const answer = (await postTo(server))('');
    await answer.status();
    const reading = answer.read()[Symbol.asyncIterator]();
    await reading.next();
    const isOver = reading.next();
    answer.hangUp();
    await expect(isOver).rejects.toThrow();
    await expect.poll(() => closed).toBe(true);
  });

  it('fails where nobody listens, and where another protocol is spoken', async () => {
    const gone = createServer();
    const port = await listen(gone);
    await new Promise((resolve) => gone.close(resolve));
    const nobody = createStreamedPost({ url: new URL(`http://127.0.0.1:${port}`), headers: {}, readEveryMs: () => 1 });
    await expect(nobody('').status()).rejects.toThrow(/ECONNREFUSED/);
    const other = await postTo(createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n')));
    await expect(other('').status()).rejects.toThrow(/not HTTP/);
  });

  it('goes through the proxy of the environment, and past it where NO_PROXY names the host', async () => {
    const passed: string[] = [];
    const proxy = http.createServer();
    proxy.on('connect', (request, socket: Socket) => {
      passed.push(request.url ?? '');
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
    expect(passed).toEqual([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
    const body = { asked: 1 };
    const json = http.createServer((_request, response) => response.end('{"answer":2}'));
    const url = `http://127.0.0.1:${await listen(json)}/v1`;
    const ask = createJsonPost({ url, what: 'The model' });
    expect(await ask(body, new AbortController().signal)).toEqual({ answer: 2 });
    expect(passed).toHaveLength(2);
    vi.stubEnv('no_proxy', '127.0.0.1');
    expect(await textOf((await postTo(echo().server))('past'))).toContain('past');
    expect(passed).toHaveLength(2);
  });

  it('through a proxy ends where nobody wants the answer any more', async () => {
    const proxy = http.createServer();
    proxy.on('connect', () => {});
    vi.stubEnv('http_proxy', `http://127.0.0.1:${await listen(proxy)}`);
    const answer = (await postTo(echo().server))('');
    answer.hangUp();
    await expect(answer.status()).rejects.toThrow(/was canceled/);
  });

  it('cannot be given a header that ends early', () => {
    const headers = { authorization: 'Bearer a\r\nx-other: b' };
    expect(() => createStreamedPost({ url: new URL('http://127.0.0.1'), headers, readEveryMs: () => 1 })).toThrow(
      /Invalid character/,
    );
  });
});
