import { z } from 'zod';
import type { ExportJobRow } from '../../../db/export-jobs.ts';

export const exportJobSchema = z
  .object({
    jobId: z.string().describe('`se_` and 16 hexadecimal digits.'),
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    progress: z.number().min(0).max(100).describe('Percent; never falls.'),
    pageCount: z.int().min(0).describe('Pages exported so far.'),
    totalPages: z.int().min(0).nullable().describe('Known once the job runs.'),
    domain: z.string(),
    version: z.string().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    error: z.string().optional().describe('Only of a failed job.'),
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
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    ...(job.error !== null && { error: job.error }),
  };
}
