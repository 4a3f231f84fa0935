import { isDirectFrom } from '@docent/format/access/ip.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import { type App, createBaseApp } from '../kernel/http/base-app.ts';
import type { Metrics } from '../kernel/http/metrics.ts';
import { isSecret } from '../kernel/ids.ts';
import * as field from '../kernel/operations/described.ts';
import { isOperatorRequest } from '../kernel/operations/identify.ts';
import { openOperationsOf } from '../kernel/operations/operation.ts';
import { createPlatformMetrics } from './platform-metrics.ts';
import { type Readiness, watchReadiness } from './readiness.ts';

/** Registers the routes that monitor a process: health, readiness, metrics. */
export function probeRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'database'>,
  {
    metrics,
    readiness,
    isLeaving,
  }: { metrics: Metrics; readiness: Readiness; isLeaving: () => boolean },
): void {
  healthRoutes(app, deps, readiness, isLeaving);
  metricsRoute(app, deps, metrics);
}

const RETRY_SECONDS = 5;

const readinessAnswer = z.object({
  status: field.choice(
    ['ok', 'degraded'],
    '`degraded`: pages are served, but a dependency of other operations is unavailable.',
  ),
  unavailable: field.texts(
    'What does not respond: `database`, `blobs`, `redis`; `disk` if it is nearly full.',
  ),
});

/**
 * `GET /healthz`: the process answers. `GET /readyz`: it can serve something, if only pages that it holds in memory.
 * @param isLeaving whether the process was asked to stop; a load balancer then sends it no new
 *   requests
 */
function healthRoutes(
  app: App,
  deps: Pick<Deps, 'database'>,
  readiness: Readiness,
  isLeaving: () => boolean,
): void {
  const operation = openOperationsOf(app, 'Platform');
  operation({
    route: 'GET /healthz',
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    description:
      'Responds while the process runs. A liveness probe: an unavailable database does not fail it, only connections that a restart would repair.',
    answer: z.object({
      status: z.literal('ok').describe('Always `ok`; anything else is an error status.'),
    }),
    refusals: [400],
    run({ reply }) {
      if (deps.database.isStuck()) {
        throw unready(
          'New connections to the database work, but those of this process do not; it has to be restarted.',
        );
      }
      reply.header('cache-control', 'no-store');
      return { status: 'ok' } as const;
    },
  });
  operation({
    route: 'GET /readyz',
    operationId: 'getReadiness',
    summary: 'Check that requests can be served',
    description:
      'Returns 200 while the process can serve requests, even if only pages in memory, and 503 otherwise or while it is stopping. A readiness probe.',
    answer: readinessAnswer,
    refusals: [400],
    run({ reply }) {
      if (isLeaving()) throw unready('This process is stopping.');
      if (!readiness.isReady())
        throw unready('The database does not respond, and no site is in memory.');
      const unavailable = [...readiness.dependencies]
        .filter(([, { isUp }]) => !isUp)
        .map(([name]) => name);
      reply.header('cache-control', 'no-store');
      return {
        status: unavailable.length > 0 ? ('degraded' as const) : ('ok' as const),
        unavailable,
      };
    },
  });
}

function unready(detail: string): DocentError {
  return new DocentError('dependency_unavailable', detail, { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * `GET /metrics`: for callers with the configured token. Without a token, for requests that come directly from this machine; a
 * proxied request may be anyone's.
 */
function metricsRoute(
  app: App,
  { config: { metricsToken } }: Pick<Deps, 'config'>,
  metrics: Metrics,
): void {
  app.route({
    method: 'GET',
    url: '/metrics',
    onRequest: async (request) => {
      const { headers, socket } = request.raw;
      if (isOperatorRequest(request)) return;
      const isAllowed =
        metricsToken === undefined
          ? isDirectFrom('loopback', socket.remoteAddress, headers)
          : isSecret(headers.authorization ?? '', `Bearer ${metricsToken}`);
      if (isAllowed) return;
      throw new DocentError(
        'unauthenticated',
        'Metrics require the token in DOCENT_METRICS_TOKEN; without that setting, a direct request from this machine.',
      );
    },
    handler: async (_request, reply) => {
      const { type, text } = await metrics.render();
      return reply.type(type).send(text);
    },
  });
}

/**
 * Creates the HTTP application of a process that only runs jobs: health, readiness and metrics.
 * Does not listen yet.
 */
export async function buildProbesApp(
  deps: Deps,
  isLeaving: () => boolean,
): Promise<FastifyInstance> {
  const app = createBaseApp({ logger: deps.logger, isLeaving });
  const { readiness, check } = watchReadiness(deps);
  await check();
  app.addHook('onClose', async () => readiness.stop());
  probeRoutes(app, deps, { metrics: createPlatformMetrics(deps, readiness), readiness, isLeaving });
  await app.ready();
  return app;
}
