import { type Command, InvalidArgumentError, Option } from 'commander';
import { FEEDBACK_STATUSES } from '../../core/analytics/feedback.ts';
import { exportStatuses } from '../../core/exports/job-state.ts';
import type { ApiClient } from '../api-client.ts';
import { createOutput, type Output } from '../output.ts';
import type { ListedExports } from './exports.ts';
import type { FeedbackOptions } from './feedback.ts';

interface ServerOptions {
  url?: string;
  key?: string;
  json?: boolean;
}

interface SiteOption extends ServerOptions {
  site: string;
}

interface Context {
  withServer: (command: Command) => Command;
  run(options: ServerOptions, act: (api: ApiClient, output: Output) => Promise<unknown>): Promise<void>;
}

/** `docent sites`, `deployments`, `rollback`, `previews`, `exports` and `feedback` */
export function addManageCommands(
  program: Command,
  withServer: (command: Command) => Command,
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): void {
  const context: Context = {
    withServer,
    async run(options, act) {
      const { withApi } = await import('../connect.ts');
      const code = await withApi(env, options, (api) => act(api, createOutput(options)));
      if (typeof code === 'number') setExitCode(code);
    },
  };
  addSiteCommands(program, context);
  addDeploymentCommands(program, context);
  addPreviewCommands(program, context);
  addExportCommands(program, context);
  addFeedbackCommands(program, context);
}

function addSiteCommands(program: Command, { withServer, run }: Context): void {
  const sites = program.command('sites').description('List, show, change and delete sites');
  const load = () => import('./sites.ts');
  withServer(sites.command('list'))
    .description('List the sites of the organisation')
    .action((options: ServerOptions) => run(options, async (api, output) => (await load()).listSites(api, output)));
  withServer(sites.command('show <site>'))
    .description('Show a site and what is live of it')
    .action((site: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).showSite(api, site, output)),
    );
  withServer(sites.command('change <site>'))
    .description('Change a site; its former identifier leads on to the new one')
    .option('--name <name>', 'name of the site')
    .option('--slug <slug>', 'identifier of the site, which is in its address')
    .option('--noindex', 'ask search engines to leave the site out')
    .option('--no-noindex', 'let search engines show the site')
    .action((site: string, options: ServerOptions & { name?: string; slug?: string; noindex?: boolean }) =>
      run(options, async (api, output) => {
        const { name, slug, noindex } = options;
        const changes = { ...(name && { name }), ...(slug && { slug }), ...(noindex !== undefined && { noindex }) };
        await (await load()).changeSite(api, site, changes, output);
      }),
    );
  withServer(sites.command('delete <site>'))
    .description('Delete a site with everything in it')
    .requiredOption('--confirm <slug>', 'the identifier of the site once more')
    .action((site: string, options: ServerOptions & { confirm: string }) =>
      run(options, async (api, output) => (await load()).deleteSite(api, site, options.confirm, output)),
    );
}

function addDeploymentCommands(program: Command, { withServer, run }: Context): void {
  const deployments = program.command('deployments').description('Follow, promote, pin, cancel and delete what was published');
  const load = () => import('./deployments.ts');
  const command = (usage: string, description: string) =>
    withServer(deployments.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  command('list', 'List the deployments of a site, newest first')
    .addOption(
      new Option('--status <status>', 'only those in this state').choices(['queued', 'in_progress', 'success', 'failure']),
    )
    .option('--preview <name>', 'only those of this preview; "true" for all previews, "false" for none')
    .option('--limit <count>', 'maximum number, 1 to 100', readCount(100), 20)
    .option('--cursor <cursor>', 'go on where the output before ended')
    .action((options: SiteOption & { status?: string; preview?: string; limit: number; cursor?: string }) =>
      run(options, async (api, output) => {
        const { site, status, preview, limit, cursor } = options;
        const asked = { limit, ...(status && { status }), ...(preview && { preview }), ...(cursor && { cursor }) };
        await (await load()).listDeployments(api, site, asked, output);
      }),
    );
  command('show <id>', 'Show a deployment with stages, findings and changed pages; exits with 1 where it failed')
    .option('--follow', 'print its log until it ends')
    .action((id: string, options: SiteOption & { follow?: boolean }) =>
      run(options, async (api, output) => (await load()).showDeployment(api, options.site, id, options, output)),
    );
  for (const [action, description] of [
    ['promote', 'Make a stored build what readers see'],
    ['cancel', 'End a deployment that waits or is being built'],
    ['pin', 'Keep a build, however old it is'],
    ['unpin', 'Let a build go with its age'],
  ] as const) {
    command(`${action} <id>`, description).action((id: string, options: SiteOption) =>
      run(options, async (api, output) => (await load()).actOnDeployment(api, options.site, id, action, output)),
    );
  }
  command('delete <id>', 'Delete a deployment with its build, report and log').action((id: string, options: SiteOption) =>
    run(options, async (api, output) => (await load()).deleteDeployment(api, options.site, id, output)),
  );
  withServer(program.command('rollback [id]'))
    .description('Go back to the build before the live one, or to the deployment that is named')
    .requiredOption('--site <slug>', 'identifier of the site')
    .action((id: string | undefined, options: SiteOption) =>
      run(options, async (api, output) => (await load()).rollBack(api, options.site, id, output)),
    );
}

function addPreviewCommands(program: Command, { withServer, run }: Context): void {
  const previews = program.command('previews').description('List, create and delete previews of a site');
  const load = () => import('./previews.ts');
  const command = (usage: string, description: string) =>
    withServer(previews.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  command('list', 'List the previews of a site').action((options: SiteOption) =>
    run(options, async (api, output) => (await load()).listPreviews(api, options.site, output)),
  );
  command('create <branch>', 'Create a preview, or change its password and lifetime; "docent publish --preview" fills it')
    .option('--password <password>', 'password that readers need, at least 8 characters')
    .option('--public', 'let everybody read it')
    .option('--lifetime-days <days>', 'days that it is kept after each deployment, or "never" to keep it for ever', readLifetime)
    .action((branch: string, options: SiteOption & { password?: string; public?: boolean; lifetimeDays?: number | null }) =>
      run(options, async (api, output) => (await load()).createPreview(api, options.site, branch, options, output)),
    );
  command('delete <name>', 'Delete a preview with its deployments').action((name: string, options: SiteOption) =>
    run(options, async (api, output) => (await load()).deletePreview(api, options.site, name, output)),
  );
}

function addExportCommands(program: Command, { withServer, run }: Context): void {
  const exports = program.command('exports').description('List, start and cancel exports on the server');
  const load = () => import('./exports.ts');
  withServer(exports.command('list'))
    .description('List the exports of the organization, newest first')
    .option('--site <slug>', 'only those of this site')
    .addOption(new Option('--status <status>', 'only those in this state').choices(exportStatuses))
    .option('--limit <count>', 'maximum number, 1 to 100', readCount(100), 20)
    .option('--cursor <cursor>', 'go on where the output before ended')
    .action((options: ServerOptions & ListedExports) =>
      run(options, async (api, output) => (await load()).listExports(api, options, output)),
    );
  withServer(exports.command('start'))
    .description('Start an export of what is live')
    .requiredOption('--site <slug>', 'identifier of the site')
    .action((options: SiteOption) => run(options, async (api, output) => (await load()).startExport(api, options.site, output)));
  withServer(exports.command('link <job>'))
    .description('Print the link to a finished bundle')
    .action((job: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).getExportLink(api, job, output)),
    );
  withServer(exports.command('cancel <job>'))
    .description('Cancel an export that waits or runs')
    .action((job: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).cancelExport(api, job, output)),
    );
}

function addFeedbackCommands(program: Command, { withServer, run }: Context): void {
  const feedback = program.command('feedback').description('Read what readers and agents said, and keep track of it');
  const load = () => import('./feedback.ts');
  const command = (usage: string, description: string) =>
    withServer(feedback.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  command('list', 'List the feedback of a site, newest first')
    .addOption(new Option('--status <status>', 'only feedback in this state').choices(FEEDBACK_STATUSES))
    .addOption(new Option('--about <kind>', 'only feedback on pages, or on answers').choices(['page', 'answer']))
    .addOption(new Option('--helpful <answer>', 'only feedback on what helped, or did not').choices(['yes', 'no']))
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--previews', 'only feedback on previews, which is otherwise left out')
    .option('--from <date>', 'from this day or time on')
    .option('--to <date>', 'until this day or time')
    .option('--limit <count>', 'maximum number, 1 to 100', readCount(100), 20)
    .option('--cursor <cursor>', 'go on where the output before ended')
    .action((options: ServerOptions & FeedbackOptions) =>
      run(options, async (api, output) => {
        const { url: _url, key: _key, json: _json, ...asked } = options;
        await (await load()).listFeedback(api, asked, output);
      }),
    );
  command('change <id>', 'Set status or note of feedback')
    .addOption(new Option('--status <status>', 'what became of it').choices(FEEDBACK_STATUSES))
    .option('--note <text>', 'a note for your colleagues; an empty text removes it')
    .action((id: string, options: SiteOption & { status?: string; note?: string }) =>
      run(options, async (api, output) => (await load()).changeFeedback(api, id, options, output)),
    );
}

function readCount(max: number) {
  return (text: string): number => {
    const count = Number(text);
    if (!/^\d{1,4}$/.test(text) || count < 1 || count > max) throw new InvalidArgumentError(`Use a number, 1 to ${max}.`);
    return count;
  };
}

function readLifetime(text: string): number | null {
  return text === 'never' ? null : readCount(3650)(text);
}
