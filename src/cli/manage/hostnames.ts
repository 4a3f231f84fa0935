import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

interface ListedHostname {
  hostname: string;
  status: 'pending' | 'verified' | 'failed';
  approved: boolean;
  records: { type: string; name: string; value: string }[];
  found: { type: string; name: string; value: string }[];
  problem: string | null;
}

const pathOf = (site: string, rest = ''): string => `/v1/projects/${encodeURIComponent(site)}/hostnames${rest}`;
const pathOfOne = (site: string, hostname: string, rest = ''): string => pathOf(site, `/${encodeURIComponent(hostname)}${rest}`);

/** `docent hostnames list` */
export async function listHostnames(api: ApiClient, site: string, output: Output): Promise<void> {
  const answer = await api.request<{ hostnames: ListedHostname[] }>({ method: 'GET', path: pathOf(site) });
  const rows = answer.hostnames.map(({ hostname, status, approved, problem }) => [
    hostname,
    status,
    approved ? 'operator' : status === 'verified' ? 'DNS' : '-',
    problem ?? '-',
  ]);
  output.print(formatTable([['HOSTNAME', 'STATUS', 'BY', 'PROBLEM'], ...rows]));
  output.json(answer);
}

/** `docent hostnames add` */
export async function addHostname(api: ApiClient, site: string, hostname: string, output: Output): Promise<void> {
  show(await api.request<ListedHostname>({ method: 'POST', path: pathOf(site), body: { hostname } }), output);
}

/** `docent hostnames check`. @returns exit code: 1 if the hostname is not verified */
export async function checkHostname(api: ApiClient, site: string, hostname: string, output: Output): Promise<number> {
  const checked = await api.request<ListedHostname>({ method: 'POST', path: pathOfOne(site, hostname, '/verify') });
  show(checked, output);
  return checked.status === 'verified' ? 0 : 1;
}

/** `docent hostnames approve` */
export async function approveHostname(api: ApiClient, site: string, hostname: string, output: Output): Promise<void> {
  show(await api.request<ListedHostname>({ method: 'POST', path: pathOfOne(site, hostname, '/approve') }), output);
}

/** `docent hostnames remove` */
export async function removeHostname(api: ApiClient, site: string, hostname: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: pathOfOne(site, hostname) });
  output.print(`Removed ${hostname}.`);
  output.json({ removed: hostname });
}

function show(one: ListedHostname, output: Output): void {
  const line = ({ type, name, value }: ListedHostname['records'][number]): string => `  ${name}  ${type}  ${value}`;
  output.print(`${one.hostname} is ${one.status}.`);
  if (one.problem !== null) output.print(one.problem);
  if (one.status !== 'verified') output.print(['Set one of these DNS records:', ...one.records.map(line)].join('\n'));
  if (one.found.length > 0) output.print(['DNS has:', ...one.found.map(line)].join('\n'));
  output.json(one);
}
