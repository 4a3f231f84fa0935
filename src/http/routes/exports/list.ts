import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { listExports } from '../../../services/list-exports.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView, exportStatusSchema } from './export-job-schema.ts';

const querystring = z.object({
  domain: z.string().optional().describe('Only the jobs of this site.'),
  status: exportStatusSchema.optional().describe('Only the jobs in this state.'),
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

const answer = z.object({ jobs: z.array(exportJobSchema), nextCursor: z.string().nullable() });

/** `GET /v1/static-export/jobs` */
export function listExportsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs',
    schema: {
      operationId: 'listStaticExports',
      summary: 'List static exports, newest first',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      querystring,
      response: { 200: answer, ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      const page = await listExports(deps, actorOf(request), request.query);
      return reply.send({ jobs: page.jobs.map(exportJobView), nextCursor: page.nextCursor });
    },
  });
}
