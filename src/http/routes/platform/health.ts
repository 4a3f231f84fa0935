import { z } from 'zod';
import { DocentError } from '../../../core/errors.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';

const RETRY_SECONDS = 5;
const answer = z.object({ status: z.literal('ok').describe('Always `ok`; anything else is an error status.') });

/**
 * `GET /healthz`: the process answers. `GET /readyz`: it can also do its work.
 * @param isLeaving whether the process was told to stop; a load balancer then sends it nothing new
 */
export function healthRoutes(app: App, deps: Pick<Deps, 'database'>, isLeaving: () => boolean): void {
  app.route({
    method: 'GET',
    url: '/healthz',
    schema: {
      operationId: 'getHealth',
      summary: 'Check that the process is alive',
      description: 'Answers while the process runs. A liveness probe: it does not look at the database.',
      tags: ['Platform'],
      security: [],
      response: { 200: answer, ...problems(400) },
    },
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  });
  app.route({
    method: 'GET',
    url: '/readyz',
    schema: {
      operationId: 'getReadiness',
      summary: 'Check that requests can be served',
      description:
        'Answers 200 while the process can do its work, and 503 while the database is down or the process is stopping. A readiness probe.',
      tags: ['Platform'],
      security: [],
      response: { 200: answer, ...problems(400) },
    },
    handler: async (_request, reply) => {
      if (isLeaving())
        throw new DocentError('dependency_unavailable', 'This process is stopping.', { retryAfterSeconds: RETRY_SECONDS });
      const isUp = await deps.database.ping().catch(() => false);
      if (!isUp)
        throw new DocentError('dependency_unavailable', 'The database does not answer.', { retryAfterSeconds: RETRY_SECONDS });
      return reply.header('cache-control', 'no-store').send({ status: 'ok' });
    },
  });
}
