import { DocentError } from '../../core/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

interface ListedSite {
  projectId: string;
  slug: string;
  name: string;
  url: string;
  state: string;
  live: { id: string; publishedAt: string; pages: number; bytes: number } | null;
  lastDeployment: { id: string; status: string; summary: string; createdAt: string } | null;
  settings: { noindex: boolean };
}

export interface SiteChanges {
  name?: string;
  slug?: string;
  noindex?: boolean;
}

/** Returns the path of a site in the API. */
export function sitePath(site: string, rest = ''): string {
  return `/v1/projects/${encodeURIComponent(site)}${rest}`;
}

/** Yields every item of a list, page by page. */
export async function readAll<Item>(api: ApiClient, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page: { items: Item[]; nextCursor: string | null } = await api.request({ method: 'GET', path: path + more });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** `docent sites list` */
export async function listSites(api: ApiClient, output: Output): Promise<void> {
  const items = await readAll<ListedSite>(api, '/v1/projects');
  const rows = items.map(({ slug, state, live, url }) => [
    slug,
    state,
    live ? String(live.pages) : '-',
    live ? formatBytes(live.bytes) : '-',
    live?.publishedAt ?? '-',
    url,
  ]);
  output.print(formatTable([['SITE', 'STATE', 'PAGES', 'SIZE', 'PUBLISHED', 'ADDRESS'], ...rows]));
  output.json({ items });
}

/** `docent sites show` */
export async function showSite(api: ApiClient, site: string, output: Output): Promise<void> {
  show(await api.request<ListedSite>({ method: 'GET', path: sitePath(site) }), output);
}

/** `docent sites change` */
export async function changeSite(api: ApiClient, site: string, changes: SiteChanges, output: Output): Promise<void> {
  const { noindex, ...rest } = changes;
  const body = { ...rest, ...(noindex !== undefined && { settings: { noindex } }) };
  if (Object.keys(body).length === 0) {
    throw new DocentError('invalid_setting', 'Nothing to change: add --name, --slug or --noindex.');
  }
  show(await api.request<ListedSite>({ method: 'PATCH', path: sitePath(site), body }), output);
}

/** `docent sites delete` */
export async function deleteSite(api: ApiClient, site: string, confirm: string | undefined, output: Output): Promise<void> {
  const query = confirm === undefined ? '' : `?confirm=${encodeURIComponent(confirm)}`;
  await api.request({ method: 'DELETE', path: sitePath(site, query) });
  output.print(`Deleted ${site} with everything in it.`);
  output.json({ site, deleted: true });
}

function show(site: ListedSite, output: Output): void {
  const { slug, name, url, state, live, lastDeployment, settings } = site;
  const rows = [
    ['Site', slug],
    ['Name', name],
    ['Address', url],
    ['State', state],
    ['Live', live ? `${live.id}, ${live.pages} pages, ${formatBytes(live.bytes)}` : '-'],
    ['Last deployment', lastDeployment ? `${lastDeployment.id} ${lastDeployment.status}: ${lastDeployment.summary}` : '-'],
    ['Search engines', settings.noindex ? 'asked to leave it out' : 'welcome'],
  ];
  output.print(formatTable(rows));
  output.json(site);
}
