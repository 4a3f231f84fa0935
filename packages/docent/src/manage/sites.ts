import type { SiteSecurity } from '@docent/format/access/site-settings.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  readAll,
  type SiteOptions,
  type Texts,
} from '../kernel/commands.ts';
import { formatBytes, formatTable, type Output } from '../kernel/output.ts';
import { type SearchRulesTrial, trialText } from './search-rules.ts';

type ChangeOptions = Texts<'name' | 'slug' | 'publicUrl'> & { noindex?: boolean };

/** `docent sites …`, `docent hostnames …`, `docent security` and `docent assistant` */
export function addSiteCommands(commands: Commands): void {
  const { program, add } = commands;
  const sites = program.command('sites').description('List, create, show, change and delete sites');
  add(sites, 'list', 'List the sites of the organization').run(async (api, output) => {
    const items = await readAll<Schema<'Project'>>(api, '/v1/projects');
    const rows = items.map(({ slug, state, live, url }) => [
      slug,
      state,
      live ? String(live.pages) : '-',
      live ? formatBytes(live.bytes) : '-',
      live?.publishedAt ?? '-',
      url,
    ]);
    output.result(
      formatTable([['SITE', 'STATE', 'PAGES', 'SIZE', 'PUBLISHED', 'ADDRESS'], ...rows]),
      { items },
    );
  });
  add(sites, 'create <slug>', 'Create a site without content, for example to connect it with Git')
    .option('--name <name>', 'its name; until the first deployment its identifier by default')
    .run(async (api, output, slug: string, { name }: Texts<'name'>) => {
      const { projectId } = await api.post<Schema<'Project'>>('/v1/projects', { slug, name });
      showSite(await api.get(apiPath`/v1/projects/${projectId}`), output);
    });
  add(sites, 'show <site>', 'Show a site and what is live of it').run(
    async (api, output, site: string) =>
      showSite(await api.get(apiPath`/v1/projects/${site}`), output),
  );
  add(sites, 'change <site>', 'Change a site; its former identifier redirects to the new one')
    .option('--name <name>', 'name of the site')
    .option('--slug <slug>', 'identifier of the site, which is in its address')
    .option('--noindex', 'ask search engines not to index the site')
    .option('--no-noindex', 'allow search engines to index the site')
    .option(
      '--public-url <url>',
      'address of the site behind your proxy, such as https://acme.com/docs, or "none"',
    )
    .run(
      async (api, output, site: string, { name, slug, noindex, publicUrl: url }: ChangeOptions) => {
        if ([name, slug, noindex, url].every((option) => option === undefined))
          throw new DocentError(
            'invalid_setting',
            'Nothing to change: add --name, --slug, --noindex or --public-url.',
          );
        const publicUrl = url === 'none' ? null : url;
        const hasSettings = noindex !== undefined || publicUrl !== undefined;
        const body = { name, slug, settings: hasSettings ? { noindex, publicUrl } : undefined };
        showSite(await api.patch(apiPath`/v1/projects/${site}`, body), output);
      },
    );
  add(sites, 'delete <site>', 'Delete a site with everything in it')
    .requiredOption('--confirm <slug>', 'the identifier of the site again, as confirmation')
    .run(async (api, output, site: string, { confirm }: { confirm: string }) => {
      await api.delete(apiPath`/v1/projects/${site}?confirm=${confirm}`);
      output.result(`Deleted ${site} with everything in it.`, { site, deleted: true });
    });
  addHostnameCommands(commands);
  addSecurityCommand(commands);
  addAssistantCommand(commands);
}

function showSite(site: Schema<'Project'>, output: Output): void {
  const { slug, name, url, defaultUrl, state, live, lastDeployment, settings } = site;
  const rows = [
    ['Site', slug],
    ['Name', name],
    ['Address', url],
    ...(url === defaultUrl ? [] : [['On the platform', defaultUrl]]),
    ['State', state],
    ['Live', live ? `${live.id}, ${live.pages} pages, ${formatBytes(live.bytes)}` : '-'],
    [
      'Last deployment',
      lastDeployment
        ? `${lastDeployment.id} ${lastDeployment.status}: ${lastDeployment.summary}`
        : '-',
    ],
    ['Search engines', settings.noindex ? 'asked to leave it out' : 'welcome'],
  ];
  output.result(formatTable(rows), site);
}

function addHostnameCommands({ program, addForSite }: Commands): void {
  const hostnames = program
    .command('hostnames')
    .description('Show, add, check, approve and remove hostnames of a site');
  addForSite(hostnames, 'list', 'List the hostnames of a site, and whether they are verified').run(
    async (api, output, { site }: SiteOptions) => {
      const answer = await api.get<{ hostnames: Schema<'Hostname'>[] }>(
        apiPath`/v1/projects/${site}/hostnames`,
      );
      const rows = answer.hostnames.map(({ hostname, status, approved, problem }) => [
        hostname,
        status,
        approved ? 'operator' : status === 'verified' ? 'DNS' : '-',
        problem ?? '-',
      ]);
      output.result(formatTable([['HOSTNAME', 'STATUS', 'BY', 'PROBLEM'], ...rows]), answer);
    },
  );
  addForSite(
    hostnames,
    'add <hostname>',
    'Add a hostname, and print the DNS records that verify it',
  ).run(async (api, output, hostname: string, { site }: SiteOptions) =>
    showHostname(await api.post(apiPath`/v1/projects/${site}/hostnames`, { hostname }), output),
  );
  addForSite(
    hostnames,
    'check <hostname>',
    'Check the DNS records now; exits with 1 if they are missing',
  ).run(async (api, output, hostname: string, { site }: SiteOptions) => {
    const path = apiPath`/v1/projects/${site}/hostnames/${hostname}/verify`;
    const checked = await api.post<Schema<'Hostname'>>(path);
    showHostname(checked, output);
    return checked.status === 'verified' ? 0 : 1;
  });
  addForSite(
    hostnames,
    'approve <hostname>',
    'Approve a hostname without verification; on the server itself',
  ).run(async (api, output, hostname: string, { site }: SiteOptions) =>
    showHostname(
      await api.post(apiPath`/v1/projects/${site}/hostnames/${hostname}/approve`),
      output,
    ),
  );
  addForSite(hostnames, 'remove <hostname>', 'Remove a hostname from a site').run(
    async (api, output, hostname: string, { site }: SiteOptions) => {
      await api.delete(apiPath`/v1/projects/${site}/hostnames/${hostname}`);
      output.result(`Removed ${hostname}.`, { removed: hostname });
    },
  );
}

function showHostname(host: Schema<'Hostname'>, output: Output): void {
  const line = ({ type, name, value }: Schema<'Hostname'>['records'][number]): string =>
    `  ${name}  ${type}  ${value}`;
  const lines = [`${host.hostname} is ${host.status}.`];
  if (host.problem !== null) lines.push(host.problem);
  if (host.lapsesAt !== null)
    lines.push(`Without a proof it stops working on ${host.lapsesAt.slice(0, 10)}.`);
  if (host.status !== 'verified' || host.lapsesAt !== null)
    lines.push('Set one of these DNS records:', ...host.records.map(line));
  if (host.found.length > 0) lines.push('DNS has:', ...host.found.map(line));
  output.result(lines.join('\n'), host);
}

/** Lists of CSP sources; `none` means an empty list, `default` means the platform's own. */
interface SecurityOptions {
  scriptSource?: string[];
  frameAncestor?: string[];
}

/**
 * `docent security <site>`: applies the requested changes and prints what the pages of a site allow browsers to do.
 */
function addSecurityCommand({ program, add }: Commands): void {
  add(
    program,
    'security <site>',
    'Show or change the Content-Security-Policy of a site; each list replaces the previous one',
  )
    .option(
      '--script-source <source...>',
      'https hosts and hashes of scripts that may run beside the site\'s own, or "none"',
    )
    .option(
      '--frame-ancestor <origin...>',
      'origins that may embed the site in a frame, "self", "none" or "default"',
    )
    .run(async (api, output, site: string, { scriptSource, frameAncestor }: SecurityOptions) => {
      const body: Partial<SiteSecurity> | undefined = (scriptSource || frameAncestor) && {
        scriptSources: scriptSource && isOnly(scriptSource, 'none') ? [] : scriptSource,
        frameAncestors: frameAncestor && ancestorsOf(frameAncestor),
      };
      const path = apiPath`/v1/project/${site}/security-settings`;
      const settings = await api.request<SiteSecurity>(body ? 'PATCH' : 'GET', path, body);
      const scripts = `Third-party scripts: ${settings.scriptSources.join(' ') || 'none'}`;
      output.result(`${scripts}\nAllowed frame ancestors: ${framing(settings)}`, settings);
    });
}

/**
 * `docent assistant <site>`: applies the requested changes and prints the settings of the assistant.
 */
function addAssistantCommand({ program, add }: Commands): void {
  add(
    program,
    'assistant <site>',
    'Show the assistant settings of a site, or change its instructions and its limit',
  )
    .option(
      '--instructions <text>',
      'what a language model should know, and how it should answer; "none" removes it',
    )
    .option(
      '--tokens-per-day <number>',
      'tokens that a language model may use on a day before pages are quoted; "none" removes the limit',
    )
    .option(
      '--try',
      'ask the language model the first test questions with the instructions, and save nothing',
    )
    .run(async (api, output, site: string, options: AssistantOptions) => {
      const { instructions, tokensPerDay } = options;
      const path = apiPath`/v1/project/${site}/assistant-settings`;
      const changes = {
        ...(instructions !== undefined && {
          instructions: instructions === 'none' ? null : instructions,
        }),
        ...(tokensPerDay !== undefined && {
          tokensPerDay: tokensPerDay === 'none' ? null : Number(tokensPerDay),
        }),
      };
      if (options.try) return output.result(...(await tryInstructions(api, path, changes)));
      const body = Object.keys(changes).length > 0 ? changes : undefined;
      const settings = await api.request<Schema<'AssistantSettings'>>(
        body ? 'PATCH' : 'GET',
        path,
        body,
      );
      const effect = settings.usesLanguageModel
        ? ''
        : ' (no effect: there is no language model, so pages are quoted)';
      const rows = [
        ['Enabled', settings.enabled ? 'yes' : 'no'],
        ['Model', settings.model ?? 'default'],
        ['Tokens today', `${settings.tokensToday} of ${settings.tokensPerDay ?? 'any number'}`],
        [
          'Instructions',
          `${settings.instructions ?? 'none'}${settings.instructions === null ? '' : effect}`,
        ],
      ];
      output.result(formatTable(rows), settings);
    });
}

type AssistantOptions = Texts<'instructions' | 'tokensPerDay'> & { try?: true };

/**
 * Tries instructions with the test questions of a site, for `docent assistant --try`.
 * @throws DocentError `invalid_setting` without instructions, or with other changes
 */
export async function tryInstructions(
  api: ApiClient,
  path: string,
  { instructions, ...others }: { instructions?: string | null },
): Promise<[text: string, trial: SearchRulesTrial]> {
  if (instructions === undefined || Object.keys(others).length > 0)
    throw new DocentError('invalid_setting', '--try needs --instructions, and no other change.');
  const trial = await api.post<SearchRulesTrial>(`${path}/try`, { instructions });
  return [trialText(trial), trial];
}

function ancestorsOf(origins: string[]): string[] | null {
  if (isOnly(origins, 'default')) return null;
  return isOnly(origins, 'none')
    ? []
    : origins.map((origin) => (origin === 'self' ? "'self'" : origin));
}

function isOnly(list: readonly string[], word: string): boolean {
  return list.length === 1 && list[0] === word;
}

function framing({ frameAncestors }: SiteSecurity): string {
  if (frameAncestors === null) return 'the platform’s default (DOCENT_FRAME_ANCESTORS)';
  return frameAncestors.join(' ') || 'none';
}
