import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { listExports } from '../../../services/exports/list-exports.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';
import { exportJobSchema, exportJobView, exportStatusSchema } from './export-job-schema.ts';

const querystring = z.object({
  domain: z.string().optional().describe('Only the jobs of this site: its identifier or one of its hostnames.'),
  status: exportStatusSchema.optional().describe('Only the jobs in this state.'),
  ...paging(100, 50),
});

const answer = z.object({
  items: z.array(exportJobSchema).describe('The jobs, newest first.'),
  jobs: z.array(exportJobSchema).describe('The same as `items`, for older clients.'),
  ...pageEnd,
});

/** `GET /v1/static-export/jobs` */
export function listExportsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs',
    schema: {
      operationId: 'listStaticExports',
      summary: 'List static exports',
      description: 'Lists the export jobs of your organization, newest first.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      querystring,
      response: { 200: answer, ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      const page = await listExports(deps, actorOf(request), request.query);
      const items = page.rows.map(exportJobView);
      return reply.send({ items, jobs: items, ...endOf(page) });
    },
  });
}
