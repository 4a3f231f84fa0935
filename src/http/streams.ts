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

/** A response that is written piece by piece. */
export interface OpenStream {
  /** Whether the client has gone; what is written then goes nowhere. */
  readonly isClosed: boolean;
  /** Sends whole lines at once. Nothing is sent for an empty text. */
  write(chunk: string): void;
  /** Resolves when the reader has taken enough of what was written; at once where it keeps up. */
  ready(): Promise<void>;
  end(): void;
}

/** An AbortSignal for the work behind a response: aborted when the client goes away before the response is complete. */
export function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Begins a streamed response: headers go out at once, and silence is filled with keepalives until `end`. */
export function openStream(reply: FastifyReply, options: StreamOptions): OpenStream {
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
  return {
    get isClosed() {
      return response.destroyed;
    },
    write(chunk) {
      if (chunk === '' || response.destroyed) return;
      keepalive.refresh();
      response.write(chunk);
    },
    async ready() {
      if (response.writableNeedDrain && !response.destroyed) await drained(response);
    },
    end() {
      clearInterval(keepalive);
      response.end();
    },
  };
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
