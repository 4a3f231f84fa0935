import { limitsFrom } from '@docent/format/access/limits.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { eventsOf, follow } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { showLimit } from '../kernel/operations/rate-limits.ts';
import { addToRequestLine } from '../kernel/operations/request-line.ts';
import {
  canceledExportJobSchema,
  exportJobSchema,
  exportJobView,
  exportOptionFields,
  exportStatusSchema,
  idempotencyHeaders,
  startedExportJobSchema,
} from './export-job-schema.ts';
import type { ShownExportJob } from './job-queries.ts';
import {
  cancelExport,
  deleteBundle,
  getBundleLink,
  getExport,
  listExports,
} from './manage-exports.ts';
import { getProjectExport, startExport, startProjectExport } from './start-export.ts';

const newExport = z
  .object({
    domain: field.text("The site's identifier, or one of its hostnames."),
    ...exportOptionFields,
  })
  .meta({ examples: [{ domain: 'acme', basePath: '/docs' }] });

const querystring = z.object({
  domain: field.text.optional(
    'Only the jobs of this site: its identifier or one of its hostnames.',
  ),
  status: exportStatusSchema.optional().describe('Only the jobs in this state.'),
  ...paging(100, 50),
});

/** Properties of a finished bundle. */
const bundleFields = {
  bundleUrl: field.text(
    'Presigned link to the `.tar.gz`. Works without any header until `expiresAt`.',
  ),
  sizeBytes: z.int().min(0).describe('Size of the archive in bytes.'),
  expiresAt: field.time('When the link stops working.'),
  sha256: field.text('SHA-256 of the archive, in lower-case hexadecimal.'),
  signature: field.text.optional(
    'Text of a `.minisig` file for the archive, if the operator signs bundles.',
  ),
};

const bundleExample = {
  bundleUrl:
    'https://docs.example.com/blobs/bundles/se_3f9a2c1b8e7d4a06.tar.gz?expires=1795338012&filename=acme-export-2026-11-21.tar.gz&signature=Zk1…',
  sizeBytes: 1893201,
  expiresAt: '2026-11-22T09:00:12.000Z',
  sha256: '9c1e5b0d8f4a7b3c2d6e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c',
};

const bundle = z
  .object({ jobId: field.text('Identifier of the job.'), ...bundleFields })
  .meta({ examples: [{ jobId: 'se_3f9a2c1b8e7d4a06', ...bundleExample }] });

/** Poll interval. The row is the source of truth, whichever process works on the job. */
const POLL_INTERVAL_MS = 300;

const eventStream = eventsOf(
  'The job after each change.',
  'id: 1795251609000\ndata: {"jobId":"se_3f9a2c1b8e7d4a06","status":"running","progress":41.5,"pageCount":99,"totalPages":240,"domain":"acme","version":null,"options":{"omittedLinks":"live","basePath":""},"attempts":1,"queuePosition":null,"requestId":"req-7f3a","createdAt":"2026-11-21T09:00:00.000Z","updatedAt":"2026-11-21T09:00:04.000Z"}\n\n',
);

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
    run: async ({ actor, headers, body, request, reply }) => {
      const job = await startExport(deps, actor, {
        ...body,
        idempotencyKey: headers['idempotency-key'],
        requestId: request.id,
      });
      addToRequestLine(request, { jobId: job.id });
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
    run: async ({ actor, query }) =>
      pageOf(await listExports(deps, actor, query), exportJobView, 'jobs'),
  });
  operation({
    route: 'GET /v1/static-export/jobs/:jobId',
    operationId: 'getStaticExport',
    summary: 'Get a static export',
    description:
      'Returns the state of a job. Poll it every second or so, or follow it as a stream with `GET /v1/static-export/jobs/{jobId}/events`.',
    permission: 'exports.read',
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
    answer: bundle,
    refusals: [409, 410],
    run: ({ actor, params }) => getBundleLink(deps, actor, params.jobId),
  });
  operation({
    route: 'DELETE /v1/static-export/jobs/:jobId/bundle',
    operationId: 'deleteStaticExportBundle',
    summary: 'Delete a bundle',
    description:
      'Deletes the archive of a completed job, for example because a link to it is in the wrong hands. All links to it end at once; the job stays. This cannot be undone.',
    permission: 'exports.write',
    answer: z.null().describe('The bundle is deleted.'),
    refusals: [409],
    run: ({ actor, params }) => deleteBundle(deps, actor, params.jobId),
  });
  operation({
    route: 'DELETE /v1/static-export/jobs/:jobId',
    operationId: 'cancelStaticExport',
    summary: 'Cancel a static export',
    description:
      'The job ends as `failed` with the `endReason` `canceled`, and leaves no bundle. Canceling again has no effect. A job that has ended otherwise cannot be canceled.',
    permission: 'exports.write',
    answer: canceledExportJobSchema,
    refusals: [409],
    run: async ({ actor, params }) => exportJobView(await cancelExport(deps, actor, params.jobId)),
  });
  operation({
    route: 'GET /v1/static-export/jobs/:jobId/events',
    operationId: 'streamStaticExport',
    summary: 'Follow a static export',
    description:
      'Streams server-sent events: the job as JSON immediately and after each change. The last event has the status `completed` or `failed`, and ends the stream. Every stream starts with the current state, so `Last-Event-ID` is not needed.',
    permission: 'exports.read',
    answer: eventStream,
    run: async ({ actor, params, reply }) => {
      let sentEvent = '';
      return follow<ShownExportJob>(reply, deps.logger, {
        read: () => getExport(deps, actor, params.jobId),
        everyMs: POLL_INTERVAL_MS,
        send(stream, job) {
          const event = JSON.stringify(z.encode(exportJobSchema, exportJobView(job)));
          if (event !== sentEvent)
            stream.write(`id: ${job.updatedAt.getTime()}\ndata: ${event}\n\n`);
          sentEvent = event;
        },
        hasEnded: ({ status }) => status === 'completed' || status === 'failed',
        failure: 'the state of an export could not be read',
      });
    },
  });
}

const projectJobSchema = field.resource(
  'ProjectExportJob',
  'The export job of a project.',
  {
    jobId: field.text('Identifier of the job: `se_` and 16 hexadecimal digits.'),
    status: exportStatusSchema.describe(
      'From `queued` to `running` to `completed` or `failed`, never back.',
    ),
    createdAt: field.time('When the job was created.'),
    updatedAt: field.time('When the status last changed.'),
    error: field.text.orNull('Why the job failed; `null` for every other job.'),
  },
  {
    jobId: 'se_3f9a2c1b8e7d4a06',
    status: 'queued',
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
    error: null,
  },
);

const projectJobWithBundleSchema = projectJobSchema
  .extend({
    ...z.object(bundleFields).partial().shape,
    bundleDeletedAt: field.optional(field.isoTime, 'When the bundle was deleted, if it was.'),
  })
  .meta({
    id: 'ProjectExportJobWithBundle',
    description: 'The export job of a project. A completed job has a fresh link to its bundle.',
    examples: [
      {
        jobId: 'se_3f9a2c1b8e7d4a06',
        status: 'completed',
        createdAt: '2026-11-21T09:00:00.000Z',
        updatedAt: '2026-11-21T09:00:09.000Z',
        error: null,
        ...bundleExample,
      },
    ],
  });

/** Targets that this operation can export for. */
const projectExportOptions = z
  .object({
    basePath: field.optional(
      z.enum(['', '/docs', '/documentation']),
      'Path that the bundle will be served under. Empty for the root of a domain.',
    ),
  })
  .meta({ examples: [{ basePath: '/docs' }] })
  .nullish();

function projectJobView(job: ShownExportJob): z.infer<typeof projectJobSchema> {
  return { ...job, jobId: job.id, updatedAt: job.endedAt ?? job.startedAt ?? job.createdAt };
}

/**
 * `POST /v1/static-export/{projectId}/jobs` and `GET /v1/static-export/{projectId}/jobs/{jobId}`: start, then poll until there is
 * a link.
 */
export function projectExportRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Static export');
  operation({
    route: 'POST /v1/static-export/:projectId/jobs',
    operationId: 'startProjectExport',
    summary: 'Start the export of a project',
    description:
      'Starts a job that exports the whole site of a project. A project has one export at a time: while a job is queued or running, a second start is refused with 409. Poll `GET /v1/static-export/{projectId}/jobs/{jobId}` until the job has a `bundleUrl`.',
    permission: 'exports.write',
    responseHeaders: ['Location'],
    limit: limitsFrom(deps.config.limits).exportsPerOrganization,
    headers: idempotencyHeaders,
    body: projectExportOptions,
    answer: projectJobSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, headers, body, request, reply }) => {
      const { projectId: project } = params;
      const keys = { idempotencyKey: headers['idempotency-key'], requestId: request.id };
      const options = { project, basePath: body?.basePath, ...keys };
      const job = await startProjectExport(deps, actor, options, showLimit(reply));
      addToRequestLine(request, { jobId: job.id });
      reply.header('location', `/v1/static-export/${encodeURIComponent(project)}/jobs/${job.id}`);
      return projectJobView(job);
    },
  });
  operation({
    route: 'GET /v1/static-export/:projectId/jobs/:jobId',
    operationId: 'getProjectExport',
    summary: 'Get the export of a project',
    description:
      'Returns the state of an export job of a project. Once it is `completed`, each response has a fresh link to the bundle.',
    permission: 'exports.read',
    answer: projectJobWithBundleSchema,
    run: async ({ actor, params }) => {
      const { job, link } = await getProjectExport(deps, actor, params.projectId, params.jobId);
      return {
        ...projectJobView(job),
        ...link,
        bundleDeletedAt: job.bundleDeletedAt ?? undefined,
      };
    },
  });
}
