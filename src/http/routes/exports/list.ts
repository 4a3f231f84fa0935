import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { listExports } from '../../../services/exports/list-exports.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView, exportStatusSchema } from './export-job-schema.ts';

const querystring = z.object({
  domain: z.string().optional().describe('Only the jobs of this site: its identifier or one of its hostnames.'),
  status: exportStatusSchema.optional().describe('Only the jobs in this state.'),
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous response.'),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Maximum number of items to return.'),
});

const answer = z.object({
  jobs: z.array(exportJobSchema).describe('The jobs, newest first.'),
  nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page. `null` on the last page.'),
});

/** `GET /v1/static-export/jobs` */
export function listExportsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs',
    schema: {
      operationId: 'listStaticExports',
      summary: 'List static exports',
      description: 'Lists the export jobs of your organisation, newest first.',
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
