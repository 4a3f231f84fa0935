import { z } from 'zod';
import { limitsFrom } from '../../../core/access/limits.ts';
import type { ExportJobRow } from '../../../db/exports/export-jobs.ts';
import type { Deps } from '../../../services/deps.ts';
import { getProjectExport, startProjectExport } from '../../../services/exports/project-exports.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { showLimit } from '../../rate-limits.ts';
import { isoTime } from '../fields.ts';
import { projectParams as params } from '../projects/project-schema.ts';
import { exportStatusSchema, idempotencyHeaders, jobParams } from './export-job-schema.ts';
import { bundleExample, bundleFields } from './export-routes.ts';

const jobSchema = z
  .object({
    jobId: z.string().describe('Identifier of the job: `se_` and 16 hexadecimal digits.'),
    status: exportStatusSchema.describe('From `queued` to `running` to `completed` or `failed`, never back.'),
    createdAt: isoTime.describe('When the job was created.'),
    updatedAt: isoTime.describe('When the status last changed.'),
    error: z.string().nullable().describe('Why the job failed; `null` for every other job.'),
  })
  .meta({
    id: 'ProjectExportJob',
    description: 'The export job of a project.',
    examples: [
      {
        jobId: 'se_3f9a2c1b8e7d4a06',
        status: 'queued',
        createdAt: '2026-11-21T09:00:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
        error: null,
      },
    ],
  });

const jobWithBundleSchema = jobSchema
  .extend({
    ...z.object(bundleFields).partial().shape,
    bundleDeletedAt: isoTime.optional().describe('When the bundle was deleted because of its age.'),
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
const body = z
  .object({
    basePath: z
      .enum(['', '/docs', '/documentation'])
      .optional()
      .describe('Path that the bundle will be served under. Empty for the root of a domain.'),
  })
  .meta({ examples: [{ basePath: '/docs' }] })
  .nullish();

function projectJobView(job: ExportJobRow): z.infer<typeof jobSchema> {
  const { id, status, createdAt, error } = job;
  const changedAt = job.endedAt ?? job.startedAt ?? createdAt;
  return { jobId: id, status, createdAt, updatedAt: changedAt, error };
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
    limit: limitsFrom(deps.config.limits).exportsPerOrganisation,
    params,
    headers: idempotencyHeaders,
    body,
    answer: jobSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, headers, body, reply }) => {
      const { projectId } = params;
      const job = await startProjectExport(
        deps,
        actor,
        { project: projectId, basePath: body?.basePath, idempotencyKey: headers['idempotency-key'] },
        showLimit(reply),
      );
      reply.header('location', `/v1/static-export/${encodeURIComponent(projectId)}/jobs/${job.id}`);
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
    params: params.extend(jobParams.shape),
    answer: jobWithBundleSchema,
    run: async ({ actor, params }) => {
      const { job, link } = await getProjectExport(deps, actor, params.projectId, params.jobId);
      return {
        ...projectJobView(job),
        ...(link && {
          bundleUrl: link.bundleUrl,
          sizeBytes: link.sizeBytes,
          expiresAt: link.expiresAt,
          sha256: link.sha256,
          ...(link.signature !== null && { signature: link.signature }),
        }),
        ...(job.bundleDeletedAt !== null && { bundleDeletedAt: job.bundleDeletedAt }),
      };
    },
  });
}
