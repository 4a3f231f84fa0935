import { setTimeout as wait } from 'node:timers/promises';
import { Option } from 'commander';
import { DocentError } from '../../core/errors.ts';
import type { ApiClient, Schema } from '../api-client.ts';
import type { Output } from '../output.ts';
import { type PageOptions, printPage, type ServerCommands, type SiteOptions, withPaging, withQuery } from './server-commands.ts';
import { formatBytes, sitePath } from './sites.ts';

const POLL_MS = 300;

interface DeploymentPage {
  items: Schema<'DeploymentSummary'>[];
  nextCursor: string | null;
}

interface ListOptions extends SiteOptions, PageOptions {
  status?: string;
  preview?: string;
}

const pathOf = (site: string, id: string, rest = '') => sitePath(site, `/deployments/${encodeURIComponent(id)}${rest}`);

/** `docent deployments …` and `docent rollback` */
export function addDeploymentCommands({ program, addForSite, action }: ServerCommands): void {
  const deployments = program.command('deployments').description('List, promote, pin, cancel and delete deployments');
  const list = addForSite(deployments, 'list', 'List the deployments of a site, newest first')
    .addOption(
      new Option('--status <status>', 'only those in this state').choices(['queued', 'in_progress', 'success', 'failure']),
    )
    .option('--preview <name>', 'only those of this preview; "true" for all previews, "false" for none');
  withPaging(list, 100, 20).action(action(listDeployments));
  addForSite(deployments, 'show <id>', 'Show a deployment with stages, findings and changed pages; exits with 1 if it failed')
    .option('--follow', 'follow its log until it ends')
    .action(
      action((api, output, id: string, options: SiteOptions & { follow?: boolean }) =>
        showDeployment(api, options.site, id, options, output),
      ),
    );
  for (const [name, description] of [
    ['promote', 'Make a stored build live'],
    ['cancel', 'Cancel a queued or running deployment'],
    ['pin', 'Keep a build regardless of its age'],
    ['unpin', 'Allow a build to be cleaned up again'],
  ] as const) {
    addForSite(deployments, `${name} <id>`, description).action(
      action((api, output, id: string, { site }: SiteOptions) => actOnDeployment(api, site, id, name, output)),
    );
  }
  addForSite(deployments, 'delete <id>', 'Delete a deployment with its build, report and log').action(
    action(async (api, output, id: string, { site }: SiteOptions) => {
      await api.request({ method: 'DELETE', path: pathOf(site, id) });
      output.print(`Deleted ${id}.`);
      output.json({ id, deleted: true });
    }),
  );
  addForSite(program, 'rollback [id]', 'Roll back to the build before the live one, or to the given deployment').action(
    action((api, output, id: string | undefined, { site }: SiteOptions) => rollBack(api, site, id, output)),
  );
}

async function listDeployments(api: ApiClient, output: Output, options: ListOptions): Promise<void> {
  const { site, status, preview, limit, cursor } = options;
  const path = withQuery(sitePath(site, '/deployments'), { limit, status, preview, cursor });
  const page = await api.request<DeploymentPage>({ method: 'GET', path });
  const rows = page.items.map((one) => [
    one.id,
    stateOf(one),
    one.createdAt,
    String(one.pages),
    formatBytes(one.bytes),
    one.summary,
  ]);
  printPage(output, page, [['DEPLOYMENT', 'STATE', 'STARTED', 'PAGES', 'SIZE', 'SUMMARY'], ...rows]);
}

/** With `follow`, prints its log until it ends. @returns exit code: 1 if it failed */
async function showDeployment(
  api: ApiClient,
  site: string,
  id: string,
  { follow = false }: { follow?: boolean },
  output: Output,
): Promise<number> {
  const read = () => api.request<Schema<'Deployment'>>({ method: 'GET', path: pathOf(site, id) });
  let deployment = await read();
  let lines = 0;
  const printLog = () => {
    for (const { time, text } of deployment.log.slice(lines)) output.print(`${time}  ${text}`);
    lines = deployment.log.length;
  };
  while (follow && (deployment.status === 'queued' || deployment.status === 'in_progress')) {
    printLog();
    await wait(POLL_MS);
    deployment = await read();
  }
  if (follow) printLog();
  print(deployment, output);
  output.json(deployment);
  return deployment.status === 'failure' ? 1 : 0;
}

async function actOnDeployment(
  api: ApiClient,
  site: string,
  id: string,
  action: 'cancel' | 'pin' | 'unpin' | 'promote',
  output: Output,
): Promise<void> {
  const isPin = action === 'pin' || action === 'unpin';
  const changed = await api.request<Schema<'Deployment'>>(
    isPin
      ? { method: 'PATCH', path: pathOf(site, id), body: { pinned: action === 'pin' } }
      : { method: 'POST', path: pathOf(site, id, `/${action}`) },
  );
  output.print(`${changed.id}: ${stateOf(changed)}`);
  output.json(changed);
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

function stateOf({ status, endReason, isLive, pinned, preview }: Schema<'DeploymentSummary'>): string {
  const state = isLive ? 'live' : (endReason ?? status);
  return [state, ...(preview === null ? [] : [`preview ${preview}`]), ...(pinned ? ['pinned'] : [])].join(', ');
}

function print(deployment: Schema<'Deployment'>, output: Output): void {
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

function isPageList(entry: [string, unknown]): entry is [string, Schema<'PageList'>] {
  return typeof entry[1] === 'object' && entry[1] !== null;
}
