import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

const JOBS = '/v1/static-export/jobs';

interface Job {
  jobId: string;
  domain: string;
  status: string;
  progress: number;
  pageCount: number | null;
  createdAt: string;
}

export interface ListedExports {
  site?: string;
  status?: string;
  limit: number;
  cursor?: string;
}

/** `docent exports list`: the export jobs of the organization, newest first. */
export async function listExports(api: ApiClient, { site, status, limit, cursor }: ListedExports, output: Output): Promise<void> {
  const asked = new URLSearchParams({
    limit: String(limit),
    ...(site && { domain: site }),
    ...(status && { status }),
    ...(cursor && { cursor }),
  });
  const page = await api.request<{ jobs: Job[]; nextCursor: string | null }>({ method: 'GET', path: `${JOBS}?${asked}` });
  const rows = page.jobs.map(({ jobId, domain, status: state, progress, pageCount, createdAt }) => [
    jobId,
    domain,
    state,
    `${Math.round(progress)} %`,
    pageCount === null ? '-' : String(pageCount),
    createdAt,
  ]);
  output.print(formatTable([['JOB', 'SITE', 'STATE', 'PROGRESS', 'PAGES', 'CREATED'], ...rows]));
  if (page.nextCursor !== null && !output.isJson) output.note(`There is more: --cursor ${page.nextCursor}`);
  output.json(page);
}

/** `docent exports start` */
export async function startExport(api: ApiClient, site: string, output: Output): Promise<void> {
  const job = await api.request<Job>({ method: 'POST', path: JOBS, body: { domain: site } });
  output.print(`${job.jobId} is ${job.status}; "docent exports link ${job.jobId}" gives the link to its bundle.`);
  output.json(job);
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
  const job = await api.request<Job>({ method: 'DELETE', path: `${JOBS}/${encodeURIComponent(jobId)}` });
  output.print(`Cancelled ${job.jobId}.`);
  output.json(job);
}
