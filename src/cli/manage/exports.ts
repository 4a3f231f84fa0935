import { Option } from 'commander';
import { exportStatuses } from '../../core/exports/job-state.ts';
import type { ApiClient, Schema } from '../api-client.ts';
import type { Output } from '../output.ts';
import { type PageOptions, printPage, type ServerCommands, type SiteOptions, withPaging, withQuery } from './server-commands.ts';

const JOBS = '/v1/static-export/jobs';

interface ListOptions extends PageOptions {
  site?: string;
  status?: string;
}

/** `docent exports …` */
export function addExportCommands({ program, add, addForSite, action }: ServerCommands): void {
  const exports = program.command('exports').description('List, start and cancel exports on the server');
  const list = add(exports, 'list', 'List the exports of the organization, newest first')
    .option('--site <slug>', 'only those of this site')
    .addOption(new Option('--status <status>', 'only those in this state').choices(exportStatuses));
  withPaging(list, 100, 20).action(action((api, output, options: ListOptions) => listExports(api, options, output)));
  addForSite(exports, 'start', 'Start an export of the live site').action(
    action(async (api, output, { site }: SiteOptions) => {
      const job = await api.request<Schema<'StaticExportJob'>>({ method: 'POST', path: JOBS, body: { domain: site } });
      output.print(`${job.jobId} is ${job.status}; "docent exports link ${job.jobId}" gives the link to its bundle.`);
      output.json(job);
    }),
  );
  add(exports, 'link <job>', 'Print the link to a finished bundle').action(
    action((api, output, job: string) => getExportLink(api, job, output)),
  );
  add(exports, 'cancel <job>', 'Cancel a queued or running export').action(
    action((api, output, job: string) => cancelExport(api, job, output)),
  );
}

/** `docent exports list` */
export async function listExports(api: ApiClient, { site, status, limit, cursor }: ListOptions, output: Output): Promise<void> {
  const path = withQuery(JOBS, { limit, domain: site, status, cursor });
  const page = await api.request<{ jobs: Schema<'StaticExportJob'>[]; nextCursor: string | null }>({ method: 'GET', path });
  const rows = page.jobs.map(({ jobId, domain, status: state, progress, pageCount, createdAt }) => [
    jobId,
    domain,
    state,
    `${Math.round(progress)} %`,
    pageCount === null ? '-' : String(pageCount),
    createdAt,
  ]);
  printPage(output, page, [['JOB', 'SITE', 'STATE', 'PROGRESS', 'PAGES', 'CREATED'], ...rows]);
}

/** `docent exports link`: prints the download link of the finished bundle. */
export async function getExportLink(api: ApiClient, jobId: string, output: Output): Promise<void> {
  const bundle = await api.request<{ bundleUrl: string }>({
    method: 'POST',
    path: `${JOBS}/${encodeURIComponent(jobId)}/bundle`,
  });
  output.print(bundle.bundleUrl);
  output.json(bundle);
}

/** `docent exports cancel` */
export async function cancelExport(api: ApiClient, jobId: string, output: Output): Promise<void> {
  const job = await api.request<Schema<'StaticExportJob'>>({ method: 'DELETE', path: `${JOBS}/${encodeURIComponent(jobId)}` });
  output.print(`Cancelled ${job.jobId}.`);
  output.json(job);
}
