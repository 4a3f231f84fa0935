import { z } from 'zod';
import { exportStatuses } from '../../../core/exports/job-state.ts';
import { type ExportJobRow, optionsOfJob } from '../../../db/export-jobs.ts';

export const exportStatusSchema = z.enum(exportStatuses);

const optionsSchema = z.object({
  version: z.string().optional(),
  language: z.string().optional(),
  paths: z.array(z.string()).optional(),
  omittedLinks: z.enum(['live', 'text']),
  basePath: z.string(),
  assistantUrl: z.string().optional(),
  analyticsUrl: z.string().optional(),
});

const reportSchema = z.object({
  pageCount: z.int().min(0),
  failedPages: z.array(z.object({ path: z.string(), file: z.string(), reason: z.string() })),
});

export const exportJobSchema = z
  .object({
    jobId: z.string().describe('`se_` and 16 hexadecimal digits.'),
    status: exportStatusSchema,
    progress: z.number().min(0).max(100).describe('Percent; never falls.'),
    pageCount: z.int().min(0).describe('Pages exported so far.'),
    totalPages: z.int().min(0).nullable().describe('Known once the job runs.'),
    domain: z.string(),
    version: z.string().nullable(),
    options: optionsSchema.describe('What the export was asked to hold.'),
    attempts: z.int().min(0).describe('How often the job was begun.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    error: z.string().optional().describe('Only of a failed job; that of a cancelled one begins with `cancelled`.'),
    report: reportSchema.optional().describe('Once the pages are made: those that could not be exported, with the reason.'),
    bundleDeletedAt: z.iso.datetime().optional().describe('When the bundle was deleted because of its age.'),
  })
  .meta({ id: 'StaticExportJob' });

export function exportJobView(job: ExportJobRow): z.infer<typeof exportJobSchema> {
  return {
    jobId: job.id,
    status: job.status,
    progress: job.progress,
    pageCount: job.pageCount,
    totalPages: job.totalPages,
    domain: job.domain,
    version: job.version,
    options: optionsOfJob(job),
    attempts: job.attempts,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    ...(job.error !== null && { error: job.error }),
    ...(job.report !== null && { report: { pageCount: job.report.pageCount, failedPages: job.report.failedPages } }),
    ...(job.bundleDeletedAt !== null && { bundleDeletedAt: job.bundleDeletedAt.toISOString() }),
  };
}
