import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SITE_ROUTE } from './site-route.ts';

/** What is needed of a request to count and log it. */
export type CountedRequest = Pick<
  FastifyRequest,
  'id' | 'method' | 'headers' | 'raw' | 'url' | 'originalUrl'
> & { routeOptions: { url?: string | undefined } };
export type CountedReply = Pick<FastifyReply, 'statusCode' | 'elapsedTime'>;

/** How an answer can be sent again to somebody else. */
export interface Repeatable {
  body: Buffer | undefined;
  /** The organization of the site. */
  owner: string;
  /** Returns whether the answer would be the same now, and counts its request then. */
  repeat: (request: CountedRequest) => Promise<boolean>;
}

interface Answer extends Repeatable {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  bytes: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
/** Longer addresses and headers are those of programs, and hardly repeated. */
const MAX_KEY_LENGTH = 1000;
const ROUTE = `${SITE_ROUTE}/*`;
/** The headers of a request that its answer may depend on. */
const KEY_HEADERS = ['host', 'accept', 'accept-encoding', 'if-none-match'] as const;
/** A request with these is not answered here. */
const OTHER_HEADERS = ['range', 'content-length', 'transfer-encoding'] as const;
/** Made anew for each response. */
const OF_RESPONSE = new Set(['x-request-id', 'strict-transport-security', 'connection']);

const repeatables = new WeakMap<FastifyRequest, Repeatable>();

/** Marks the answer of a request as one that others may get too. */
export function allowRepeat(request: FastifyRequest, repeatable: Repeatable): void {
  repeatables.set(request, repeatable);
}

/**
 * A cache of answers for everybody in front of the router (RFC 9111): what the routes and their
 * hooks have once answered is sent again, for a fraction of the work, while it is the same. It
 * decides nothing itself. It keeps what an answer's own `Cache-Control` and `Vary` allow, and asks
 * the site of the answer before each use.
 * @param options.internalUrl of a request, as the router gets it
 * @param options.onSent called after a response, as the router's `onResponse` is
 */
export function createRepeats(options: {
  internalUrl: (raw: IncomingMessage) => string;
  onSent: (request: CountedRequest, reply: CountedReply) => void;
}) {
  const answers = new BoundedCache<Answer>('repeated_answers', {
    maxBytes: MAX_BYTES,
    sizeOf: ({ bytes }) => bytes,
    ownerOf: ({ owner }) => owner,
  });
  return {
    /** Keeps an answer that was sent, if it may be sent again. */
    keep(request: FastifyRequest, reply: FastifyReply): void {
      const repeatable = repeatables.get(request);
      if (!repeatable) return;
      const key = keyOf(request.url, request);
      const headers = reply.getHeaders();
      const { statusCode: status } = reply;
      const isWhole = status === 304 || (status === 200 && repeatable.body !== undefined);
      if (key === undefined || !isWhole || !isForEverybody(headers)) return;
      const lines = Object.entries(headers)
        .filter(([name]) => !OF_RESPONSE.has(name))
        .flatMap(([name, value]) => [name, String(value)]);
      const bytes = 2 * lines.join().length + (repeatable.body?.byteLength ?? 0);
      answers.set(key, { ...repeatable, status, headers: lines, bytes });
    },

    /**
     * Answers a request again. @returns undefined, or false in the end, if the router has to
     * @param headersFor the headers of each response, with its request id
     */
    answer(
      raw: IncomingMessage,
      response: ServerResponse,
      headersFor: () => { id: string; headers: string[] },
    ): Promise<boolean> | undefined {
      const startedAt = performance.now();
      const originalUrl = raw.url as string;
      const url = options.internalUrl(raw);
      const key = keyOf(url, raw as { method: string; headers: IncomingMessage['headers'] });
      const answer = key === undefined ? undefined : answers.get(key);
      if (key === undefined || !answer) return undefined;
      const { id, headers } = headersFor();
      const { method = 'GET' } = raw;
      const routeOptions = { url: ROUTE };
      const request = { id, method, headers: raw.headers, raw, url, originalUrl, routeOptions };
      return answer.repeat(request).then((isSame) => {
        if (!isSame) {
          answers.delete(key);
          return false;
        }
        const statusCode = answer.status;
        response.once('finish', () => {
          const elapsedTime = performance.now() - startedAt;
          options.onSent(request, { statusCode, elapsedTime });
        });
        response.writeHead(statusCode, [...answer.headers, ...headers]).end(answer.body);
        return true;
      });
    },
  };
}

/** Returns what identifies an answer among all; undefined for requests that are not repeated. */
function keyOf(
  url: string,
  { method, headers }: Pick<CountedRequest, 'method' | 'headers'>,
): string | undefined {
  if (method !== 'GET' || !url.startsWith('/sites/') || url.includes('?')) return undefined;
  for (const name of OTHER_HEADERS) if (headers[name] !== undefined) return undefined;
  let key = url;
  for (const name of KEY_HEADERS) key += `\n${headers[name] ?? ''}`;
  // The first request that comes through a proxy may be warned of (`http-app.ts`).
  if (headers['x-forwarded-for'] !== undefined) key += '\nforwarded';
  return key.length > MAX_KEY_LENGTH ? undefined : key;
}

function isForEverybody(headers: ReturnType<FastifyReply['getHeaders']>): boolean {
  const { vary = '', 'cache-control': cacheControl = '', 'set-cookie': cookie } = headers;
  const names: readonly string[] = KEY_HEADERS;
  return (
    cookie === undefined &&
    String(cacheControl).startsWith('public') &&
    String(vary)
      .split(', ')
      .every((name) => name === '' || names.includes(name))
  );
}
