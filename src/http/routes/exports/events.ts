import { z } from 'zod';
import type { ExportJobRow } from '../../../db/exports/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { getExport } from '../../../services/exports/manage-exports.ts';
import type { App } from '../../app-types.ts';
import { follow } from '../../follow.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportJobView, jobParams } from './export-job-schema.ts';

/** Poll interval. The row is the source of truth, whichever process works on the job. */
const POLL_INTERVAL_MS = 300;

const eventStream = z.string().meta({
  examples: [
    'id: 1795251609000\ndata: {"jobId":"se_3f9a2c1b8e7d4a06","status":"running","progress":41.5,"pageCount":99,"totalPages":240,"domain":"acme","version":null,"options":{"omittedLinks":"live","basePath":""},"attempts":1,"createdAt":"2026-11-21T09:00:00.000Z","updatedAt":"2026-11-21T09:00:04.000Z"}\n\n',
  ],
});

/** `GET /v1/static-export/jobs/{jobId}/events` */
export function exportEventsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs/:jobId/events',
    schema: {
      operationId: 'streamStaticExport',
      summary: 'Follow a static export',
      description:
        'Streams server-sent events: the job as JSON immediately and after each change. The last event has the status `completed` or `failed`, and ends the stream. Every stream starts with the current state, so `Last-Event-ID` is not needed.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: jobParams,
      response: {
        200: { description: 'The job after each change.', content: { 'text/event-stream': { schema: eventStream } } },
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      let shown = '';
      await follow<ExportJobRow>(reply, deps.logger, {
        read: () => getExport(deps, actorOf(request), request.params.jobId),
        everyMs: POLL_INTERVAL_MS,
        send(stream, job) {
          const event = JSON.stringify(exportJobView(job));
          if (event !== shown) stream.write(`id: ${job.updatedAt.getTime()}\ndata: ${event}\n\n`);
          shown = event;
        },
        hasEnded: ({ status }) => status === 'completed' || status === 'failed',
        failure: 'the state of an export could not be read',
      });
      return reply;
    },
  });
}
