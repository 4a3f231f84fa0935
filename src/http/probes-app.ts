import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Deps } from '../services/deps.ts';
import { createMetrics } from './metrics.ts';
import { PROBLEM_TYPE, problemOf, statusOf, toDocentError } from './problem.ts';
import { requestIdOf } from './request-id.ts';
import { probeRoutes } from './routes/platform/probe-routes.ts';

/** The HTTP application of a process that only does jobs: health, readiness and metrics. It listens nowhere yet. */
export async function buildProbesApp(deps: Deps, isLeaving: () => boolean): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, genReqId: (request) => requestIdOf(request.headers) }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((cause, request, reply) => {
    const error = toDocentError(cause);
    reply
      .code(statusOf(error))
      .type(PROBLEM_TYPE)
      .send(problemOf(error, { requestId: request.id, isDiscovery: false }));
  });
  probeRoutes(app, deps, createMetrics(deps), isLeaving);
  await app.ready();
  return app;
}
