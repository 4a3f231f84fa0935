import { Readable } from 'node:stream';
import { ipLimitKey, type TrustedProxies } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { atPace } from '../../lib/at-pace.ts';
import { clientOf } from './client-of.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route passes its body on as it arrives, so that it takes no memory; it bounds it itself.
     */
    streamsBody?: boolean;
  }
}

/**
 * Maximum bytes of the bodies that a process holds at a time, of all requests that have not been
 * answered.
 */
export const MAX_HELD_BYTES = 128 * 1024 * 1024;
/**
 * The part of each body that does not count, so that usual requests pass while somebody sends large
 * ones.
 */
const FREE_BYTES = 64 * 1024;
/**
 * A body of 10 MB over a slow line takes minutes; one that has stopped is refused after the grace
 * period.
 */
const PACE = { minBytesPerSecond: 16 * 1024, graceSeconds: 30 };
const RETRY_SECONDS = 10;

/**
 * Bounds the memory of request bodies: all that are held together, what a network or a key may have
 * of that, and how long one may stall.
 * @param trustedProxies proxies in front of the server, which name the address of the client
 * @param pace replaces the usual one
 */
export function boundBodies(
  app: FastifyInstance,
  {
    trustedProxies = { kind: 'none' },
    maxHeldBytes = MAX_HELD_BYTES,
    pace = PACE,
  }: BodyBounds = {},
): void {
  const heldBytes = new HeldBytes(maxHeldBytes);

  /** Counts a body until the request is answered or its connection is closed. */
  async function* counted(request: FastifyRequest, reply: FastifyReply): AsyncIterable<Uint8Array> {
    let bytes = 0;
    let countedBytes = 0;
    const clients = clientsOf(request, trustedProxies);
    reply.raw.once('close', () => heldBytes.release(clients, countedBytes));
    for await (const chunk of atPace(chunksOf(request), pace)) {
      bytes += chunk.byteLength;
      const more = Math.max(0, bytes - FREE_BYTES) - countedBytes;
      if (!heldBytes.hasRoom(clients, more)) throw tooMany();
      // What arrives after the end is not held.
      if (!reply.raw.closed) {
        heldBytes.add(clients, more);
        countedBytes += more;
      }
      yield chunk;
    }
  }

  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request) || request.routeOptions.config.streamsBody) return done();
    const body = Readable.from(counted(request, reply), { objectMode: false });
    // The parser no longer listens once it has refused a body for its size.
    body.on('error', (error) => {
      if (isTooSlow(error)) reply.header('connection', 'close');
    });
    done(null, body);
  });
}

interface BodyBounds {
  trustedProxies?: TrustedProxies;
  maxHeldBytes?: number;
  pace?: typeof PACE;
}

/**
 * Who a body counts for: the network that it comes from, and the key that it is sent with, which
 * may come from many networks.
 */
function clientsOf(request: FastifyRequest, trustedProxies: TrustedProxies): string[] {
  const address = clientOf({ config: { trustedProxies } }, request);
  const { authorization } = request.headers;
  return [
    ...(address ? [ipLimitKey(address)] : []),
    ...(authorization === undefined ? [] : [authorization]),
  ];
}

/**
 * Bytes that are held for clients. A client may have half of what the others leave: one alone half
 * of all, each of three a quarter, so that there is always room for another one.
 */
class HeldBytes {
  readonly #maxBytes: number;
  readonly #perClient = new Map<string, number>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  hasRoom(clients: readonly string[], more: number): boolean {
    if (more === 0) return true;
    const isWithin = (client: string) => {
      const its = (this.#perClient.get(client) ?? 0) + more;
      return its <= (this.#maxBytes - (this.#bytes + more - its)) / 2;
    };
    return this.#bytes + more <= this.#maxBytes && clients.every(isWithin);
  }

  add(clients: readonly string[], bytes: number): void {
    this.#bytes += bytes;
    for (const client of clients)
      this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + bytes);
  }

  release(clients: readonly string[], bytes: number): void {
    this.#bytes -= bytes;
    for (const client of clients) {
      const rest = (this.#perClient.get(client) ?? 0) - bytes;
      if (rest > 0) this.#perClient.set(client, rest);
      else this.#perClient.delete(client);
    }
  }
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
  const message =
    'The server holds as many bytes of requests as it may, or as it may for you; send the request again in some seconds.';
  return new DocentError('dependency_unavailable', message, { retryAfterSeconds: RETRY_SECONDS });
}
