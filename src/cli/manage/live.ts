import type { ApiClient, Schema } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import { readCount, type ServerCommands, type SiteOptions, withQuery } from './server-commands.ts';

interface LiveOptions extends SiteOptions {
  path?: string;
  language?: string;
  limit: number;
}

interface Live {
  at: string;
  last5Minutes: Schema<'LiveCounts'>;
  last30Minutes: Schema<'LiveCounts'>;
  pages: (Schema<'LiveCounts'> & { path: string })[];
  sources: { source: string; readers: number; views: number }[];
  machines: { class: string; agent: string; requests: number }[];
}

/** `docent live` */
export function addLiveCommand({ program, addForSite, action }: ServerCommands): void {
  addForSite(program, 'live', 'Show current readers of a site: readers, pages, sources and machines of the last 30 minutes')
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--limit <count>', 'maximum number of rows of each list, 1 to 100', readCount(100), 10)
    .action(action((api, output, options: LiveOptions) => showLive(api, options, output)));
}

/** Prints the current readers of a site, with the pages, sources and machines of the last 30 minutes. */
export async function showLive(api: ApiClient, { site, limit, path, language }: LiveOptions, output: Output): Promise<void> {
  const address = withQuery(`/v1/analytics/${encodeURIComponent(site)}/live`, { limit, path, language });
  const live = await api.request<Live>({ method: 'GET', path: address });
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

const countsText = ({ readers, views, aiViews }: Schema<'LiveCounts'>) =>
  `${readers} readers, ${views} views, ${aiViews} views by AI`;
