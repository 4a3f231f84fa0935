import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { DocentError } from '../core/errors.ts';
import type { Logger } from '../ports/logger.ts';
import { acceptJson, sendProblem } from './app.ts';
import type { App } from './app-types.ts';
import { allowBrowsers } from './cors.ts';
import { requestIdOf } from './request-id.ts';

/** An application for a few routes beside a server of files: it reads JSON and answers errors as the platform does. */
export function createSmallApp(deps: { logger: Logger }): App {
  const app = Fastify({ logger: false, genReqId: (request) => requestIdOf(request.headers) }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptJson(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onRequest', allowBrowsers);
  app.setErrorHandler((error, request, reply) => sendProblem(deps, error, request, reply));
  app.setNotFoundHandler((request) => {
    throw new DocentError('route_not_found', `There is nothing that takes ${request.method} at this address.`);
  });
  return app;
}
