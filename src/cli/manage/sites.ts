import { DocentError } from '../../core/errors.ts';
import type { Schema } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import { readAll, type ServerCommands, type ServerOptions } from './server-commands.ts';

interface ChangeOptions extends ServerOptions {
  name?: string;
  slug?: string;
  noindex?: boolean;
}

/** `docent sites …` */
export function addSiteCommands({ program, add, action }: ServerCommands): void {
  const sites = program.command('sites').description('List, show, change and delete sites');
  add(sites, 'list', 'List the sites of the organization').action(
    action(async (api, output) => {
      const items = await readAll<Schema<'Project'>>(api, '/v1/projects');
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
    }),
  );
  add(sites, 'show <site>', 'Show a site and what is live of it').action(
    action(async (api, output, site: string) => show(await api.request({ method: 'GET', path: sitePath(site) }), output)),
  );
  add(sites, 'change <site>', 'Change a site; its former identifier redirects to the new one')
    .option('--name <name>', 'name of the site')
    .option('--slug <slug>', 'identifier of the site, which is in its address')
    .option('--noindex', 'ask search engines not to index the site')
    .option('--no-noindex', 'allow search engines to index the site')
    .action(
      action(async (api, output, site: string, { name, slug, noindex }: ChangeOptions) => {
        const body = { ...(name && { name }), ...(slug && { slug }), ...(noindex !== undefined && { settings: { noindex } }) };
        if (Object.keys(body).length === 0)
          throw new DocentError('invalid_setting', 'Nothing to change: add --name, --slug or --noindex.');
        show(await api.request({ method: 'PATCH', path: sitePath(site), body }), output);
      }),
    );
  add(sites, 'delete <site>', 'Delete a site with everything in it')
    .requiredOption('--confirm <slug>', 'the identifier of the site again, as confirmation')
    .action(
      action(async (api, output, site: string, { confirm }: ServerOptions & { confirm: string }) => {
        await api.request({ method: 'DELETE', path: sitePath(site, `?confirm=${encodeURIComponent(confirm)}`) });
        output.print(`Deleted ${site} with everything in it.`);
        output.json({ site, deleted: true });
      }),
    );
}

/** Returns the path of a site in the API. */
export function sitePath(site: string, rest = ''): string {
  return `/v1/projects/${encodeURIComponent(site)}${rest}`;
}

/** `1.2 MB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

function show(site: Schema<'Project'>, output: Output): void {
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
