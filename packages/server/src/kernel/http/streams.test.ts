import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyReply } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectBytes } from '../../../../../test/support/collect.ts';
import { abortOnClose, type OpenStream, openStream } from './streams.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Starts a server that responds with a stream, and sends one request to it. */
async function open(chunks: (signal: AbortSignal) => AsyncIterable<string>, keepaliveMs?: number) {
  const app = Fastify({ forceCloseConnections: true });
  let sent: Promise<void> | undefined;
  let raw: http.ServerResponse | undefined;
  let stream: OpenStream | undefined;
  app.get('/', async (_request, reply: FastifyReply) => {
    reply.header('x-mine', 'yes');
    raw = reply.raw;
    stream = openStream(reply, {
      headers: { 'content-type': 'text/plain' },
      keepalive: '\n',
      keepaliveMs,
    });
    sent = send(stream, chunks(abortOnClose(reply)));
    await sent;
  });
  await app.listen({ port: 0 });
  opened.push(app);
  const call = http.get({ port: (app.server.address() as AddressInfo).port });
  call.on('error', () => {});
  const [response] = (await once(call, 'response')) as [http.IncomingMessage];
  return {
    call,
    response,
    sent: () => sent,
    raw: raw as unknown as http.ServerResponse,
    stream: stream as unknown as OpenStream,
  };
}

async function send(stream: OpenStream, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (stream.isClosed) break;
    stream.write(chunk);
    await stream.ready();
  }
  stream.end();
}

const forever = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('a stream', () => {
  it('sends its headers before its first chunk, including those of the reply', async () => {
    const { response } = await open(async function* (signal) {
      await forever(signal);
      yield '';
    });
    expect(response.headers).toMatchObject({ 'content-type': 'text/plain', 'x-mine': 'yes' });
    expect(response.headers).not.toHaveProperty('content-length');
  });

  it('sends keep-alive lines while it is idle', async () => {
    const { response } = await open(async function* (signal) {
      yield 'a\n';
      await forever(signal);
    }, 20);
    let received = '';
    for await (const chunk of response) {
      received += chunk;
      if (received.length >= 5) break;
    }
    expect(received).toMatch(/^a\n\n{3,}$/);
  });

  it('applies backpressure for a slow reader', async () => {
    let sentCount = 0;
    const { response, call } = await open(async function* () {
      for (; sentCount < 2000; sentCount++) yield `${'x'.repeat(65_535)}\n`;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const whilePaused = sentCount;
    expect(whilePaused).toBeLessThan(1000);
    expect((await collectBytes(response)).length).toBe(2000 * 65_536);
    expect(sentCount).toBe(2000);
    call.destroy();
  });

  it('ends its source when the reader disconnects, and writes nothing more', async () => {
    let ended = false;
    const { call, response, sent, raw, stream } = await open(async function* (signal) {
      try {
        yield 'a\n';
        await forever(signal);
        // Meanwhile several keep-alive lines are due.
        await wait(100);
        yield 'b\n';
        yield 'c\n';
      } finally {
        ended = true;
      }
    }, 20);
    await once(response, 'data');
    const { socket } = raw;
    call.destroy();
    await once(raw, 'close');
    const writes = [vi.spyOn(raw, 'write'), vi.spyOn(socket as Socket, 'write')];
    stream.write('late\n');
    expect(ended).toBe(false);
    await sent();
    expect(ended).toBe(true);
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });
});
