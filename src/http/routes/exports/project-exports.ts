import { z } from 'zod';
import { limitsFrom, rateLimitField, rateLimitPolicyField } from '../../../core/access/limits.ts';
import type { ExportJobRow } from '../../../db/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { getProjectExport } from '../../../services/get-project-export.ts';
import { startProjectExport } from '../../../services/start-project-export.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { exportStatusSchema } from './export-job-schema.ts';
import { idempotencyHeaders } from './export-options-schema.ts';

const params = z.object({ projectId: z.string().describe('Project id, identifier or hostname of the site.') });

const jobSchema = z
  .object({
    jobId: z.string(),
    status: exportStatusSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When the status changed last.'),
    error: z.string().nullable().describe('`null` unless the job failed.'),
  })
  .meta({ id: 'ProjectExportJob' });

const jobWithBundleSchema = jobSchema
  .extend({
    bundleUrl: z.string().optional().describe('Of a completed job: works without any header until `expiresAt`. Fresh each time.'),
    sizeBytes: z.int().min(0).optional(),
    expiresAt: z.iso.datetime().optional(),
    sha256: z.string().optional(),
    signature: z.string().optional().describe('Text of a `.minisig` file for the bundle, where the operator signs bundles.'),
    bundleDeletedAt: z.iso.datetime().optional().describe('When the bundle was deleted because of its age.'),
  })
  .meta({ id: 'ProjectExportJobWithBundle' });

/** Places that a bundle of this operation can be made for. */
const body = z.object({ basePath: z.enum(['', '/docs', '/documentation']).optional() }).nullish();

function projectJobView(job: ExportJobRow): z.infer<typeof jobSchema> {
  const { id, status, createdAt, error } = job;
  const changedAt = job.endedAt ?? job.startedAt ?? createdAt;
  return { jobId: id, status, createdAt: createdAt.toISOString(), updatedAt: changedAt.toISOString(), error };
}

/** `POST /v1/static-export/{projectId}/jobs` and `GET /v1/static-export/{projectId}/jobs/{jobId}`: start, then poll to the link. */
export function projectExportRoutes(app: App, deps: Deps): void {
  const policy = rateLimitPolicyField([limitsFrom(deps.config.limits).exportsPerOrganisation]);
  app.route({
    method: 'POST',
    url: '/v1/static-export/:projectId/jobs',
    schema: {
      operationId: 'startProjectExport',
      summary: 'Start the static export of a project',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params,
      body,
      headers: idempotencyHeaders,
      response: { 202: jobSchema, ...problems(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    onRequest: [
      async (_request, reply) => {
        reply.header('ratelimit-policy', policy);
      },
      requireActor(deps, 'exports.write'),
    ],
    handler: async (request, reply) => {
      const { projectId } = request.params;
      const job = await startProjectExport(
        deps,
        actorOf(request),
        { project: projectId, basePath: request.body?.basePath, idempotencyKey: request.headers['idempotency-key'] },
        (state) => reply.header('ratelimit', rateLimitField([state])),
      );
      const location = `/v1/static-export/${encodeURIComponent(projectId)}/jobs/${job.id}`;
      return reply.code(202).header('location', location).send(projectJobView(job));
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/static-export/:projectId/jobs/:jobId',
    schema: {
      operationId: 'getProjectExport',
      summary: 'Get the static export of a project',
      tags: ['Static export'],
      security: [{ adminKey: [] }],
      params: params.extend({ jobId: z.string() }),
      response: { 200: jobWithBundleSchema, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'exports.read'),
    handler: async (request, reply) => {
      const { job, link } = await getProjectExport(deps, actorOf(request), request.params.projectId, request.params.jobId);
      return reply.header('cache-control', 'no-store').send({
        ...projectJobView(job),
        ...(link && {
          bundleUrl: link.bundleUrl,
          sizeBytes: link.sizeBytes,
          expiresAt: link.expiresAt.toISOString(),
          sha256: link.sha256,
          ...(link.signature !== null && { signature: link.signature }),
        }),
        ...(job.bundleDeletedAt !== null && { bundleDeletedAt: job.bundleDeletedAt.toISOString() }),
      });
    },
  });
}
