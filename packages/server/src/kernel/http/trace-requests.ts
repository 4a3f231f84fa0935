import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenSpan, Telemetry } from '../../ports/telemetry.ts';
import type { App } from './base-app.ts';
import { hostSiteOf } from './site-hosts.ts';

/** Load balancers and Prometheus ask all the time. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Measures each request as a span, under the pattern of its route: paths and queries may contain
 * secrets. A `traceparent` of the client (W3C Trace Context) makes it a child of the client's span
 * and has no other effect.
 */
export function traceRequests(app: App, telemetry: Telemetry): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && PROBES.has(route)) return done();
    const span = telemetry.open(nameOf(request), {
      kind: 'server',
      parent: [request.headers.traceparent].flat()[0],
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'docent.site': siteOf(request),
      },
    });
    spans.set(request, span);
    endWith(span, reply);
    span.run(done);
  });
  // The body arrives in events of the connection, which are not part of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}

function nameOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? method : `${method} ${url}`;
}

/** Also if the client closes the connection before the response is complete. */
function endWith(span: OpenSpan, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const status = reply.raw.statusCode;
    span.set({ 'http.response.status_code': status });
    span.end(status >= 500 ? String(status) : undefined);
  });
}

function siteOf({ raw, params }: FastifyRequest): string | undefined {
  const { slug, domain } = (params ?? {}) as { slug?: string; domain?: string };
  return hostSiteOf(raw) ?? slug ?? domain;
}
