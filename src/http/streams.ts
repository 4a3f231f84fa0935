import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Silence after which a keepalive is sent; proxies cut connections that are idle for longer. */
const KEEPALIVE_MS = 15_000;
/** A reader that takes nothing for this long is gone, whatever its connection says. */
const STALLED_MS = 60_000;

export interface StreamOptions {
  headers: Record<string, string>;
  /** What a reader of the protocol ignores: an empty line, a comment. */
  keepalive: string;
  keepaliveMs?: number;
}

/** An AbortSignal for the work behind a response: aborted when the client goes away before the response is complete. */
export function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Sends chunks as they come. Headers go out at once; a slow reader slows the source down; nothing is written after the
 * client is gone. Each chunk must be whole lines, because clients wait for the end of a line.
 * @throws whatever `chunks` throws, after the response was ended cleanly
 */
export async function sendStream(reply: FastifyReply, chunks: AsyncIterable<string>, options: StreamOptions): Promise<void> {
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...options.headers })) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
  response.flushHeaders();
  const keepalive = setInterval(() => {
    if (!response.writableNeedDrain && !response.destroyed) response.write(options.keepalive);
  }, options.keepaliveMs ?? KEEPALIVE_MS);
  try {
    for await (const chunk of chunks) {
      if (response.destroyed) break;
      keepalive.refresh();
      if (!response.write(chunk)) await drained(response);
    }
  } finally {
    clearInterval(keepalive);
    response.end();
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const stop = new AbortController();
  const stalled = setTimeout(() => response.destroy(), STALLED_MS);
  try {
    await Promise.race([once(response, 'drain', { signal: stop.signal }), once(response, 'close', { signal: stop.signal })]);
  } finally {
    clearTimeout(stalled);
    stop.abort();
  }
}
