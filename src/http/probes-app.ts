import type { FastifyInstance } from 'fastify';
import type { Deps } from '../services/deps.ts';
import { createBaseApp } from './base-app.ts';
import { createPlatformMetrics } from './platform-metrics.ts';
import { probeRoutes } from './routes/platform/probe-routes.ts';

/** Creates the HTTP application of a process that only runs jobs: health, readiness and metrics. Does not listen yet. */
export async function buildProbesApp(deps: Deps, isLeaving: () => boolean): Promise<FastifyInstance> {
  const app = createBaseApp({ logger: deps.logger, isLeaving });
  probeRoutes(app, deps, createPlatformMetrics(deps), isLeaving);
  await app.ready();
  return app;
}
