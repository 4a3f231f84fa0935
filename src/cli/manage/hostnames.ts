import type { Schema } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import type { ServerCommands, SiteOptions } from './server-commands.ts';

const pathOf = (site: string, rest = ''): string => `/v1/projects/${encodeURIComponent(site)}/hostnames${rest}`;
const pathOfOne = (site: string, hostname: string, rest = ''): string => pathOf(site, `/${encodeURIComponent(hostname)}${rest}`);

/** `docent hostnames …` */
export function addHostnameCommands({ program, addForSite, action }: ServerCommands): void {
  const hostnames = program.command('hostnames').description('Show, add, check, approve and remove hostnames of a site');
  addForSite(hostnames, 'list', 'List the hostnames of a site, and whether they are verified').action(
    action(async (api, output, { site }: SiteOptions) => {
      const answer = await api.request<{ hostnames: Schema<'Hostname'>[] }>({ method: 'GET', path: pathOf(site) });
      const rows = answer.hostnames.map(({ hostname, status, approved, problem }) => [
        hostname,
        status,
        approved ? 'operator' : status === 'verified' ? 'DNS' : '-',
        problem ?? '-',
      ]);
      output.print(formatTable([['HOSTNAME', 'STATUS', 'BY', 'PROBLEM'], ...rows]));
      output.json(answer);
    }),
  );
  addForSite(hostnames, 'add <hostname>', 'Add a hostname, and print the DNS records that verify it').action(
    action(async (api, output, hostname: string, { site }: SiteOptions) => {
      show(await api.request({ method: 'POST', path: pathOf(site), body: { hostname } }), output);
    }),
  );
  addForSite(hostnames, 'check <hostname>', 'Check the DNS records now; exits with 1 if they are missing').action(
    action(async (api, output, hostname: string, { site }: SiteOptions) => {
      const path = pathOfOne(site, hostname, '/verify');
      const checked = await api.request<Schema<'Hostname'>>({ method: 'POST', path });
      show(checked, output);
      return checked.status === 'verified' ? 0 : 1;
    }),
  );
  addForSite(hostnames, 'approve <hostname>', 'Approve a hostname without verification; on the server itself').action(
    action(async (api, output, hostname: string, { site }: SiteOptions) => {
      show(await api.request({ method: 'POST', path: pathOfOne(site, hostname, '/approve') }), output);
    }),
  );
  addForSite(hostnames, 'remove <hostname>', 'Remove a hostname from a site').action(
    action(async (api, output, hostname: string, { site }: SiteOptions) => {
      await api.request({ method: 'DELETE', path: pathOfOne(site, hostname) });
      output.print(`Removed ${hostname}.`);
      output.json({ removed: hostname });
    }),
  );
}

function show(one: Schema<'Hostname'>, output: Output): void {
  const line = ({ type, name, value }: Schema<'Hostname'>['records'][number]): string => `  ${name}  ${type}  ${value}`;
  output.print(`${one.hostname} is ${one.status}.`);
  if (one.problem !== null) output.print(one.problem);
  if (one.status !== 'verified') output.print(['Set one of these DNS records:', ...one.records.map(line)].join('\n'));
  if (one.found.length > 0) output.print(['DNS has:', ...one.found.map(line)].join('\n'));
  output.json(one);
}
