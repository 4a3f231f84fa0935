import { DEPENDENCIES } from '@docent/format/dependencies.ts';
import { queueWords } from '@docent/format/deployments/queue-words.ts';
import { type ArchiveForm, archiveForms } from '@docent/format/exports/export-options.ts';
import { exportStatuses } from '@docent/format/exports/job-state.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type PageOptions,
  printPage,
  type SiteOptions,
  type Texts,
  withPaging,
  withQuery,
} from '../kernel/commands.ts';
import { makerName, type Output } from '../kernel/output.ts';

const JOBS = '/v1/static-export/jobs';

type ListOptions = PageOptions & Texts<'site' | 'status'>;

/** `docent exports …` */
export function addExportCommands({ program, add, addForSite }: Commands): void {
  const exports = program
    .command('exports')
    .description('List, start, cancel and delete exports on the server');
  const list = add(exports, 'list', 'List the exports of the organization, newest first')
    .option('--site <slug>', 'only those of this site')
    .choice('--status <status>', 'only those in this state', exportStatuses);
  withPaging(list, 100, 20).run(listExports);
  const start = addForSite(exports, 'start', 'Start an export of the live site').choice(
    '--archive <form>',
    'form of the archive; tar.zst takes two thirds of the size for many pages',
    archiveForms,
  );
  start.run(async (api, output, { site, archive }: SiteOptions & { archive?: ArchiveForm }) => {
    const job = await api.post<Schema<'StaticExportJob'>>(JOBS, {
      domain: site,
      archive,
    });
    output.result(
      `${job.jobId} is ${job.status}; "docent exports link ${job.jobId}" gives the link to its bundle.`,
      job,
    );
  });
  add(exports, 'link <job>', 'Print the link to a finished bundle').run(getExportLink);
  add(exports, 'delete <job>', 'Delete the bundle of a completed export, and end its links').run(
    async (api, output, jobId: string) => {
      await api.delete(apiPath`/v1/static-export/jobs/${jobId}/bundle`);
      output.result(`Deleted the bundle of ${jobId}.`, { jobId, deleted: true });
    },
  );
  add(exports, 'cancel <job>', 'Cancel a queued or running export').run(cancelExport);
}

/** `docent exports list` */
export async function listExports(
  api: ApiClient,
  output: Output,
  { site, status, limit, cursor }: ListOptions,
): Promise<void> {
  const path = withQuery(JOBS, { limit, domain: site, status, cursor });
  const page = await api.get<{ jobs: Schema<'StaticExportJob'>[]; nextCursor: string | null }>(
    path,
  );
  const rows = page.jobs.map(
    ({
      jobId,
      domain,
      status: state,
      endReason,
      waitingFor,
      queuePosition,
      progress,
      pageCount,
      createdBy,
      createdAt,
    }) => [
      jobId,
      domain,
      waitingFor
        ? `${state}, waiting for ${DEPENDENCIES[waitingFor]}`
        : (endReason ?? queueWords(state, queuePosition)),
      `${Math.round(progress)} %`,
      pageCount === null ? '-' : String(pageCount),
      makerName(createdBy),
      createdAt,
    ],
  );
  printPage(output, page, [
    ['JOB', 'SITE', 'STATE', 'PROGRESS', 'PAGES', 'BY', 'CREATED'],
    ...rows,
  ]);
}

/** `docent exports link`: prints the download link of the finished bundle. */
export async function getExportLink(api: ApiClient, output: Output, jobId: string): Promise<void> {
  const bundle = await api.post<{ bundleUrl: string }>(
    apiPath`/v1/static-export/jobs/${jobId}/bundle`,
  );
  output.result(bundle.bundleUrl, bundle);
}

/** `docent exports cancel` */
export async function cancelExport(api: ApiClient, output: Output, jobId: string): Promise<void> {
  const job = await api.delete<Schema<'StaticExportJob'>>(apiPath`/v1/static-export/jobs/${jobId}`);
  output.result(`Canceled ${job.jobId}.`, job);
}
