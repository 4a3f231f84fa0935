import { z } from 'zod';
import { cancelExport } from '../../../services/cancel-export.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView } from './export-job-schema.ts';

/** `DELETE /v1/static-export/jobs/{jobId}` */
export function cancelExportRoute(app: App, deps: Deps): void {
  app.route({
    method: 'DELETE',
    url: '/v1/static-export/jobs/:jobId',
    schema: {
      operationId: 'cancelStaticExport',
      summary: 'Cancel a static export',
      description: 'The job ends as `failed` with an `error` that begins with `cancelled`. Cancelling again changes nothing.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: z.object({ jobId: z.string() }),
      response: { 200: exportJobSchema, ...problems(401, 403, 404, 409) },
    },
    onRequest: requireActor(deps, 'exports.write'),
    handler: async (request, reply) => {
      const job = await cancelExport(deps, actorOf(request), request.params.jobId);
      return reply.send(exportJobView(job));
    },
  });
}
