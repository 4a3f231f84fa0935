import { type Command, InvalidArgumentError, Option } from 'commander';
import { FEEDBACK_STATUSES } from '../../core/analytics/feedback.ts';
import { exportStatuses } from '../../core/exports/job-state.ts';
import type { ApiClient } from '../api-client.ts';
import { createOutput, type Output } from '../output.ts';
import type { ListedExports } from './exports.ts';
import type { FeedbackOptions } from './feedback.ts';
import type { LiveOptions } from './live.ts';

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

/** `docent sites`, `deployments`, `rollback`, `previews`, `exports`, `feedback` and `live` */
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
  addLiveCommand(program, context);
}

function addSiteCommands(program: Command, { withServer, run }: Context): void {
  const sites = program.command('sites').description('List, show, change and delete sites');
  const load = () => import('./sites.ts');
  withServer(sites.command('list'))
    .description('List the sites of the organization')
    .action((options: ServerOptions) => run(options, async (api, output) => (await load()).listSites(api, output)));
  withServer(sites.command('show <site>'))
    .description('Show a site and what is live of it')
    .action((site: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).showSite(api, site, output)),
    );
  withServer(sites.command('change <site>'))
    .description('Change a site; its former identifier redirects to the new one')
    .option('--name <name>', 'name of the site')
    .option('--slug <slug>', 'identifier of the site, which is in its address')
    .option('--noindex', 'ask search engines not to index the site')
    .option('--no-noindex', 'allow search engines to index the site')
    .action((site: string, options: ServerOptions & { name?: string; slug?: string; noindex?: boolean }) =>
      run(options, async (api, output) => {
        const { name, slug, noindex } = options;
        const changes = { ...(name && { name }), ...(slug && { slug }), ...(noindex !== undefined && { noindex }) };
        await (await load()).changeSite(api, site, changes, output);
      }),
    );
  withServer(sites.command('delete <site>'))
    .description('Delete a site with everything in it')
    .requiredOption('--confirm <slug>', 'the identifier of the site again, as confirmation')
    .action((site: string, options: ServerOptions & { confirm: string }) =>
      run(options, async (api, output) => (await load()).deleteSite(api, site, options.confirm, output)),
    );
}

function addDeploymentCommands(program: Command, { withServer, run }: Context): void {
  const deployments = program.command('deployments').description('List, promote, pin, cancel and delete deployments');
  const load = () => import('./deployments.ts');
  const command = (usage: string, description: string) =>
    withServer(deployments.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  command('list', 'List the deployments of a site, newest first')
    .addOption(
      new Option('--status <status>', 'only those in this state').choices(['queued', 'in_progress', 'success', 'failure']),
    )
    .option('--preview <name>', 'only those of this preview; "true" for all previews, "false" for none')
    .option('--limit <count>', 'maximum number, 1 to 100', readCount(100), 20)
    .option('--cursor <cursor>', 'continue from the cursor of the previous output')
    .action((options: SiteOption & { status?: string; preview?: string; limit: number; cursor?: string }) =>
      run(options, async (api, output) => {
        const { site, status, preview, limit, cursor } = options;
        const asked = { limit, ...(status && { status }), ...(preview && { preview }), ...(cursor && { cursor }) };
        await (await load()).listDeployments(api, site, asked, output);
      }),
    );
  command('show <id>', 'Show a deployment with stages, findings and changed pages; exits with 1 if it failed')
    .option('--follow', 'follow its log until it ends')
    .action((id: string, options: SiteOption & { follow?: boolean }) =>
      run(options, async (api, output) => (await load()).showDeployment(api, options.site, id, options, output)),
    );
  for (const [action, description] of [
    ['promote', 'Make a stored build live'],
    ['cancel', 'Cancel a queued or running deployment'],
    ['pin', 'Keep a build regardless of its age'],
    ['unpin', 'Allow a build to be cleaned up again'],
  ] as const) {
    command(`${action} <id>`, description).action((id: string, options: SiteOption) =>
      run(options, async (api, output) => (await load()).actOnDeployment(api, options.site, id, action, output)),
    );
  }
  command('delete <id>', 'Delete a deployment with its build, report and log').action((id: string, options: SiteOption) =>
    run(options, async (api, output) => (await load()).deleteDeployment(api, options.site, id, output)),
  );
  withServer(program.command('rollback [id]'))
    .description('Roll back to the build before the live one, or to the given deployment')
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
    .option('--public', 'remove the password')
    .option('--lifetime-days <days>', 'days that it is kept after each deployment, or "never" if it never expires', readLifetime)
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
    .option('--cursor <cursor>', 'continue from the cursor of the previous output')
    .action((options: ServerOptions & ListedExports) =>
      run(options, async (api, output) => (await load()).listExports(api, options, output)),
    );
  withServer(exports.command('start'))
    .description('Start an export of the live site')
    .requiredOption('--site <slug>', 'identifier of the site')
    .action((options: SiteOption) => run(options, async (api, output) => (await load()).startExport(api, options.site, output)));
  withServer(exports.command('link <job>'))
    .description('Print the link to a finished bundle')
    .action((job: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).getExportLink(api, job, output)),
    );
  withServer(exports.command('cancel <job>'))
    .description('Cancel a queued or running export')
    .action((job: string, options: ServerOptions) =>
      run(options, async (api, output) => (await load()).cancelExport(api, job, output)),
    );
}

function addFeedbackCommands(program: Command, { withServer, run }: Context): void {
  const feedback = program.command('feedback').description('Read and triage feedback from readers and agents');
  const load = () => import('./feedback.ts');
  const command = (usage: string, description: string) =>
    withServer(feedback.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');
  command('list', 'List the feedback of a site, newest first')
    .addOption(new Option('--status <status>', 'only feedback in this state').choices(FEEDBACK_STATUSES))
    .addOption(new Option('--about <kind>', 'only feedback on pages, or on answers').choices(['page', 'answer']))
    .addOption(new Option('--helpful <answer>', 'only helpful, or only unhelpful').choices(['yes', 'no']))
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--previews', 'only feedback on previews, which is excluded by default')
    .option('--from <date>', 'from this day or time on')
    .option('--to <date>', 'until this day or time')
    .option('--limit <count>', 'maximum number, 1 to 100', readCount(100), 20)
    .option('--cursor <cursor>', 'continue from the cursor of the previous output')
    .action((options: ServerOptions & FeedbackOptions) =>
      run(options, async (api, output) => {
        const { url: _url, key: _key, json: _json, ...asked } = options;
        await (await load()).listFeedback(api, asked, output);
      }),
    );
  command('change <id>', 'Set the status or note of feedback')
    .addOption(new Option('--status <status>', 'its new status').choices(FEEDBACK_STATUSES))
    .option('--note <text>', 'a note for your colleagues; an empty text removes it')
    .action((id: string, options: SiteOption & { status?: string; note?: string }) =>
      run(options, async (api, output) => (await load()).changeFeedback(api, id, options, output)),
    );
}

function addLiveCommand(program: Command, { withServer, run }: Context): void {
  withServer(program.command('live'))
    .description('Show current readers of a site: readers, pages, sources and machines of the last 30 minutes')
    .requiredOption('--site <slug>', 'identifier of the site')
    .option('--path <path>', 'only this page, for example /guides/start')
    .option('--language <language>', 'only pages in this language')
    .option('--limit <count>', 'maximum number of rows of each list, 1 to 100', readCount(100), 10)
    .action((options: ServerOptions & LiveOptions) =>
      run(options, async (api, output) => {
        const { url: _url, key: _key, json: _json, ...asked } = options;
        await (await import('./live.ts')).showLive(api, asked, output);
      }),
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
