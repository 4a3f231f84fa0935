import { z } from 'zod';
import type { ExportJobRow } from '../../../db/exports/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { getBundleLink } from '../../../services/exports/get-bundle-link.ts';
import { cancelExport, getExport, listExports } from '../../../services/exports/manage-exports.ts';
import { startExport } from '../../../services/exports/start-export.ts';
import type { App } from '../../app-types.ts';
import { follow } from '../../follow.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { endOf, listOf, paging } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { problems } from '../../problem.ts';
import { isoTime } from '../fields.ts';
import {
  exportJobSchema,
  exportJobView,
  exportOptionFields,
  exportStatusSchema,
  idempotencyHeaders,
  jobParams,
  startedExportJobSchema,
} from './export-job-schema.ts';

const newExport = z
  .object({
    domain: z.string().describe("The site's identifier, or one of its hostnames."),
    ...exportOptionFields,
  })
  .meta({ examples: [{ domain: 'acme', basePath: '/docs' }] });

const querystring = z.object({
  domain: z.string().optional().describe('Only the jobs of this site: its identifier or one of its hostnames.'),
  status: exportStatusSchema.optional().describe('Only the jobs in this state.'),
  ...paging(100, 50),
});

/** Properties of a finished bundle. */
export const bundleFields = {
  bundleUrl: z.string().describe('Presigned link to the `.tar.gz`. Works without any header until `expiresAt`.'),
  sizeBytes: z.int().min(0).describe('Size of the archive in bytes.'),
  expiresAt: isoTime.describe('When the link stops working.'),
  sha256: z.string().describe('SHA-256 of the archive, in lower-case hexadecimal.'),
  signature: z.string().optional().describe('Text of a `.minisig` file for the archive, if the operator signs bundles.'),
};

export const bundleExample = {
  bundleUrl:
    'https://docs.example.com/blobs/bundles/se_3f9a2c1b8e7d4a06.tar.gz?expires=1795338012&filename=acme-export-2026-11-21.tar.gz&signature=Zk1…',
  sizeBytes: 1893201,
  expiresAt: '2026-11-22T09:00:12.000Z',
  sha256: '9c1e5b0d8f4a7b3c2d6e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c',
};

const bundle = z
  .object({ jobId: z.string().describe('Identifier of the job.'), ...bundleFields })
  .meta({ examples: [{ jobId: 'se_3f9a2c1b8e7d4a06', ...bundleExample }] });

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

/** Registers the routes of `/v1/static-export/jobs`. */
export function exportRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Static export');
  operation({
    route: 'POST /v1/static-export/jobs',
    operationId: 'startStaticExport',
    summary: 'Start a static export',
    description:
      'Starts a job that exports a site as one `.tar.gz` of static files. The job exports the current deployment, even if another is published later. Poll `GET /v1/static-export/jobs/{jobId}` until the status is `completed`, then get the link to the archive with `POST /v1/static-export/jobs/{jobId}/bundle`.',
    permission: 'exports.write',
    responseHeaders: ['Location'],
    headers: idempotencyHeaders,
    body: newExport,
    answer: startedExportJobSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, headers, body, reply }) => {
      const job = await startExport(deps, actor, { ...body, idempotencyKey: headers['idempotency-key'] });
      reply.header('location', `/v1/static-export/jobs/${job.id}`);
      return exportJobView(job);
    },
  });
  operation({
    route: 'GET /v1/static-export/jobs',
    operationId: 'listStaticExports',
    summary: 'List static exports',
    description: 'Lists the export jobs of your organization, newest first.',
    permission: 'exports.read',
    query: querystring,
    answer: listOf(exportJobSchema, 'The jobs, newest first.', 'jobs'),
    run: async ({ actor, query }) => {
      const page = await listExports(deps, actor, query);
      const items = page.rows.map(exportJobView);
      return { items, jobs: items, ...endOf(page) };
    },
  });
  operation({
    route: 'GET /v1/static-export/jobs/:jobId',
    operationId: 'getStaticExport',
    summary: 'Get a static export',
    description:
      'Returns the state of a job. Poll it every second or so, or follow it as a stream with `GET /v1/static-export/jobs/{jobId}/events`.',
    permission: 'exports.read',
    params: jobParams,
    answer: exportJobSchema,
    run: async ({ actor, params }) => exportJobView(await getExport(deps, actor, params.jobId)),
  });
  operation({
    route: 'POST /v1/static-export/jobs/:jobId/bundle',
    operationId: 'getStaticExportBundle',
    summary: 'Get a link to the bundle',
    description:
      'Returns a presigned link to the archive of a completed job. Request a new link at any time; the bytes, and so `sha256`, stay the same.',
    permission: 'exports.write',
    params: jobParams,
    answer: bundle,
    refusals: [409, 410],
    run: async ({ actor, params }) => {
      const { signature, ...link } = await getBundleLink(deps, actor, params.jobId);
      return { ...link, ...(signature !== null && { signature }) };
    },
  });
  operation({
    route: 'DELETE /v1/static-export/jobs/:jobId',
    operationId: 'cancelStaticExport',
    summary: 'Cancel a static export',
    description:
      'The job ends as `failed` with an `error` that starts with `cancelled`, and leaves no bundle. Cancelling again has no effect. A job that has ended otherwise cannot be cancelled.',
    permission: 'exports.write',
    params: jobParams,
    answer: cancelledJob,
    refusals: [409],
    run: async ({ actor, params }) => exportJobView(await cancelExport(deps, actor, params.jobId)),
  });
  exportEventsRoute(app, deps);
}

/** Poll interval. The row is the source of truth, whichever process works on the job. */
const POLL_INTERVAL_MS = 300;

const eventStream = z.string().meta({
  examples: [
    'id: 1795251609000\ndata: {"jobId":"se_3f9a2c1b8e7d4a06","status":"running","progress":41.5,"pageCount":99,"totalPages":240,"domain":"acme","version":null,"options":{"omittedLinks":"live","basePath":""},"attempts":1,"createdAt":"2026-11-21T09:00:00.000Z","updatedAt":"2026-11-21T09:00:04.000Z"}\n\n',
  ],
});

/** `GET /v1/static-export/jobs/{jobId}/events` */
function exportEventsRoute(app: App, deps: Deps): void {
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
