import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { startExport } from '../../../services/start-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobSchema, exportJobView } from './export-job-schema.ts';
import { exportOptionFields, idempotencyHeaders } from './export-options-schema.ts';

const body = z.object({
  domain: z.string().describe("The site's identifier or one of its hostnames."),
  ...exportOptionFields,
});

/** `POST /v1/static-export/jobs` */
export function startExportRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/static-export/jobs',
    schema: {
      operationId: 'startStaticExport',
      summary: 'Start a static export',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      body,
      headers: idempotencyHeaders,
      response: { 202: exportJobSchema, ...problems(400, 401, 403, 404, 409, 413, 415) },
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
