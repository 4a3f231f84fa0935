import type { Deps } from '../../../services/deps.ts';
import { cancelExport } from '../../../services/exports/cancel-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView, jobParams } from './export-job-schema.ts';

const cancelledJob = exportJobSchema.meta({
  examples: [
    {
      jobId: 'se_3f9a2c1b8e7d4a06',
      status: 'failed',
      progress: 41.5,
      pageCount: 99,
      totalPages: 240,
      domain: 'acme',
      version: null,
      options: { omittedLinks: 'live', basePath: '' },
      attempts: 1,
      createdAt: '2026-11-21T09:00:00.000Z',
      updatedAt: '2026-11-21T09:00:04.000Z',
      error: 'cancelled',
    },
  ],
});

/** `DELETE /v1/static-export/jobs/{jobId}` */
export function cancelExportRoute(app: App, deps: Deps): void {
  app.route({
    method: 'DELETE',
    url: '/v1/static-export/jobs/:jobId',
    schema: {
      operationId: 'cancelStaticExport',
      summary: 'Cancel a static export',
      description:
        'The job ends as `failed` with an `error` that starts with `cancelled`, and leaves no bundle. Cancelling again has no effect. A job that has ended otherwise cannot be cancelled.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: jobParams,
      response: { 200: cancelledJob, ...problems(401, 403, 404, 409) },
    },
    onRequest: requireActor(deps, 'exports.write'),
    handler: async (request, reply) => {
      const job = await cancelExport(deps, actorOf(request), request.params.jobId);
      return reply.send(exportJobView(job));
    },
  });
}
