import { randomUUID } from 'node:crypto';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { DocentError } from '@docent/format/errors.ts';
import { literalPattern } from '@docent/format/patterns.ts';
import { PLAIN_PAGE_POLICY } from '@docent/theme/plain-page.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import type { Logger } from '../../ports/logger.ts';
import { boundBodies } from './bounded-bodies.ts';
import { isDiscoveryPath } from './browser-origins.ts';
import {
  asksForPage,
  asksForText,
  PROBLEM_TYPE,
  type Problem,
  problemOf,
  problemPage,
  statusOf,
  toDocentError,
} from './problem.ts';
import type { createRepeats } from './repeat-answers.ts';
import { endings } from './streams.ts';

/** The application as routes see it: handlers receive the types that they declare in zod. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface BaseAppOptions {
  logger: Logger;
  /** Whether the process was asked to stop and only finishes open requests. */
  isLeaving?: (() => boolean) | undefined;
  /** Timeout for receiving a request. */
  requestTimeout?: number;
  /**
   * Returns the `Strict-Transport-Security` of a request's host; nothing if it may be requested
   * without TLS.
   */
  transportPolicyOf?: (request: IncomingMessage) => string | undefined;
  /** Replaces the usual bounds of bodies; `trustedProxies` says whose they are. */
  bodies?: Parameters<typeof boundBodies>[1];
  /** Returns the internal URL of a request. */
  rewriteUrl?: (request: IncomingMessage) => string;
  /** Answers requests in place of the router. */
  repeats?: Pick<ReturnType<typeof createRepeats>, 'answer'>;
}

/**
 * What every answer says to a browser: its media type is meant, and no other page may frame it.
 * Routes that serve pages replace the policy by their own.
 */
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
};

/**
 * Schemas are those of zod. For its defaults, which are replaced at once, the framework would load
 * two compilers of JSON Schema: 30 ms of a start (2026-11-30).
 */
const NO_JSON_SCHEMA = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

function refuseSchema(): never {
  throw new Error('Routes declare their schemas in zod.');
}

/**
 * How long open responses may take to finish when the server closes; answers that take longer end
 * with an error part before.
 */
const CLOSE_GRACE_MS = 8000;
const ANSWER_GRACE_MS = 6000;
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Creates the base of every HTTP application: JSON, request ids, errors as problem documents, a
 * graceful shutdown. It has no routes yet.
 */
export function createBaseApp(options: BaseAppOptions): App {
  const {
    logger,
    isLeaving = () => false,
    requestTimeout,
    bodies,
    rewriteUrl,
    transportPolicyOf,
    repeats,
  } = options;
  const app = Fastify({
    logger: false,
    // Node.js would refuse these requests itself, with an empty response without a request id.
    http: { requireHostHeader: false },
    // What arrives while the server closes is answered like any other request, and the connection
    // ends with it; the framework's own 503 is none of our errors.
    return503OnClosing: false,
    ...(requestTimeout !== undefined && { requestTimeout }),
    genReqId: (request) => requestIdOf(request.headers),
    ...(rewriteUrl && { rewriteUrl }),
    frameworkErrors: (error, request, reply) => sendProblem(logger, error, request, reply),
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: 512 },
    schemaController: { compilersFactory: NO_JSON_SCHEMA },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptJson(app);
  const methodsOf = watchMethods(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(SAFE_HEADERS);
    const transportPolicy = transportPolicyOf?.(request.raw);
    if (transportPolicy !== undefined) reply.header('strict-transport-security', transportPolicy);
    // A kept-alive connection would send its next request here, after the load balancer has moved
    // on.
    if (isLeaving()) reply.header('connection', 'close');
    requireHost(request);
    done();
  });
  // An expectation that is not known may be ignored (RFC 9110, 10.1.1); Node.js would send an empty
  // response.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  const ending = new AbortController();
  endings.set(app.server, ending.signal);
  if (repeats)
    app.server.removeAllListeners('request').on('request', (raw, response) => {
      const route = () => app.routing(raw, response);
      const answering =
        isLeaving() || hasTwoHosts(raw)
          ? undefined
          : repeats.answer(raw, response, () => {
              const id = requestIdOf(raw.headers);
              const transportPolicy = transportPolicyOf?.(raw);
              const headers = ['x-request-id', id];
              if (transportPolicy !== undefined)
                headers.push('strict-transport-security', transportPolicy);
              return { id, headers };
            });
      if (answering) answering.then((isAnswered) => isAnswered || route(), route);
      else route();
    });
  app.addHook('preClose', async () => {
    setTimeout(() => ending.abort(), ANSWER_GRACE_MS).unref();
    setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref();
  });
  app.setErrorHandler((error, request, reply) => sendProblem(logger, error, request, reply));
  const refuseAddress = (request: FastifyRequest, reply: FastifyReply): never => {
    const allowed = methodsOf(request.url.split('?')[0] as string);
    if (allowed.length === 0)
      throw new DocentError('route_not_found', 'Nothing was found at this address.');
    reply.header('allow', allowed.join(', '));
    throw new DocentError('method_not_allowed', `This address supports ${allowed.join(', ')}.`);
  };
  // Before the body is parsed: a wrong address or method is the error to report, for any body.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.is404) refuseAddress(request, reply);
    done();
  });
  boundBodies(app, bodies);
  app.setNotFoundHandler(refuseAddress);
  return app;
}

/** Proxies and this server must not take a request for different hosts (RFC 9112, 3.2). */
function requireHost({ raw, headers }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && headers.host === undefined)
    throw new DocentError(
      'invalid_request',
      'The request has no Host header, which HTTP/1.1 requires; send one.',
    );
  if (hasTwoHosts(raw))
    throw new DocentError(
      'invalid_request',
      'The request has more than one Host header; send one.',
    );
}

/** Looks at the names alone: Node.js would make lists of the values of all headers. */
function hasTwoHosts({ rawHeaders = [] }: Partial<IncomingMessage>): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

/**
 * Accepts JSON only; an empty body with a JSON content type counts as none: many clients send that
 * on a POST without a body.
 */
function acceptJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => {
      if (body.length === 0) done(null, undefined);
      else parseJson(request, body, done);
    },
  );
}

function sendProblem(
  logger: Logger,
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const error = wasAborted(request, cause)
    ? cutOff()
    : toDocentError(cause, request.routeOptions.bodyLimit);
  const status = statusOf(error);
  if (status === 500 || error.kind === 'unavailable') {
    const fault = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    logger.error({ requestId: request.id, fault: fault.slice(0, 4000) }, 'request failed');
  }
  if (status === 401 && !reply.hasHeader('www-authenticate'))
    reply.header('www-authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
  else if (status === 503) reply.header('retry-after', 10);
  const problem = problemOf(error, {
    requestId: request.id,
    isDiscovery: isDiscoveryPath(request.url),
  });
  const [type, body] = inRequestedForm(problem, error, request);
  reply.code(status).header('x-request-id', request.id).type(type);
  reply.header(
    'vary',
    ['accept', reply.getHeader('vary')].filter((name) => name !== undefined).join(', '),
  );
  // A browser asks again by itself.
  if (error.kind === 'not-yet') reply.header('refresh', error.retryAfterSeconds ?? 10);
  if (type.startsWith('text/html'))
    reply
      .header('content-security-policy', PLAIN_PAGE_POLICY)
      .header('referrer-policy', 'no-referrer');
  if (status === 413 && Number(request.headers['content-length'] ?? 0) <= MAX_DISCARDED_BYTES)
    sendBeforeEnd(request, reply, body);
  else reply.send(body);
}

/**
 * Whether a request failed because its client closed the connection before the body was complete:
 * nobody reads the answer.
 */
function wasAborted({ raw }: FastifyRequest, cause: unknown): boolean {
  return raw.errored !== null && raw.errored === cause;
}

function cutOff(): DocentError {
  return new DocentError(
    'invalid_request',
    'The connection was closed before the body of the request was complete.',
  );
}

/**
 * Returns the media type and body: a page for people, a sentence for chat clients, otherwise a
 * problem document.
 */
function inRequestedForm(
  problem: Problem,
  { kind }: DocentError,
  request: FastifyRequest,
): [type: string, body: string] {
  if (asksForPage(request))
    return ['text/html; charset=utf-8', problemPage(problem, kind !== 'not-yet')];
  if (asksForText(request.headers.accept)) return ['text/plain; charset=utf-8', problem.detail];
  return [PROBLEM_TYPE, JSON.stringify(problem)];
}

/**
 * Sends a response to a client that is still sending. If the connection were closed now, the bytes
 * in transit would cause a reset, and the response would be lost: a browser reports nothing to its
 * page. A completed response closes a connection that is not kept alive, so it is completed with
 * the request, whose rest is read and discarded.
 */
function sendBeforeEnd({ raw }: FastifyRequest, reply: FastifyReply, body: string): void {
  async function* bodyThenRest(): AsyncIterable<string> {
    yield body;
    let discarded = 0;
    raw.on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > MAX_DISCARDED_BYTES) raw.destroy();
    });
    if (!raw.readableEnded && !raw.destroyed)
      await new Promise((resolve) => raw.once('end', resolve).once('close', resolve));
  }
  reply.removeHeader('connection').header('content-length', Buffer.byteLength(body));
  reply.send(Readable.from(bodyThenRest(), { objectMode: false }));
}

/**
 * Responds on the bare connection to requests that are not valid HTTP, or whose headers are too
 * large.
 */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const fault =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new DocentError(
          'headers_too_large',
          'The headers of the request are too large; send fewer or shorter ones.',
        )
      : new DocentError('invalid_request', 'The request is not valid HTTP.');
  const body = JSON.stringify(problemOf(fault, { requestId, isDiscovery: false }));
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
    ...SAFE_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${statusOf(fault)} ${STATUS_CODES[statusOf(fault)]}\r\n${lines.join('')}\r\n${body}`,
  );
}

const SANE_ID = /^[\w.:-]{1,64}$/;

/**
 * Returns the id of a request: the caller's own if it is short and plain, so that logs can be
 * correlated, else a new one.
 */
function requestIdOf(headers: IncomingHttpHeaders): string {
  const requestId = headers['x-request-id'];
  return typeof requestId === 'string' && SANE_ID.test(requestId) ? requestId : randomUUID();
}

/** Converts `/v1/keys/:keyId` to a regular expression for paths; `*` matches the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : literalPattern(part)))
    .join('');
  return new RegExp(`^${source}$`);
}

/**
 * Records the routes that are added from now on. @returns a function that returns the methods that
 * a path accepts
 */
function watchMethods(app: FastifyInstance) {
  const methodsByUrl = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = methodsByUrl.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    methodsByUrl.set(url, entry);
    for (const httpMethod of [method].flat()) entry.methods.add(httpMethod);
  });
  return (path: string): string[] => {
    const routes = [...methodsByUrl.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(routes.flatMap(({ methods }) => [...methods]))].sort();
  };
}
