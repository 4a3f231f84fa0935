import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ExportJobRow } from '../../../db/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { getExport } from '../../../services/get-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { type OpenStream, openStream } from '../../streams.ts';
import { exportJobView } from './export-job-schema.ts';

/** The row is the truth, whichever process works on the job; it is looked at this often. */
const LOOK_INTERVAL_MS = 300;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** `GET /v1/static-export/jobs/{jobId}/events` */
export function exportEventsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/static-export/jobs/:jobId/events',
    schema: {
      operationId: 'streamStaticExport',
      summary: 'Follow a static export',
      description:
        'Server-sent events: the job as JSON at once and after each change; the last one is `completed` or `failed`, and ends the stream. Every stream begins with the state as it is, so `Last-Event-ID` is not needed.',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: z.object({ jobId: z.string() }),
      response: {
        200: { description: 'The job after each change.', content: { 'text/event-stream': { schema: z.string() } } },
        ...problems(401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      const look = () => getExport(deps, actorOf(request), request.params.jobId);
      const first = await look();
      const stream = openStream(reply, { headers, keepalive: ': keepalive\n\n' });
      await follow(stream, first, look, deps).finally(() => stream.end());
      return reply;
    },
  });
}

async function follow(
  stream: OpenStream,
  first: ExportJobRow,
  look: () => Promise<ExportJobRow>,
  { logger }: Pick<Deps, 'logger'>,
): Promise<void> {
  let shown = '';
  for (let job = first; !stream.isClosed; ) {
    const event = JSON.stringify(exportJobView(job));
    if (event !== shown) stream.write(`id: ${job.updatedAt.getTime()}\ndata: ${event}\n\n`);
    shown = event;
    if (job.status === 'completed' || job.status === 'failed') return;
    await stream.ready();
    await wait(LOOK_INTERVAL_MS);
    try {
      job = await look();
    } catch (error) {
      // The database may be back in a moment; the reader waits for that as for the job.
      logger.warn({ jobId: job.id, error: String(error) }, 'the state of an export could not be asked for');
    }
  }
}
