import { setTimeout as wait } from 'node:timers/promises';
import { DocentError } from '../../core/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import { formatBytes, sitePath } from './sites.ts';

const POLL_MS = 300;

interface ListedDeployment {
  id: string;
  preview: string | null;
  status: string;
  endReason: string | null;
  summary: string;
  isLive: boolean;
  canPromote: boolean;
  pinned: boolean;
  pages: number;
  bytes: number;
  createdAt: string;
}

interface PageList {
  count: number;
  pages: string[];
}

interface Deployment extends ListedDeployment {
  stages: { name: string; startedAt: string; endedAt: string | null; status: string }[];
  log: { time: string; text: string }[];
  findings: { kind: string; severity: string; count: number }[];
  changes: { added: PageList; changed: PageList; removed: PageList } | null;
}

interface DeploymentPage {
  items: ListedDeployment[];
  nextCursor: string | null;
}

export interface ListOptions {
  status?: string;
  preview?: string;
  limit: number;
  cursor?: string;
}

const pathOf = (site: string, id: string, rest = '') => sitePath(site, `/deployments/${encodeURIComponent(id)}${rest}`);

/** `docent deployments list` */
export async function listDeployments(api: ApiClient, site: string, options: ListOptions, output: Output): Promise<void> {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value !== undefined) asked.set(name, String(value));
  const page = await api.request<DeploymentPage>({ method: 'GET', path: sitePath(site, `/deployments?${asked}`) });
  const rows = page.items.map((one) => [
    one.id,
    stateOf(one),
    one.createdAt,
    String(one.pages),
    formatBytes(one.bytes),
    one.summary,
  ]);
  output.print(formatTable([['DEPLOYMENT', 'STATE', 'STARTED', 'PAGES', 'SIZE', 'SUMMARY'], ...rows]));
  if (page.nextCursor !== null && !output.isJson) output.note(`There is more: --cursor ${page.nextCursor}`);
  output.json(page);
}

/** `docent deployments show`; with `follow`, its log until it ends. @returns exit code: 1 where it failed */
export async function showDeployment(
  api: ApiClient,
  site: string,
  id: string,
  { follow = false }: { follow?: boolean },
  output: Output,
): Promise<number> {
  const look = () => api.request<Deployment>({ method: 'GET', path: pathOf(site, id) });
  let deployment = await look();
  let lines = 0;
  const printLog = () => {
    for (const { time, text } of deployment.log.slice(lines)) output.print(`${time}  ${text}`);
    lines = deployment.log.length;
  };
  while (follow && (deployment.status === 'queued' || deployment.status === 'in_progress')) {
    printLog();
    await wait(POLL_MS);
    deployment = await look();
  }
  if (follow) printLog();
  print(deployment, output);
  output.json(deployment);
  return deployment.status === 'failure' ? 1 : 0;
}

/** `docent deployments cancel`, `pin`, `unpin` and `promote` */
export async function actOnDeployment(
  api: ApiClient,
  site: string,
  id: string,
  action: 'cancel' | 'pin' | 'unpin' | 'promote',
  output: Output,
): Promise<void> {
  const isPin = action === 'pin' || action === 'unpin';
  const changed = await api.request<Deployment>(
    isPin
      ? { method: 'PATCH', path: pathOf(site, id), body: { pinned: action === 'pin' } }
      : { method: 'POST', path: pathOf(site, id, `/${action}`) },
  );
  output.print(`${changed.id}: ${stateOf(changed)}`);
  output.json(changed);
}

/** `docent deployments delete` */
export async function deleteDeployment(api: ApiClient, site: string, id: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: pathOf(site, id) });
  output.print(`Deleted ${id}.`);
  output.json({ id, deleted: true });
}

/** `docent rollback`: makes the previous stored build live, or the one that is named. */
export async function rollBack(api: ApiClient, site: string, id: string | undefined, output: Output): Promise<void> {
  await actOnDeployment(api, site, id ?? (await deploymentBeforeLive(api, site)), 'promote', output);
}

async function deploymentBeforeLive(api: ApiClient, site: string): Promise<string> {
  let hasLive = false;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = sitePath(site, `/deployments?status=success&preview=false&limit=100${more}`);
    const page: DeploymentPage = await api.request({ method: 'GET', path });
    for (const one of page.items) {
      if (hasLive && one.canPromote) return one.id;
      hasLive ||= one.isLive;
    }
    cursor = page.nextCursor;
  }
  throw new DocentError('build_not_kept', 'There is no stored build before the live one to go back to.');
}

function stateOf({ status, endReason, isLive, pinned, preview }: ListedDeployment): string {
  const state = isLive ? 'live' : (endReason ?? status);
  return [state, ...(preview === null ? [] : [`preview ${preview}`]), ...(pinned ? ['pinned'] : [])].join(', ');
}

function print(deployment: Deployment, output: Output): void {
  output.print(`${deployment.id}  ${stateOf(deployment)}  ${deployment.summary}`);
  for (const { name, startedAt, endedAt, status } of deployment.stages) {
    const seconds = endedAt === null ? '' : `  ${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
    output.print(`  ${status.padEnd(7)}  ${name}${seconds}`);
  }
  for (const { kind, severity, count } of deployment.findings) output.print(`  ${severity.padEnd(7)}  ${kind} (${count})`);
  for (const [name, { count, pages }] of Object.entries(deployment.changes ?? {}).filter(isPageList)) {
    if (count > 0) output.print(`  ${name.padEnd(7)}  ${count}: ${pages.slice(0, 10).join(', ')}${count > 10 ? ', …' : ''}`);
  }
}

function isPageList(entry: [string, unknown]): entry is [string, PageList] {
  return typeof entry[1] === 'object' && entry[1] !== null;
}
