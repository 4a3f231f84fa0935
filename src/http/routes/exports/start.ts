import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { startExport } from '../../../services/exports/start-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobView, startedExportJobSchema } from './export-job-schema.ts';
import { exportOptionFields, idempotencyHeaders } from './export-options-schema.ts';

const body = z
  .object({
    domain: z.string().describe("The site's identifier, or one of its hostnames."),
    ...exportOptionFields,
  })
  .meta({ examples: [{ domain: 'acme', basePath: '/docs' }] });

/** `POST /v1/static-export/jobs` */
export function startExportRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/static-export/jobs',
    schema: {
      operationId: 'startStaticExport',
      summary: 'Start a static export',
      description:
        'Starts a job that exports a site as one `.tar.gz` of static files. The job exports the current deployment, even if another is published later. Poll `GET /v1/static-export/jobs/{jobId}` until the status is `completed`, then get the link to the archive with `POST /v1/static-export/jobs/{jobId}/bundle`.',
      'x-response-headers': ['Location'],
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      body,
      headers: idempotencyHeaders,
      response: { 202: startedExportJobSchema, ...problems(400, 401, 403, 404, 409, 413, 415) },
    },
    onRequest: requireActor(deps, 'exports.write'),
    handler: async (request, reply) => {
      const job = await startExport(deps, actorOf(request), {
        ...request.body,
        idempotencyKey: request.headers['idempotency-key'],
      });
      return reply.code(202).header('location', `/v1/static-export/jobs/${job.id}`).send(exportJobView(job));
    },
  });
}
