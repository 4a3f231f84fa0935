import { text } from 'node:stream/consumers';
import { CHECK_RULES, VALE_RULES } from '@docent/format/deployments/new-problems.ts';
import { DocentError } from '@docent/format/errors.ts';
import { withoutSlashes } from '@docent/format/links.ts';
import { GIT_PROVIDERS } from '@docent/format/sources/git-provider.ts';
import { FORK_RULES, PULL_PREVIEWS } from '@docent/format/sources/pull-request.ts';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type ServerCommand,
  type SiteOptions,
  type Texts,
} from '../kernel/commands.ts';
import { formatTable, type Output } from '../kernel/output.ts';

/** Which source of a site: by its path, without one the base. */
type PathOptions = SiteOptions & { path?: string };

type SourceOptions = PathOptions &
  Texts<'branch' | 'folder' | 'provider' | 'username' | 'previews' | 'forks' | 'failsOn'> &
  Texts<'submoduleHosts'> & {
    failsOnAnswers?: boolean;
    vale?: string;
    submodules?: boolean;
    lfs?: boolean;
    automatic?: boolean;
    tokenStdin?: boolean;
    deployKey?: boolean;
    public?: boolean;
    githubApp?: string | true;
    trustHostKey?: boolean;
  };

/** `docent git …` */
export function addGitCommands({ program, addForSite }: Commands): void {
  const git = program
    .command('git')
    .description('Connect a site with a Git repository, show, change, check and deploy it');
  const addForSource = (usage: string, description: string) =>
    addForSite(git, usage, description).option(
      '--path <path>',
      'of a site of several repositories, the one at this path; without it, the base',
    );
  addForSource(
    'show',
    'Show the Git source of a site, and whether it could be read; all of them, if it has several',
  ).run(async (api, output, { site, path }: PathOptions) => {
    const { items } = await sourcesOf(api, site);
    if (items.length === 0)
      output.result(`${site} is not connected with a Git repository.`, { items });
    else if (items.length > 1 && path === undefined) showSources(items, output);
    else showSource(sourceAt(items, { site, path }), output);
  });
  withSourceOptions(
    addForSite(git, 'connect <address>', 'Publish a site from a branch of a Git repository').option(
      '--path <path>',
      'where its pages are in the site; only the first repository, the base, may have none',
    ),
  ).run(async (api, output, url: string, options: SourceOptions) =>
    showSource(
      await api.post(pathOf(options.site), {
        url,
        path: options.path,
        ...(await bodyFrom(options)),
      }),
      output,
    ),
  );
  withSourceOptions(addForSource('change', 'Change a Git source of a site'))
    .option('--address <url>', 'address of the repository')
    .option('--new-path <path>', 'another path of the site')
    .option('--base', 'make it the base; a former base without a path takes its path')
    .option('--trust-host-key', 'accept the key that the ssh host shows next')
    .run(
      async (
        api,
        output,
        {
          address: url,
          newPath: path,
          base,
          ...options
        }: SourceOptions & Texts<'address' | 'newPath'> & { base?: true },
      ) => {
        const { trustHostKey } = options;
        const body = { url, path, base, trustHostKey, ...(await bodyFrom(options)) };
        if (Object.values(body).every((value) => value === undefined))
          throw new DocentError(
            'invalid_setting',
            'Nothing to change: add an option, such as --branch.',
          );
        showSource(await api.patch(await pathIn(api, options), body), output);
      },
    );
  addForSource(
    'check',
    'Ask the server of the repository for the branch now; exits with 1 if it cannot be read',
  ).run(async (api, output, options: PathOptions) => {
    const source = await api.post<Schema<'GitSource'>>(`${await pathIn(api, options)}/fetch`);
    showSource(source, output);
    return source.lastError === null ? 0 : 1;
  });
  addForSite(git, 'deploy', 'Deploy what the branch has now').run(
    async (api: ApiClient, output, { site }: SiteOptions) => {
      sourceAt((await sourcesOf(api, site)).items, { site });
      const started = await api.post<{ statusId: string }>(apiPath`/v1/project/update/${site}`);
      showStarted(started, output);
    },
  );
  addForSite(
    git,
    'resume',
    'Publish what the branch has now, and pushes from then on, after a rollback',
  ).run(async (api, output, { site }: SiteOptions) =>
    showStarted(await api.post(`${pathOf(site)}/resume`), output),
  );
  addForSource(
    'webhook',
    'Create the secret of the webhook of the repository, and print it with the address',
  ).run(async (api, output, options: PathOptions) => {
    const webhook = await api.post<{ url: string; secret: string }>(
      `${await pathIn(api, options)}/webhook-secret`,
    );
    const rows = [
      ['Address', webhook.url],
      ['Secret', webhook.secret],
    ];
    output.result(formatTable(rows), webhook);
  });
  addForSource(
    'deliveries',
    'List what the webhook of the repository sent, and what became of each delivery',
  ).run(async (api, output, options: PathOptions) => {
    const answer = await api.get<{ items: Schema<'SourceDelivery'>[] }>(
      `${await pathIn(api, options)}/deliveries?limit=50`,
    );
    const rows = answer.items.map(
      ({ receivedAt, event, pullNumber, deliveryId, outcome, reason }) => [
        receivedAt,
        [event ?? '-', ...(pullNumber === null ? [] : [`#${pullNumber}`])].join(' '),
        deliveryId ?? '-',
        outcome,
        reason ?? '',
      ],
    );
    output.result(rows.length === 0 ? 'Nothing was sent in 30 days.' : formatTable(rows), answer);
  });
  addForSite(
    git,
    'pulls',
    'List the open pull requests of the repository, with their previews',
  ).run(async (api, output, { site }: SiteOptions) => {
    const answer = await api.get<{ items: Schema<'PullRequest'>[] }>(`${pullsOf(site)}?limit=100`);
    const rows = answer.items.map(
      ({ number, path, sha, title, author, state, lastError, previewUrl }) => [
        `#${number}`,
        ...(answer.items.some((pull) => pull.path !== '') ? [`/${path}`] : []),
        sha?.slice(0, SHORT_SHA) ?? '-',
        title || '-',
        author ?? '-',
        lastError ?? (state === 'waiting' ? 'waits for approval' : state),
        previewUrl ?? '-',
      ],
    );
    output.result(rows.length === 0 ? 'No open pull requests.' : formatTable(rows), answer);
  });
  addForSite(
    git,
    'approve <number> <sha>',
    'Let the commit that you looked at of a pull request from a fork be built; the next one waits again',
  ).run(approvePull);
  addForSource(
    'disconnect',
    'Disconnect a site from its Git repository; what is live stays. With --path, remove that one',
  ).run(async (api, output, options: PathOptions) => {
    const { site, path } = options;
    await api.delete(await pathIn(api, options));
    const summary = path === undefined ? `Disconnected ${site}.` : `Removed /${path} from ${site}.`;
    output.result(summary, { site, path, disconnected: true });
  });
}

/**
 * `docent git approve …`. @param sha the commit that was looked at, or its start @throws DocentError if it is not the newest
 */
export async function approvePull(
  api: ApiClient,
  output: Output,
  number: string,
  sha: string,
  { site }: SiteOptions,
): Promise<void> {
  if (!/^[0-9a-f]{7,64}$/i.test(sha))
    throw new DocentError(
      'invalid_setting',
      `"${sha}" is not a commit; give at least 7 of the characters of its sha.`,
    );
  const { items } = await api.get<{ items: Schema<'PullRequest'>[] }>(`${pullsOf(site)}?limit=100`);
  const pull = items.find((item) => String(item.number) === number.replace(/^#/, ''));
  if (!pull?.sha)
    throw new DocentError(
      'pull_request_not_found',
      `There is no open pull request ${number} that was looked at.`,
    );
  if (!pull.sha.startsWith(sha.toLowerCase()))
    throw new DocentError(
      'precondition_failed',
      `The newest commit of #${pull.number} is ${pull.sha.slice(0, SHORT_SHA)}; look at it, and approve that.`,
    );
  const path = apiPath`/v1/projects/${site}/pull-requests/${String(pull.number)}/approve`;
  const approved = await api.post<Schema<'PullRequest'>>(path, { sha: pull.sha });
  output.result(
    `The commit ${pull.sha.slice(0, SHORT_SHA)} of #${pull.number} is being built.`,
    approved,
  );
}

const SHORT_SHA = 10;
const pullsOf = (site: string) => apiPath`/v1/projects/${site}/pull-requests`;
const pathOf = (site: string) => apiPath`/v1/projects/${site}/sources`;

const sourcesOf = (api: ApiClient, site: string) =>
  api.get<{ items: Schema<'GitSource'>[] }>(pathOf(site));

/**
 * Returns the source of a site at a path; without one, the base.
 * @throws DocentError `git_source_not_found` naming the paths that it has
 */
export function sourceAt<Source extends Pick<Schema<'GitSource'>, 'path' | 'isBase'>>(
  sources: readonly Source[],
  { site, path = '' }: PathOptions,
): Source {
  const target = withoutSlashes(path);
  const source = sources.find(({ path: candidate, isBase }) =>
    target === '' ? isBase : candidate === target,
  );
  if (source) return source;
  const paths = sources.flatMap((candidate) => candidate.path || []).join(', ');
  throw new DocentError(
    'git_source_not_found',
    sources.length === 0
      ? `${site} is not connected with a Git repository; connect it first.`
      : `${site} has no source at /${target}; ${paths ? `its paths are: ${paths}` : 'it has only the base'}.`,
  );
}

async function pathIn(api: ApiClient, options: PathOptions): Promise<string> {
  const { id } = sourceAt((await sourcesOf(api, options.site)).items, options);
  return `${pathOf(options.site)}/${encodeURIComponent(id)}`;
}

function withSourceOptions(command: ServerCommand): ServerCommand {
  command
    .option('--branch <name>', 'the branch that is published; main by default')
    .option('--folder <path>', 'folder of the documentation in the repository')
    .option('--automatic', 'publish each push')
    .option('--no-automatic', 'publish only when somebody says so')
    .option('--token-stdin', 'read a token for https from standard input')
    .option(
      '--username <name>',
      'user name that goes with the token, if the server needs a certain one',
    )
    .option('--deploy-key', 'let the server create a deploy key for ssh, and print its public half')
    .option('--public', 'use no credentials')
    .option('--github-app [id]', 'use a GitHub App of the organization; its id if it has several')
    .choice(
      '--previews <who>',
      'who reads the previews of pull requests; public by default without credentials',
      PULL_PREVIEWS,
    )
    .choice(
      '--forks <rule>',
      'which pull requests from forks are built unasked; by default each commit needs approval',
      FORK_RULES,
    )
    .choice(
      '--fails-on <what>',
      'what of a pull request makes its check fail; errors by default',
      CHECK_RULES,
    )
    .option('--fails-on-answers', 'also if a test question loses its answer')
    .option('--no-fails-on-answers', 'not for that')
    .choice(
      '--vale <rule>',
      'whether Vale checks how pages are written, and makes the check fail; off by default',
      VALE_RULES,
    )
    .option('--submodules', 'fetch the files of submodules too')
    .option('--no-submodules', 'do not fetch them')
    .option(
      '--submodule-hosts <hosts>',
      'other hosts that submodules may be at, with commas between them; empty for none',
    )
    .option('--lfs', 'fetch the content of files in Git LFS')
    .option('--no-lfs', 'do not fetch it')
    .choice(
      '--provider <name>',
      'software that hosts the repository, if its name does not say so',
      GIT_PROVIDERS,
    );
  return command;
}

async function bodyFrom({
  branch,
  folder,
  provider,
  automatic,
  username,
  previews,
  forks,
  failsOn,
  failsOnAnswers,
  vale,
  submodules,
  lfs,
  ...options
}: SourceOptions) {
  const kind =
    options.tokenStdin || username
      ? 'token'
      : options.deployKey
        ? 'ssh'
        : options.githubApp
          ? 'github_app'
          : options.public
            ? 'none'
            : undefined;
  const token = options.tokenStdin ? (await text(process.stdin)).trim() : undefined;
  const newKey = kind === 'ssh' || undefined;
  const githubAppId = typeof options.githubApp === 'string' ? options.githubApp : undefined;
  return {
    branch,
    folder,
    provider,
    automatic,
    previews,
    forks,
    failsOn,
    failsOnAnswers,
    vale,
    submodules,
    submoduleHosts: options.submoduleHosts
      ?.toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    lfs,
    credentials: kind && { kind, username, token, newKey, githubAppId },
  };
}

function showStarted(started: { statusId: string }, output: Output): void {
  const { statusId } = started;
  output.result(
    `Started ${statusId}; follow it with "docent deployments show ${statusId} --follow".`,
    started,
  );
}

function showSources(sources: readonly Schema<'GitSource'>[], output: Output): void {
  const rows = sources.map(({ path, url, branch, folder, seenSha, lastError }) => [
    `/${path}`,
    url,
    [branch, folder].filter(Boolean).join(':'),
    seenSha?.slice(0, SHORT_SHA) ?? '-',
    lastError ?? 'ok',
  ]);
  output.result(formatTable([['Path', 'Repository', 'Branch', 'Commit', 'State'], ...rows]), {
    items: sources,
  });
}

function showSource(source: Schema<'GitSource'>, output: Output): void {
  const {
    url,
    path,
    branch,
    folder,
    provider,
    automatic,
    previews,
    forks,
    credentials,
    seenSha,
    checkedAt,
    lastError,
    paused,
    submodules,
    submoduleHosts,
    lfs,
    vale,
    hasVale,
  } = source;
  const rows = [
    ['Repository', url],
    ...(path === '' ? [] : [['Path', `/${path}`]]),
    ['Branch', branch],
    ['Folder', folder || '/'],
    ['Git host', provider],
    [
      'Each push',
      automatic && !paused
        ? 'is published'
        : `waits for "docent git ${paused ? 'resume' : 'deploy'}"`,
    ],
    ...(paused
      ? [['Rolled back', [paused.at, paused.waitingSha].filter(Boolean).join(', waiting: ')]]
      : []),
    [
      'Pull requests',
      previews === 'none'
        ? 'have no previews'
        : `have previews for ${previews === 'public' ? 'everyone' : 'members'}`,
    ],
    ...(previews === 'none'
      ? []
      : [['Forks', forks === 'approval' ? 'need approval' : `are built for ${forks}`]]),
    ...(vale === 'off' ? [] : [['Vale', hasVale ? vale : 'is not installed on the server']]),
    ...(submodules
      ? [['Submodules', ['are fetched', ...submoduleHosts].join(', also from ')]]
      : []),
    ...(lfs ? [['Git LFS', 'content is fetched']] : []),
    ['Credentials', credentials.githubApp?.name ?? credentials.kind],
    ...(credentials.publicKey === null ? [] : [['Deploy key', credentials.publicKey]]),
    ['Last commit', seenSha ?? '-'],
    ['Looked at', checkedAt ?? '-'],
    ['Problem', lastError ?? '-'],
  ];
  output.result(formatTable(rows), source);
}
