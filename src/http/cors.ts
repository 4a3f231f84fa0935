import type { FastifyReply, FastifyRequest } from 'fastify';

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

const PREFLIGHT_SECONDS = 86_400;

/**
 * Lets every origin read every response of the discovery paths, including errors, and answers preflight requests. There are no
 * cookies to abuse; a key's own Origin allowlist is checked with the key.
 */
export async function allowBrowsers(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (!isDiscoveryPath(request.url)) return undefined;
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
  if (request.method !== 'OPTIONS') return undefined;
  // In the Fetch standard, `*` does not cover Authorization, so the headers that the client requests are listed.
  const asked = request.headers['access-control-request-headers'];
  const names = typeof asked === 'string' && HEADER_NAMES.test(asked) ? asked : 'authorization, content-type, x-request-id';
  reply.header('access-control-allow-methods', 'GET, POST, OPTIONS');
  reply.header('access-control-allow-headers', names).header('vary', 'access-control-request-headers');
  reply.header('access-control-max-age', PREFLIGHT_SECONDS);
  return reply.code(204).send();
}
