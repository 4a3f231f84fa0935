import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import { isDirectFrom } from '../../../core/access/ip.ts';
import { DocentError } from '../../../core/errors.ts';
import { countExportJobs } from '../../../db/exports/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { isSecret } from '../../../services/ids.ts';
import { checkReadiness } from '../../../services/readiness.ts';
import { type App, createBaseApp } from '../../base-app.ts';
import { isOperatorRequest } from '../../identify.ts';
import { createMetrics, type Metrics } from '../../metrics.ts';
import { openOperationsOf } from '../../operation.ts';

/** Registers the routes that monitor a process: health, readiness, metrics. */
export function probeRoutes(app: App, deps: Deps, metrics: Metrics, isLeaving: () => boolean): void {
  healthRoutes(app, deps, isLeaving);
  metricsRoute(app, deps, metrics);
}

const RETRY_SECONDS = 5;

const readiness = z.object({
  status: z
    .enum(['ok', 'degraded'])
    .describe('`degraded`: pages are served, but a dependency of other operations is unavailable.'),
  unavailable: z.array(z.string()).describe('The dependencies that do not respond: `database`, `blobs`.'),
});

/**
 * `GET /healthz`: the process answers. `GET /readyz`: it can serve something, if only pages that it holds in memory.
 * @param isLeaving whether the process was asked to stop; a load balancer then sends it no new requests
 */
function healthRoutes(app: App, deps: Pick<Deps, 'database' | 'blobs' | 'liveSites'>, isLeaving: () => boolean): void {
  const operation = openOperationsOf(app, 'Platform');
  operation({
    route: 'GET /healthz',
    operationId: 'getHealth',
    summary: 'Check that the process is alive',
    description:
      'Responds while the process runs. A liveness probe: an unavailable database does not fail it, only connections that a restart would mend.',
    answer: z.object({ status: z.literal('ok').describe('Always `ok`; anything else is an error status.') }),
    refusals: [400],
    run({ reply }) {
      if (deps.database.isStuck()) {
        throw unready('New connections to the database work, but those of this process do not; it has to be restarted.');
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
    answer: readiness,
    refusals: [400],
    run: async ({ reply }) => {
      if (isLeaving()) throw unready('This process is stopping.');
      const { isReady, dependencies } = await checkReadiness(deps);
      if (!isReady) throw unready('The database does not respond, and no site is in memory.');
      const unavailable = Object.keys(dependencies).filter((name) => !dependencies[name as keyof typeof dependencies]);
      reply.header('cache-control', 'no-store');
      return { status: unavailable.length > 0 ? ('degraded' as const) : ('ok' as const), unavailable };
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
function metricsRoute(app: App, { config: { metricsToken } }: Pick<Deps, 'config'>, metrics: Metrics): void {
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

/** The metrics of a process of the platform: those of every server, its jobs, and what it depends on. */
export function createPlatformMetrics(deps: Pick<Deps, 'jobs' | 'database' | 'blobs' | 'liveSites'>): Metrics {
  const metrics = createMetrics();
  const registers = [metrics.registry];
  new Gauge({
    name: 'docent_jobs_depth',
    help: 'Queued and running jobs.',
    labelNames: ['job'],
    registers,
    async collect() {
      for (const [job, count] of Object.entries(await deps.jobs.depth())) this.set({ job }, count);
    },
  });
  new Gauge({
    name: 'docent_exports',
    help: 'Export jobs, by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      for (const { status, count } of await countExportJobs(deps.database.queries)) this.set({ status }, count);
    },
  });
  new Gauge({
    name: 'docent_dependency_up',
    help: '1 if the dependency responds, 0 if it does not.',
    labelNames: ['dependency'],
    registers,
    async collect() {
      const { dependencies } = await checkReadiness(deps);
      for (const [dependency, isUp] of Object.entries(dependencies)) this.set({ dependency }, isUp ? 1 : 0);
    },
  });
  return metrics;
}

/** Creates the HTTP application of a process that only runs jobs: health, readiness and metrics. Does not listen yet. */
export async function buildProbesApp(deps: Deps, isLeaving: () => boolean): Promise<FastifyInstance> {
  const app = createBaseApp({ logger: deps.logger, isLeaving });
  probeRoutes(app, deps, createPlatformMetrics(deps), isLeaving);
  await app.ready();
  return app;
}
