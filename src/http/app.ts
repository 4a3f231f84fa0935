import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { DocentError } from '../core/errors.ts';
import type { Deps } from '../services/deps.ts';
import { openApiOptions } from './api-document/document-options.ts';
import { auditOperations } from './audit.ts';
import { createBaseApp } from './base-app.ts';
import { allowBrowsers, isDiscoveryPath } from './browser-origins.ts';
import { isOperatorRequest } from './identify.ts';
import { guardPreviews } from './preview-gate.ts';
import { createPlatformMetrics, probeRoutes } from './routes/platform/probes.ts';
import { registerRoutes } from './routes/register-routes.ts';
import { isUnknownHost, ownerOfHost, rewriteUrl, type SlugOfHostname, separateSites } from './site-hosts.ts';

export interface AppOptions {
  /** Returns the site of a hostname. Synchronous, since every request needs it. */
  slugOfHostname?: SlugOfHostname;
  /** Adds routes besides those of the API. */
  plugins?: FastifyPluginAsync[];
  /** Whether the process was asked to stop and only finishes open requests. */
  isLeaving?: () => boolean;
}

/** Maximum duration of a slow upload; it also cuts connections that only pretend to send. */
const REQUEST_TIMEOUT_MS = 30 * 60 * 1000;
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/** Paths of load balancer probes, on any hostname. */
const HEALTH = new Set(['/healthz', '/readyz']);

/** Creates the HTTP application. Does not listen yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const ownerOf = ownerOfHost(deps.config, options.slugOfHostname ?? (() => undefined));
  const isLeaving = options.isLeaving ?? (() => false);
  const metrics = createPlatformMetrics(deps);
  const app = createBaseApp({
    logger: deps.logger,
    isLeaving,
    requestTimeout: REQUEST_TIMEOUT_MS,
    rewriteUrl: (request) => rewriteUrl(request, ownerOf),
  });
  app.addHook('onRequest', refuseUnknownHost);
  app.addHook('onRequest', warnOfUntrustedProxy(deps));
  app.addHook('onRequest', allowBrowsers);
  app.addHook('onRequest', keepFromCaches);
  separateSites(app, deps);
  guardPreviews(app, deps);
  app.addHook('onSend', auditOperations(deps));
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply);
    logRequest(deps, request, reply);
  });
  await app.register(swagger, openApiOptions(deps.config.publicUrl));
  registerRoutes(app, deps, metrics);
  probeRoutes(app, deps, metrics, isLeaving);
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  await app.ready();
  return app;
}

/**
 * A page elsewhere can make a browser call us under its own hostname that resolves to us (DNS rebinding), and read the response.
 */
async function refuseUnknownHost(request: FastifyRequest): Promise<void> {
  if (!isUnknownHost(request.raw) || isOperatorRequest(request) || HEALTH.has(request.url.split('?')[0] as string)) return;
  throw new DocentError(
    'misdirected_request',
    'No site or platform has this host name; use the public address, a hostname of a site, or an IP address.',
  );
}

/** Responses of the API are of one caller and one moment, and some hold a secret. Routes whose responses may be kept say so. */
async function keepFromCaches(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.url.startsWith('/v1/') || isDiscoveryPath(request.url)) reply.header('cache-control', 'no-store');
}

/** Warns once that requests come through a proxy whose clients cannot be distinguished. */
function warnOfUntrustedProxy({ config, logger }: Pick<Deps, 'config' | 'logger'>) {
  let isDone = config.trustedProxies.kind !== 'none';
  return async (request: FastifyRequest): Promise<void> => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    logger.warn(
      { remoteAddress: request.raw.socket.remoteAddress },
      'a request carries X-Forwarded-For, but no proxy is trusted, so all its clients share one address and one limit; set DOCENT_TRUSTED_PROXIES',
    );
  };
}

/** Paths that end in a secret: a reader of the log could accept the invitation. */
const SECRET_PATH = /^(\/(?:v1\/invitations|dashboard\/(?:invite|reset))\/)[^/]+/;

/** Returns the path without its query, which may contain the signature of a link. */
function logRequest({ logger }: Pick<Deps, 'logger'>, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.originalUrl.split('?')[0]?.replace(SECRET_PATH, '$1***');
  const fields = {
    requestId: request.id,
    method: request.method,
    path,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
  };
  // Commands of the local operator and probes poll; they are not traffic.
  if (isOperatorRequest(request) || PROBES.has(path ?? '')) logger.debug(fields, 'request');
  else logger.info(fields, 'request');
}
