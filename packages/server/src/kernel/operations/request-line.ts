import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { CountedReply, CountedRequest } from '../http/repeat-answers.ts';
import { isOperatorRequest } from './identify.ts';

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/**
 * Paths that end in a secret: a reader of the log could accept the invitation, set the password, or
 * confirm the address.
 */
const SECRET_PATH =
  /^(\/(?:v1\/invitations|v1\/auth\/reset-password|dashboard\/(?:invite|reset|email))\/)[^/]+/;
/** Internal URLs of a site's own host have this form too (`site-hosts.ts`). */
const SITE = /^\/sites\/([^/?]+)/;
/** The longest name of a host (RFC 1035, 2.3.4) with a port. */
const MAX_HOST_LENGTH = 259;

const added = new WeakMap<object, object>();

/**
 * Adds ids of the work that a request started to its line in the log, so that the one leads to the
 * other.
 */
export function addToRequestLine(
  request: FastifyRequest,
  ids: { deploymentId: string } | { jobId: string },
): void {
  added.set(request, { ...added.get(request), ...ids });
}

/** Logs an answered request: without its query, which may contain the signature of a link. */
export function logRequest(
  { logger }: Pick<Deps, 'logger'>,
  request: CountedRequest,
  reply: CountedReply,
): void {
  const path = request.originalUrl.split('?')[0]?.replace(SECRET_PATH, '$1***');
  const fields = {
    requestId: request.id,
    method: request.method,
    host: request.headers.host?.slice(0, MAX_HOST_LENGTH),
    site: SITE.exec(request.url)?.[1],
    path,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    ...added.get(request),
  };
  // Commands of the local operator and probes poll; they are not traffic.
  if (isOperatorRequest(request) || PROBES.has(path ?? '')) logger.debug(fields, 'request');
  else logger.info(fields, 'request');
}
