import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DocentError } from '../core/errors.ts';
import { atPace } from '../lib/at-pace.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route passes its body on as it arrives, so that it takes no memory; it bounds it itself. */
    streamsBody?: boolean;
  }
}

/** Maximum bytes of the bodies that a process holds at a time, of all requests that have not been answered. */
export const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** The part of each body that does not count, so that usual requests pass while somebody sends large ones. */
const FREE_BYTES = 64 * 1024;
/** A body of 10 MB over a slow line takes minutes; one that has stopped is refused after the grace period. */
const PACE = { minBytesPerSecond: 16 * 1024, graceSeconds: 30 };
const RETRY_SECONDS = 10;

/**
 * Bounds the memory of request bodies: all that are held together, and how long one may stall.
 * @param pace replaces the usual one
 */
export function boundBodies(app: FastifyInstance, { maxHeldBytes = MAX_HELD_BYTES, pace = PACE } = {}): void {
  let heldBytes = 0;

  /** Counts a body until the request is answered or its connection is closed. */
  async function* held(request: FastifyRequest, reply: FastifyReply): AsyncIterable<Uint8Array> {
    let bytes = 0;
    let counted = 0;
    reply.raw.once('close', () => {
      heldBytes -= counted;
    });
    for await (const chunk of atPace(chunksOf(request), pace)) {
      bytes += chunk.byteLength;
      const more = Math.max(0, bytes - FREE_BYTES) - counted;
      if (heldBytes + more > maxHeldBytes) throw tooMany();
      // What arrives after the end is not held.
      if (!reply.raw.closed) {
        heldBytes += more;
        counted += more;
      }
      yield chunk;
    }
  }

  app.addHook('preParsing', async (request, reply) => {
    if (!hasBody(request) || request.routeOptions.config.streamsBody) return undefined;
    const body = Readable.from(held(request, reply), { objectMode: false });
    // The parser no longer listens once it has refused a body for its size.
    body.on('error', (error) => {
      if (isTooSlow(error)) reply.header('connection', 'close');
    });
    return body;
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Stopping early must not close the connection, which still has to carry the response. */
function chunksOf({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => raw.iterator({ destroyOnReturn: false }) };
}

function isTooSlow(error: unknown): boolean {
  return error instanceof DocentError && error.kind === 'timeout';
}

function tooMany(): DocentError {
  const message = 'The server holds as many bytes of requests as it may; send the request again in some seconds.';
  return new DocentError('dependency_unavailable', message, { retryAfterSeconds: RETRY_SECONDS });
}
