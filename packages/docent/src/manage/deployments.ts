import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import {
  actorName,
  commitName,
  deploymentTitle,
} from '@docent/format/deployments/deployment-title.ts';
import { DocentError } from '@docent/format/errors.ts';
import { Option } from 'commander';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type PageOptions,
  printPage,
  readAll,
  readCount,
  type ServerCommand,
  type SiteOptions,
  type Texts,
  withPaging,
  withQuery,
} from '../kernel/commands.ts';
import { formatTable, makerName, type Output } from '../kernel/output.ts';
import { patiently } from '../kernel/patience.ts';

const POLL_MS = 300;

interface DeploymentPage {
  items: Schema<'DeploymentSummary'>[];
  nextCursor: string | null;
}

type ListOptions = SiteOptions & PageOptions & Texts<'status' | 'preview' | 'search'>;

/** `docent deployments …`, `docent rollback` and `docent previews …` */
export function addDeploymentCommands(commands: Commands): void {
  const { program, addForSite } = commands;
  const deployments = program
    .command('deployments')
    .description('List, promote, pin, cancel and delete deployments');
  const list = addForSite(deployments, 'list', 'List the deployments of a site, newest first')
    .choice('--status <status>', 'only those in this state', [
      'queued',
      'in_progress',
      'success',
      'failure',
    ])
    .option(
      '--preview <name>',
      'only those of this preview; "true" for all previews, "false" for none',
    )
    .option(
      '--search <text>',
      'only those with this text in message, branch, author, preview or the start of the hash',
    );
  withPaging(list, 100, 20).run(listDeployments);
  addForSite(
    deployments,
    'show <id>',
    'Show a deployment with stages, findings and changed pages; exits with 1 if it failed',
  )
    .option('--follow', 'follow its log until it ends')
    .run(showDeployment);
  for (const [name, description] of [
    ['promote', 'Make a stored build live'],
    ['cancel', 'Cancel a queued or running deployment'],
    ['pin', 'Keep a build regardless of its age'],
    ['unpin', 'Allow a build to be cleaned up again'],
  ] as const) {
    addForSite(deployments, `${name} <id>`, description).run(
      (api, output, id: string, { site }: SiteOptions) =>
        actOnDeployment(api, site, id, name, output),
    );
  }
  addForSite(deployments, 'delete <id>', 'Delete a deployment with its build, report and log').run(
    async (api, output, id: string, { site }: SiteOptions) => {
      await api.delete(apiPath`/v1/projects/${site}/deployments/${id}`);
      output.result(`Deleted ${id}.`, { id, deleted: true });
    },
  );
  addForSite(
    program,
    'rollback [id]',
    'Roll back to the build before the live one, or to the given deployment',
  ).run((api, output, id: string | undefined, { site }: SiteOptions) =>
    rollBack(api, site, id, output),
  );
  addPreviewCommands(commands);
}

async function listDeployments(
  api: ApiClient,
  output: Output,
  options: ListOptions,
): Promise<void> {
  const { site, status, preview, search: q, limit, cursor } = options;
  const path = withQuery(apiPath`/v1/projects/${site}/deployments`, {
    limit,
    status,
    preview,
    q,
    cursor,
  });
  const page = await api.get<DeploymentPage>(path);
  const rows = page.items.map((deployment) => [
    deployment.id,
    stateOf(deployment),
    deployment.createdAt,
    cut(deploymentTitle(deployment), MAX_TITLE),
    deployment.commit ? commitName(deployment.commit) : '',
    authorOf(deployment),
    changesOf(deployment),
    deployment.summary,
  ]);
  printPage(output, page, [
    ['DEPLOYMENT', 'STATE', 'STARTED', 'TITLE', 'COMMIT', 'AUTHOR', 'CHANGES', 'SUMMARY'],
    ...rows,
  ]);
}

const MAX_TITLE = 60;

function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

function authorOf({ commit, actor }: Schema<'DeploymentSummary'>): string {
  return commit?.author ?? (actor ? actorName(actor) : '');
}

/** `+1 ~2 -0` pages */
function changesOf({ pageChanges }: Schema<'DeploymentSummary'>): string {
  return pageChanges ? `+${pageChanges.added} ~${pageChanges.changed} -${pageChanges.removed}` : '';
}

/** With `follow`, prints its log until it ends. @returns exit code: 1 if it failed */
async function showDeployment(
  api: ApiClient,
  output: Output,
  id: string,
  { site, follow = false }: SiteOptions & { follow?: boolean },
): Promise<number> {
  const read = () => api.get<Schema<'Deployment'>>(apiPath`/v1/projects/${site}/deployments/${id}`);
  let deployment = await read();
  let lines = 0;
  const printLog = () => {
    for (const { time, text } of deployment.log.slice(lines)) output.print(`${time}  ${text}`);
    lines = deployment.log.length;
  };
  while (follow && (deployment.status === 'queued' || deployment.status === 'in_progress')) {
    printLog();
    await wait(POLL_MS);
    deployment = await patiently(output, read);
  }
  if (follow) printLog();
  output.result(describe(deployment), deployment);
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
  const path = apiPath`/v1/projects/${site}/deployments/${id}`;
  const changed = await (isPin
    ? api.patch<Schema<'Deployment'>>(path, { pinned: action === 'pin' })
    : api.post<Schema<'Deployment'>>(`${path}/${action}`));
  output.result(`${changed.id}: ${stateOf(changed)}`, changed);
}

/** `docent rollback`: makes the previous stored build live, or the one that is named. */
export async function rollBack(
  api: ApiClient,
  site: string,
  id: string | undefined,
  output: Output,
): Promise<void> {
  await actOnDeployment(
    api,
    site,
    id ?? (await deploymentBeforeLive(api, site)),
    'promote',
    output,
  );
}

async function deploymentBeforeLive(api: ApiClient, site: string): Promise<string> {
  const { live } = await api.get<Schema<'Project'>>(apiPath`/v1/projects/${site}`);
  if (live !== null && live.previousId !== null) return live.previousId;
  throw new DocentError(
    'build_not_kept',
    'There is no stored build before the live one to go back to.',
  );
}

function stateOf({
  status,
  endReason,
  isLive,
  pausesPushes,
  pinned,
  preview,
  promotedFrom,
}: Schema<'DeploymentSummary'>): string {
  const state = isLive ? 'live' : (endReason ?? status);
  const origin =
    preview === null ? promotedFrom && `from preview ${promotedFrom}` : `preview ${preview}`;
  return [state, pausesPushes && 'pushes wait', origin, pinned && 'pinned']
    .filter(Boolean)
    .join(', ');
}

function describe(deployment: Schema<'Deployment'>): string {
  const lines = [`${deployment.id}  ${stateOf(deployment)}  ${deployment.summary}`];
  const add = (word: string, text: string) => lines.push(`  ${word.padEnd(7)}  ${text}`);
  const { commit, actor } = deployment;
  add('title', deploymentTitle(deployment));
  if (commit)
    add(
      'commit',
      [commitName(commit), commit.author, commit.committedAt, commit.repository]
        .filter(Boolean)
        .join('  '),
    );
  if (actor) add('by', actorName(actor));
  for (const { name, startedAt, endedAt, status } of deployment.stages) {
    const seconds =
      endedAt === null
        ? ''
        : `  ${((Date.parse(endedAt) - Date.parse(startedAt)) / 1000).toFixed(1)} s`;
    add(status, name + seconds);
  }
  for (const { kind, severity, count } of deployment.findings) add(severity, `${kind} (${count})`);
  const { added, changed, removed } = deployment.changes ?? {};
  for (const [word, list] of Object.entries({ added, changed, removed }))
    if (list && list.count > 0)
      add(
        word,
        `${list.count}: ${list.pages.slice(0, 10).join(', ')}${list.count > 10 ? ', …' : ''}`,
      );
  return lines.join('\n');
}

interface PreviewAccessOptions extends SiteOptions {
  password?: string;
  /** Read the password from standard input. */
  passwordStdin?: boolean;
  /** Only for members of the organization. */
  members?: boolean;
  /** Remove the password. */
  public?: boolean;
  lifetimeDays?: number | 'never';
}

function addPreviewCommands({ program, addForSite }: Commands): void {
  const previews = program
    .command('previews')
    .description('List, create, change and delete previews of a site');
  addForSite(previews, 'list', 'List the previews of a site').run(
    async (api, output, { site }: SiteOptions) => {
      const items = await readAll<Schema<'Preview'>>(api, apiPath`/v1/projects/${site}/previews`);
      const rows = items.map(
        ({ name, branch, lastDeployment, hasPassword, membersOnly, createdBy, expiresAt, url }) => [
          name,
          branch,
          makerName(createdBy),
          lastDeployment?.status ?? '-',
          membersOnly ? 'members' : hasPassword ? 'password' : 'public',
          expiresAt ?? 'never',
          url,
        ],
      );
      output.result(
        formatTable([
          ['PREVIEW', 'BRANCH', 'BY', 'STATE', 'READERS', 'EXPIRES', 'ADDRESS'],
          ...rows,
        ]),
        { items },
      );
    },
  );
  const withAccess = (command: ServerCommand) => {
    const password = new Option(
      '--password <password>',
      'password that readers need, at least 8 characters',
    );
    return command
      .addOption(password.env('DOCENT_PREVIEW_PASSWORD'))
      .option(
        '--password-stdin',
        'read the password from standard input, so that no list of processes shows it',
      )
      .option('--members', 'only members of the organization can read it')
      .option('--public', 'everyone can read it')
      .option(
        '--lifetime-days <days>',
        'days that it is kept after each deployment, or "never" if it never expires',
        readLifetime,
      ) as ServerCommand;
  };
  withAccess(
    addForSite(
      previews,
      'create <branch>',
      'Create a preview, or change who can read it and its lifetime; "docent publish --preview" fills it',
    ),
  ).run(async (api, output, branch: string, options: PreviewAccessOptions) => {
    const body = { branch, ...(await accessOf(options)) };
    const preview = await api.post<Schema<'Preview'>>(
      apiPath`/v1/projects/${options.site}/previews`,
      body,
    );
    output.result(`${preview.name}: ${preview.url}`, preview);
  });
  withAccess(
    addForSite(previews, 'change <name>', 'Change who can read a preview and its lifetime'),
  ).run(async (api, output, name: string, options: PreviewAccessOptions) => {
    const path = apiPath`/v1/projects/${options.site}/previews/${name}`;
    const preview = await api.patch<Schema<'Preview'>>(path, await accessOf(options));
    output.result(`${preview.name}: ${preview.url}`, preview);
  });
  addForSite(previews, 'delete <name>', 'Delete a preview with its deployments').run(
    async (api, output, name: string, { site }: SiteOptions) => {
      await api.delete(apiPath`/v1/projects/${site}/previews/${name}`);
      output.result(`Deleted ${name} with its deployments.`, { name, deleted: true });
    },
  );
}

async function accessOf({
  password,
  passwordStdin,
  members,
  public: isPublic,
  lifetimeDays,
}: PreviewAccessOptions) {
  const lifetime = { lifetimeDays: lifetimeDays === 'never' ? null : lifetimeDays };
  if (members) return { ...lifetime, membersOnly: true };
  if (isPublic) return { ...lifetime, password: null };
  return {
    ...lifetime,
    password: passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : password,
  };
}

function readLifetime(text: string): number | 'never' {
  return text === 'never' ? text : readCount(3650)(text);
}
