import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { Logger } from '../../ports/logger.ts';

/** Headers of a stream of server-sent events that proxies do not buffer. */
export const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Idle time after which a keepalive is sent; proxies cut connections that are idle for longer. */
const KEEPALIVE_MS = 15_000;
/**
 * A reader that accepts nothing for this long is treated as disconnected, even if its connection is
 * open.
 */
const STALLED_MS = 60_000;
/** Writes of one turn are sent together up to this size. */
const MAX_JOINED = 16 * 1024;

export interface StreamOptions {
  headers: Record<string, string>;
  /** Ignored by readers of the protocol: an empty line, a comment. */
  keepalive: string;
  keepaliveMs?: number;
}

/** A response that is written piece by piece. */
export interface OpenStream {
  /** Whether the client has disconnected; later writes are discarded. */
  readonly isClosed: boolean;
  /** Sends whole lines at once. Ignores an empty text. */
  write(chunk: string): void;
  /**
   * Returns nothing if the reader keeps up; otherwise a promise that resolves when it has accepted
   * enough data.
   */
  ready(): Promise<void> | undefined;
  end(): void;
}

/** By server: aborted when its open streams have to end, because the process does. */
export const endings = new WeakMap<object, AbortSignal>();

/** Returns whether the process ends, so that a stream that was stopped is to say so. */
export function isEnding(reply: FastifyReply): boolean {
  return endings.get(reply.server.server)?.aborted === true;
}

/**
 * Returns an AbortSignal for the work behind a response: aborted if the client disconnects before
 * the response is complete, and when the process has to end.
 */
export function abortOnClose(reply: FastifyReply): AbortSignal {
  const response: ServerResponse = reply.raw;
  const ending = endings.get(reply.server.server);
  const controller = new AbortController();
  // Not `AbortSignal.any`: reading `aborted` of a combined signal costs an answer that streams 3 %.
  const abort = () => controller.abort();
  ending?.addEventListener('abort', abort, { once: true });
  if (ending?.aborted) abort();
  response.once('close', () => {
    ending?.removeEventListener('abort', abort);
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}

/**
 * Starts a streamed response. Headers are sent at once, together with anything written in the same
 * turn of the event loop. Sends keepalives while idle, until `end`.
 */
export function openStream(reply: FastifyReply, options: StreamOptions): OpenStream {
  reply.hijack();
  const response = reply.raw;
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...options.headers })) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
  let waiting = '';
  let hasBegun = false;
  let isFlushing = true;
  const flush = () => {
    isFlushing = false;
    const chunk = waiting;
    waiting = '';
    if (response.destroyed || response.writableEnded) return;
    if (hasBegun) writeChunk(response, chunk);
    else
      together(response, () => {
        hasBegun = true;
        response.flushHeaders();
        writeChunk(response, chunk);
      });
  };
  process.nextTick(flush);
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
      waiting += chunk;
      if (waiting.length > MAX_JOINED) flush();
      else if (!isFlushing) {
        isFlushing = true;
        process.nextTick(flush);
      }
    },
    ready() {
      const { socket } = response;
      if (response.destroyed || socket === null) return undefined;
      return socket.writableNeedDrain || response.writableNeedDrain ? drained(socket) : undefined;
    },
    end() {
      clearInterval(keepalive);
      together(response, () => {
        flush();
        response.end();
      });
    },
  };
}

/** Merges pending writes into one packet if there is room. */
function together(response: ServerResponse, write: () => void): void {
  const { socket } = response;
  socket?.cork();
  write();
  socket?.uncork();
}

/**
 * Writes a piece as one frame of the chunked transfer coding (RFC 9112 §7.1). `response.write`
 * splits it into four writes, which for thousands of streams of small pieces is twice the work.
 */
function writeChunk(response: ServerResponse, chunk: string): void {
  if (chunk === '') return;
  const { socket } = response;
  // A response that waits for an earlier one on its connection has no socket yet; HTTP/1.0 clients
  // do not support chunks.
  const isDirect =
    socket instanceof Socket && response.chunkedEncoding && response.writableLength === 0;
  if (!isDirect) response.write(chunk);
  else socket.write(`${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
}

async function drained(socket: Socket): Promise<void> {
  const stop = new AbortController();
  const stalled = setTimeout(() => socket.destroy(), STALLED_MS);
  try {
    await Promise.race([
      once(socket, 'drain', { signal: stop.signal }),
      once(socket, 'close', { signal: stop.signal }),
    ]);
  } finally {
    clearTimeout(stalled);
    stop.abort();
  }
}

/** Returns the declaration of a response that `follow` sends. */
export function eventsOf(description: string, example: string) {
  return {
    description,
    content: { 'text/event-stream': { schema: z.string().meta({ examples: [example] }) } },
  };
}

/** Work whose state is stored in a row, whichever process does it. */
export interface Followed<Row extends { id: string }> {
  read: () => Promise<Row>;
  everyMs: number;
  /** Sends what has changed since the last call. */
  send: (stream: OpenStream, row: Row) => void;
  hasEnded: (row: Row) => boolean;
  /** Logged with the id and the reason if the row cannot be read. */
  failure: string;
}

/**
 * Streams the progress of work as server-sent events until it has ended, its row is deleted, the
 * client leaves, or the process ends. The row is read once before the response begins, so that a
 * request for a missing one fails.
 */
export async function follow<Row extends { id: string }>(
  reply: FastifyReply,
  logger: Logger,
  { read, everyMs, send, hasEnded, failure }: Followed<Row>,
): Promise<void> {
  let row = await read();
  const stream = openStream(reply, { headers: eventHeaders, keepalive: ': keepalive\n\n' });
  try {
    while (!stream.isClosed && !isEnding(reply)) {
      send(stream, row);
      if (hasEnded(row)) return;
      await stream.ready();
      await wait(everyMs);
      try {
        row = await read();
      } catch (error) {
        if (error instanceof DocentError && error.kind === 'not-found') return;
        // The database may be back in a moment; the reader keeps waiting.
        logger.warn({ id: row.id, error: String(error) }, failure);
      }
    }
  } finally {
    stream.end();
  }
}
