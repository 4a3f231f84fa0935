import type { FastifyRequest } from 'fastify';
import { DocentError } from '../core/errors.ts';

/**
 * A hook for `onRequest`: takes requests from pages of the same origin and no others. Browsers say by themselves where a
 * request comes from, and scripts of a page cannot change what they say (Fetch Metadata; the Fetch standard on `Origin`).
 * @throws DocentError `origin_not_allowed`
 */
export async function requireSameOrigin(request: FastifyRequest): Promise<void> {
  if (isSameOrigin(request)) return;
  throw new DocentError(
    'origin_not_allowed',
    'This address is for the pages of the site itself; other callers use the API with a key.',
  );
}

function isSameOrigin({ headers, method }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined) return fetchSite === 'same-origin';
  // Over plain HTTP browsers leave that header out; the origin they send with everything but a plain GET of the same origin.
  if (headers.origin === undefined) return method === 'GET' || method === 'HEAD';
  return hostOf(headers.origin) === headers.host?.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
