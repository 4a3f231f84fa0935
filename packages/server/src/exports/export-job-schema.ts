import { isBasePath } from '@docent/format/base-path.ts';
import { archiveForms, isEndpointAddress } from '@docent/format/exports/export-options.ts';
import { exportStatuses } from '@docent/format/exports/job-state.ts';
import * as z from 'zod';
import * as field from '../kernel/operations/described.ts';
import {
  plainText,
  queuePositionField,
  requestIdField,
  waitingForField,
} from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { optionsOfJob, type ShownExportJob } from './job-queries.ts';

const basePath = z
  .string()
  .refine(isBasePath, 'must be empty, or a path such as "/docs" without a slash at its end')
  .describe(
    'Path that the bundle will be served under, such as `/docs`. Redirect files and `404.html` are written with it. Empty for the root of a domain.',
  );

const endpoint = z
  .string()
  .refine(
    isEndpointAddress,
    'must be an http or https address, or a path from the root of the site such as "/_docent/assistant"',
  );

const groups = z
  .array(plainText(1, 200))
  .min(1)
  .max(100)
  .describe('Groups whose readers the bundle is for.');
const audience = z.union([z.enum(['public', 'all']), z.object({ groups })]);

/** Options of the bundle besides the site. */
export const exportOptionFields = {
  version: field.optional(
    plainText(1, 256),
    'Export only this version, and pages without a version. By default, all versions.',
  ),
  language: field.optional(
    plainText(1, 64),
    'Export only this language, and pages without a language. By default, all languages.',
  ),
  paths: field.optional(
    z.array(plainText(0, 2048)).min(1).max(10_000),
    'Paths of the pages to export. By default, all pages.',
  ),
  audience: field.optional(
    audience,
    'Whose pages are exported: `public`, those that everybody may read; `all`; or those of a reader with any of the named groups. Default: `public`.',
  ),
  omittedLinks: field.optional(
    z.enum(['live', 'text']),
    'How links to pages outside the bundle are exported: `live` links to the live site, `text` turns them into plain text. Default: `live`.',
  ),
  basePath: basePath.optional(),
  assistantUrl: field.optional(
    endpoint,
    'Address of the assistant API for the pages of the bundle: absolute, or a path on the same host. Without it, the bundle shows no assistant.',
  ),
  analyticsUrl: field.optional(
    endpoint,
    'Address that the pages of the bundle send analytics events to. Without it, they send none.',
  ),
  archive: field.optional(
    z.enum(archiveForms),
    'Form of the archive. A `tar.zst` of many pages takes two thirds of the size; its files are the same. Default: `tar.gz`.',
  ),
};

export const idempotencyHeaders = z.object({
  'idempotency-key': field.optional(
    plainText(1, 255),
    'A unique value of your choice. Repeating the request with the same value returns the first job instead of starting another.',
  ),
});

export const exportStatusSchema = z.enum(exportStatuses);

const optionsSchema = z.object({
  version: field.text.optional('The requested version.'),
  language: field.text.optional('The requested language.'),
  paths: field.optional(z.array(z.string()), 'The requested pages.'),
  audience: field.optional(
    audience,
    'Whose pages are exported. Absent: those that everybody may read.',
  ),
  omittedLinks: field.choice(
    ['live', 'text'],
    'How links to pages outside the bundle are exported.',
  ),
  basePath: field.text('Where the bundle will be served; empty for the root of a domain.'),
  assistantUrl: field.text.optional('Address of the assistant API for the pages of the bundle.'),
  analyticsUrl: field.text.optional('Address that the pages of the bundle send events to.'),
  archive: field.optional(z.enum(archiveForms), 'The requested form of the archive.'),
});

const failedPage = z.object({
  path: field.text('Path of the page in the site.'),
  file: field.text('File of the page in the bundle.'),
  reason: field.text('Why the page failed, with file and line if known.'),
});

const reportSchema = z.object({
  pageCount: z.int().min(0).describe('Pages in the bundle.'),
  failedPages: field.list(
    failedPage,
    'Pages that show a notice and a link to the live page instead of their content.',
  ),
  notes: field.optional(z.array(z.string()), 'Notes on the bundle that are not faults.'),
});

const jobFields = z.object({
  jobId: field.text('Identifier of the job: `se_` and 16 hexadecimal digits.'),
  status: exportStatusSchema.describe(
    'From `queued` to `running` to `completed` or `failed`, never back.',
  ),
  progress: z.number().min(0).max(100).describe('Percent. Never falls.'),
  pageCount: z.int().min(0).describe('Pages exported so far.'),
  totalPages: z.int().min(0).nullable().describe('Pages to export. `null` until the job runs.'),
  domain: field.text('The `domain` that the job was started with.'),
  version: field.text.orNull('The version that is exported, or `null` for the whole site.'),
  options: optionsSchema.describe('The options of the export, defaults included.'),
  attempts: z.int().min(0).describe('Number of attempts, including retries.'),
  waitingFor: waitingForField,
  queuePosition: queuePositionField,
  requestId: requestIdField,
  createdBy: makerSchema.describe('Who started the job.'),
  createdAt: field.time('When the job was created.'),
  updatedAt: field.time('When the job last changed.'),
  endReason: field.orNull(
    z.enum(['canceled']),
    'Why a `failed` job did not fail by itself: it was canceled.',
  ),
  error: field.text.optional('Why the job failed, in words.'),
  report: reportSchema.optional().describe('Outcome of the pages, once they are rendered.'),
  bundleDeletedAt: field.optional(field.isoTime, 'When the bundle was deleted, if it was.'),
});

const example = {
  jobId: 'se_3f9a2c1b8e7d4a06',
  status: 'completed',
  progress: 100,
  pageCount: 240,
  totalPages: 240,
  domain: 'acme',
  version: null,
  options: { omittedLinks: 'live', basePath: '' },
  attempts: 1,
  waitingFor: null,
  queuePosition: null,
  endReason: null,
  requestId: 'req-7f3a',
  createdBy: makerExample,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:09.000Z',
  report: { pageCount: 240, failedPages: [] },
} satisfies z.input<typeof jobFields>;

export const exportJobSchema = jobFields.meta({
  id: 'StaticExportJob',
  description: 'A job that exports a site, or part of it, as one archive.',
  examples: [example],
});

/** A job that was just started. */
export const startedExportJobSchema = exportJobSchema.meta({
  examples: [
    {
      ...example,
      status: 'queued',
      queuePosition: 0,
      progress: 0,
      pageCount: 0,
      totalPages: null,
      attempts: 0,
      updatedAt: example.createdAt,
      report: undefined,
    },
  ],
});

export const canceledExportJobSchema = exportJobSchema.meta({
  examples: [
    {
      ...example,
      status: 'failed',
      progress: 41.5,
      pageCount: 99,
      updatedAt: '2026-11-21T09:00:04.000Z',
      report: undefined,
      endReason: 'canceled' as const,
      error: 'The job was canceled before it was completed.',
    },
  ],
});

export function exportJobView({
  id: jobId,
  ...job
}: ShownExportJob): z.infer<typeof exportJobSchema> {
  return {
    ...job,
    jobId,
    createdBy: makerView(job.maker),
    options: optionsOfJob(job),
    error: job.error ?? undefined,
    report: job.report ?? undefined,
    bundleDeletedAt: job.bundleDeletedAt ?? undefined,
  };
}
