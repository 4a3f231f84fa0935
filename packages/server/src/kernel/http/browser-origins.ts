import { DocentError } from '@docent/format/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

const PREFLIGHT_SECONDS = 86_400;

/**
 * An `onRequest` hook that accepts requests only from pages of the same origin and of the origins
 * that the site's owner allows, for example where a bundle of the site is read. Browsers send the
 * origin of a request themselves, and scripts of a page cannot change it (Fetch Metadata; the Fetch
 * standard on `Origin`). Answers the preflight requests of the allowed origins. With
 * `acceptsPrograms`, also accepts requests that no browser sent.
 * @throws DocentError `origin_not_allowed`
 */
export function requireOwnOrigin(
  allowedOrigins: (request: FastifyRequest) => Promise<readonly string[]>,
  { acceptsPrograms = false } = {},
) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> => {
    const { origin } = request.headers;
    if (acceptsPrograms && isFromProgram(request)) return undefined;
    if (isSameOrigin(request)) return undefined;
    if (origin !== undefined && (await allowedOrigins(request)).includes(origin))
      return allowOrigin(request, reply, origin);
    throw new DocentError(
      'origin_not_allowed',
      'This address is only for the pages of the site; other callers must use the API with a key.',
    );
  };
}

/** There are no cookies that a page could misuse; the response is for this origin only. */
function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origin: string,
): FastifyReply | undefined {
  reply.header('access-control-allow-origin', origin).header('vary', 'origin');
  reply.header(
    'access-control-expose-headers',
    'x-thread-id, x-thread-key, x-request-id, retry-after, mcp-protocol-version',
  );
  if (request.method !== 'OPTIONS') return undefined;
  reply.header('access-control-allow-methods', 'GET, POST');
  reply.header(
    'access-control-allow-headers',
    'content-type, accept, mcp-protocol-version, mcp-session-id, x-reader-token',
  );
  return reply.header('access-control-max-age', PREFLIGHT_SECONDS).code(204).send();
}

/** Browsers send the origin with every POST, and no page can prevent it. */
function isFromProgram({ headers }: FastifyRequest): boolean {
  return headers.origin === undefined && headers['sec-fetch-site'] === undefined;
}

/** Returns whether a page of the same origin sent a request. */
export function isSameOrigin({ headers, method }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  // Over plain HTTP browsers omit that header, but send the origin with everything except a plain
  // GET of the same origin.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD';
  return hostOf(headers.origin) === headers.host?.toLowerCase();
}

/**
 * Refuses a change that a page of another origin makes a browser send with the platform's cookies.
 * Sites are other origins too, and of the same site as the platform, so that `SameSite` does not
 * stop them.
 * @throws DocentError `foreign_origin`
 */
export function requirePlatformOrigin(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { headers, method }: FastifyRequest,
): void {
  if (method === 'GET' || method === 'HEAD') return;
  const { origin } = headers;
  const { origin: platformOrigin, protocol } = new URL(publicUrl);
  // The platform has other names too: accept the name of the request if no site has it.
  if (
    origin === platformOrigin ||
    (origin?.startsWith(protocol) && hostOf(origin) === headers.host?.toLowerCase())
  )
    return;
  throw new DocentError(
    'foreign_origin',
    `Changes with a session must come from pages of the platform; send "Origin: ${platformOrigin}", or use an admin key.`,
  );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

const DISCOVERY = /^\/(?:(?:api\/)?discovery\/|v[12]\/(?:assistant|search|page)\/)/;

/** Returns whether a request is for the part of the API that browsers call with a public key. */
export function isDiscoveryPath(url: string): boolean {
  return DISCOVERY.test(url);
}

const EXPOSED = [
  'x-thread-id',
  'x-thread-key',
  'x-request-id',
  'x-vercel-ai-data-stream',
  'x-vercel-ai-ui-message-stream',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'deprecation',
  'link',
].join(', ');

/** A list of header names, as sent by browsers. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,2000}$/;

/**
 * Lets every origin read every response of the discovery paths, including errors, and answers
 * preflight requests. There are no cookies to abuse; a key's own Origin allowlist is checked with
 * the key.
 */
export function allowBrowsers(
  request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  if (isDiscoveryPath(request.url))
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', EXPOSED);
  if (isDiscoveryPath(request.url) && request.method === 'OPTIONS') answerPreflight(request, reply);
  else done();
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  // In the Fetch standard, `*` does not cover Authorization, so the headers that the client
  // requests are listed.
  const requestedHeaders = request.headers['access-control-request-headers'];
  const names =
    typeof requestedHeaders === 'string' && HEADER_NAMES.test(requestedHeaders)
      ? requestedHeaders
      : 'authorization, content-type, x-request-id';
  reply.header('access-control-allow-methods', 'GET, POST, OPTIONS');
  reply
    .header('access-control-allow-headers', names)
    .header('vary', 'access-control-request-headers');
  reply.header('access-control-max-age', PREFLIGHT_SECONDS);
  reply.code(204).send();
}
