import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

export interface LiveOptions {
  site: string;
  path?: string;
  language?: string;
  limit: number;
}

interface Counts {
  readers: number;
  views: number;
  aiViews: number;
}

interface Live {
  at: string;
  last5Minutes: Counts;
  last30Minutes: Counts;
  pages: (Counts & { path: string })[];
  sources: { source: string; readers: number; views: number }[];
  machines: { class: string; agent: string; requests: number }[];
}

/** `docent live`: who reads a site now, with the pages, sources and machines of the last 30 minutes. */
export async function showLive(api: ApiClient, { site, ...filters }: LiveOptions, output: Output): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  const live = await api.request<Live>({ method: 'GET', path: `/v1/analytics/${encodeURIComponent(site)}/live?${query}` });
  const { at, last5Minutes, last30Minutes, pages, sources, machines } = live;
  output.print(`${at}\n${countsText(last5Minutes)} in the last 5 minutes\n${countsText(last30Minutes)} in the last 30 minutes`);
  const lists = [
    [['PAGE', 'READERS', 'VIEWS', 'AI VIEWS'], ...pages.map((row) => [row.path, row.readers, row.views, row.aiViews])],
    [['SOURCE', 'READERS', 'VIEWS'], ...sources.map((row) => [row.source || '-', row.readers, row.views])],
    [['MACHINE', 'CLASS', 'REQUESTS'], ...machines.map((row) => [row.agent || '-', row.class, row.requests])],
  ];
  for (const rows of lists) if (rows.length > 1) output.print(`\n${formatTable(rows.map((row) => row.map(String)))}`);
  output.json(live);
}

const countsText = ({ readers, views, aiViews }: Counts) => `${readers} readers, ${views} views, ${aiViews} views by AI`;
