import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { DocentError } from '../core/errors.ts';
import type { Deps } from '../services/deps.ts';
import { openApiOptions } from './api-document/document-options.ts';
import type { App } from './app-types.ts';
import { auditOperations } from './audit.ts';
import { answerClientError } from './client-error.ts';
import { allowBrowsers, isDiscoveryPath } from './cors.ts';
import { watchMethods } from './method-not-allowed.ts';
import { createMetrics } from './metrics.ts';
import { isOperatorRequest } from './operator.ts';
import { guardPreviews } from './preview-gate.ts';
import { asksForText, PROBLEM_TYPE, problemOf, statusOf, toDocentError } from './problem.ts';
import { requestIdOf } from './request-id.ts';
import { isForNobody, ownerOfHost, rewriteUrl, type SlugOfHostname } from './rewrite-host.ts';
import { probeRoutes } from './routes/platform/probe-routes.ts';
import { registerRoutes } from './routes/register-routes.ts';
import { separateSites } from './site-origins.ts';

export interface AppOptions {
  /** Which site a hostname belongs to; asked for every request, so it must not wait for anything. */
  slugOfHostname?: SlugOfHostname;
  /** Routes that are added besides those of the API. */
  plugins?: FastifyPluginAsync[];
  /** Whether the process was asked to stop and only finishes what it has begun. */
  isLeaving?: () => boolean;
}

/** A slow upload may take this long; a connection that only pretends to send is cut then. */
const REQUEST_TIMEOUT_MS = 30 * 60 * 1000;
const BODY_LIMIT_BYTES = 1024 * 1024;
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/** What load balancers ask by whatever name. */
const HEALTH = new Set(['/healthz', '/readyz']);
const CLOSE_GRACE_MS = 4000;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** Makes the HTTP application. It listens nowhere yet. */
export async function buildApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const ownerOf = ownerOfHost(deps.config, options.slugOfHostname ?? (() => undefined));
  const isLeaving = options.isLeaving ?? (() => false);
  const metrics = createMetrics(deps);
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: (request) => requestIdOf(request.headers),
    rewriteUrl: (request) => rewriteUrl(request, ownerOf),
    frameworkErrors: (error, request, reply) => sendProblem(deps, error, request, reply),
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: 512 },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptJson(app);
  const methodsOf = watchMethods(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // A connection that is kept would bring its next request here, after the load balancer has looked away.
    if (isLeaving()) reply.header('connection', 'close');
  });
  app.addHook('onRequest', refuseUnknownHost);
  app.addHook('onRequest', warnOfUntrustedProxy(deps));
  app.addHook('onRequest', allowBrowsers);
  separateSites(app, deps);
  guardPreviews(app, deps);
  app.addHook('onSend', auditOperations(deps));
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply);
    logRequest(deps, request, reply);
  });
  // Answers that are being streamed may come to their end; then they are cut, so that closing does.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref();
  });
  app.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?')[0] as string);
    if (allowed.length === 0) throw new DocentError('route_not_found', 'There is nothing at this address.');
    reply.header('allow', allowed.join(', '));
    throw new DocentError('method_not_allowed', `This address takes ${allowed.join(', ')}.`);
  });

  await app.register(swagger, openApiOptions(deps.config.publicUrl));
  registerRoutes(app, deps, metrics);
  probeRoutes(app, deps, metrics, isLeaving);
  for (const plugin of options.plugins ?? []) await app.register(plugin);
  await app.ready();
  return app;
}

/** A page elsewhere can make a browser call us under a name of its own that leads here (DNS rebinding), and would read the answer. */
async function refuseUnknownHost(request: FastifyRequest): Promise<void> {
  if (!isForNobody(request.raw) || isOperatorRequest(request) || HEALTH.has(request.url.split('?')[0] as string)) return;
  throw new DocentError(
    'misdirected_request',
    'No site and no platform has this host name here; use the public address, a hostname of a site, or an IP address.',
  );
}

/** Says once that a proxy passes requests on whose clients cannot be distinguished. */
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

/** JSON only, and an empty body with a JSON content type counts as none: many clients send that on a POST without a body. */
export function acceptJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body.length === 0) done(null, undefined);
    else parseJson(request, body, done);
  });
}

export function sendProblem(
  { logger }: Pick<Deps, 'logger'>,
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error = toDocentError(cause);
  const status = statusOf(error);
  if (status === 500 || error.code === 'dependency_unavailable') {
    const fault = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    logger.error({ requestId: request.id, fault: fault.slice(0, 4000) }, 'request failed');
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  else if (status === 503) reply.header('retry-after', 10);
  if (status === 413) readTheRest(request, reply);
  reply.header('x-request-id', request.id);
  const problem = problemOf(error, { requestId: request.id, isDiscovery: isDiscoveryPath(request.url) });
  if (asksForText(request.headers.accept)) reply.code(status).type('text/plain; charset=utf-8').send(error.message);
  else reply.code(status).type(PROBLEM_TYPE).send(problem);
}

/**
 * A client that is still sending when the connection is closed may lose the answer, and a browser then reports nothing to its page.
 * So what is left of a body that is not too much is read and thrown away.
 */
function readTheRest(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MAX_DISCARDED_BYTES) return;
  reply.removeHeader('connection');
  request.raw.resume();
}

/** Paths that end in a secret: whoever reads the log could accept the invitation. */
const SECRET_PATH = /^(\/(?:v1\/invitations|dashboard\/(?:invite|reset))\/)[^/]+/;

/** The path without its query, which may hold the signature of a link. */
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
