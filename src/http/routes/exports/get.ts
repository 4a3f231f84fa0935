import type { Deps } from '../../../services/deps.ts';
import { getExport } from '../../../services/exports/get-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView, jobParams } from './export-job-schema.ts';

/** `GET /v1/static-export/jobs/{jobId}` */
export function getExportRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs/:jobId',
    schema: {
      operationId: 'getStaticExport',
      summary: 'Get a static export',
      description:
        'Returns the state of a job. Poll it every second or so, or follow it as a stream with `GET /v1/static-export/jobs/{jobId}/events`.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: jobParams,
      response: { 200: exportJobSchema, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      const job = await getExport(deps, actorOf(request), request.params.jobId);
      return reply.send(exportJobView(job));
    },
  });
}
