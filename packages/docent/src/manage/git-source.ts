import { text } from 'node:stream/consumers';
import { CHECK_RULES } from '@docent/format/deployments/new-problems.ts';
import { DocentError } from '@docent/format/errors.ts';
import { GIT_PROVIDERS } from '@docent/format/sources/git-provider.ts';
import { FORK_RULES, PULL_PREVIEWS } from '@docent/format/sources/pull-request.ts';
import { Option } from 'commander';
import type { ApiClient, Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type ServerCommand,
  type SiteOptions,
  type Texts,
} from '../kernel/commands.ts';
import { formatTable, type Output } from '../kernel/output.ts';

type SourceOptions = SiteOptions &
  Texts<'branch' | 'folder' | 'provider' | 'username' | 'previews' | 'forks' | 'failsOn'> & {
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
  addForSite(git, 'show', 'Show the Git source of a site, and whether it could be read').run(
    async (api, output, { site }: SiteOptions) => {
      const answer = await api.request<{ source: Schema<'GitSource'> | null }>('GET', pathOf(site));
      if (answer.source) showSource(answer.source, output);
      else output.result(`${site} is not connected with a Git repository.`, answer);
    },
  );
  withSourceOptions(
    addForSite(git, 'connect <address>', 'Publish a site from a branch of a Git repository'),
  ).run(async (api, output, url: string, options: SourceOptions) =>
    showSource(
      await api.request('POST', pathOf(options.site), { url, ...(await bodyFrom(options)) }),
      output,
    ),
  );
  withSourceOptions(addForSite(git, 'change', 'Change the Git source of a site'))
    .option('--address <url>', 'address of the repository')
    .option('--trust-host-key', 'accept the key that the ssh host shows next')
    .run(
      async (api, output, { address: url, ...options }: SourceOptions & { address?: string }) => {
        const body = { url, trustHostKey: options.trustHostKey, ...(await bodyFrom(options)) };
        if (Object.values(body).every((value) => value === undefined))
          throw new DocentError(
            'invalid_setting',
            'Nothing to change: add an option, such as --branch.',
          );
        showSource(await api.request('PATCH', pathOf(options.site), body), output);
      },
    );
  addForSite(
    git,
    'check',
    'Ask the server of the repository for the branch now; exits with 1 if it cannot be read',
  ).run(async (api, output, { site }: SiteOptions) => {
    const source = await api.request<Schema<'GitSource'>>('POST', `${pathOf(site)}/check`);
    showSource(source, output);
    return source.lastError === null ? 0 : 1;
  });
  addForSite(git, 'deploy', 'Deploy what the branch has now').run(
    async (api: ApiClient, output, { site }: SiteOptions) => {
      const { source } = await api.request<{ source: object | null }>('GET', pathOf(site));
      if (!source)
        throw new DocentError(
          'git_source_not_found',
          `${site} is not connected with a Git repository; connect it first.`,
        );
      const started = await api.request<{ statusId: string }>(
        'POST',
        apiPath`/v1/project/update/${site}`,
      );
      showStarted(started, output);
    },
  );
  addForSite(
    git,
    'resume',
    'Publish what the branch has now, and pushes from then on, after a rollback',
  ).run(async (api, output, { site }: SiteOptions) =>
    showStarted(await api.request('POST', `${pathOf(site)}/resume`), output),
  );
  addForSite(
    git,
    'webhook',
    'Create the secret of the webhook of the repository, and print it with the address',
  ).run(async (api, output, { site }: SiteOptions) => {
    const webhook = await api.request<{ url: string; secret: string }>(
      'POST',
      `${pathOf(site)}/webhook-secret`,
    );
    const rows = [
      ['Address', webhook.url],
      ['Secret', webhook.secret],
    ];
    output.result(formatTable(rows), webhook);
  });
  addForSite(
    git,
    'pulls',
    'List the open pull requests of the repository, with their previews',
  ).run(async (api, output, { site }: SiteOptions) => {
    const answer = await api.request<{ items: Schema<'PullRequest'>[] }>(
      'GET',
      `${pullsOf(site)}?limit=100`,
    );
    const rows = answer.items.map(
      ({ number, sha, title, author, state, lastError, previewUrl }) => [
        `#${number}`,
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
  addForSite(
    git,
    'disconnect',
    'Disconnect a site from its Git repository; what is live stays',
  ).run(async (api, output, { site }: SiteOptions) => {
    await api.request('DELETE', pathOf(site));
    output.result(`Disconnected ${site}.`, { site, disconnected: true });
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
  const { items } = await api.request<{ items: Schema<'PullRequest'>[] }>(
    'GET',
    `${pullsOf(site)}?limit=100`,
  );
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
  const approved = await api.request<Schema<'PullRequest'>>('POST', path, { sha: pull.sha });
  output.result(
    `The commit ${pull.sha.slice(0, SHORT_SHA)} of #${pull.number} is being built.`,
    approved,
  );
}

const SHORT_SHA = 10;
const pullsOf = (site: string) => apiPath`/v1/projects/${site}/pull-requests`;
const pathOf = (site: string) => apiPath`/v1/projects/${site}/git-source`;

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
    .addOption(
      new Option(
        '--previews <who>',
        'who reads the previews of pull requests; public by default without credentials',
      ).choices(PULL_PREVIEWS),
    )
    .addOption(
      new Option(
        '--forks <rule>',
        'which pull requests from forks are built unasked; by default each commit needs approval',
      ).choices(FORK_RULES),
    )
    .addOption(
      new Option(
        '--fails-on <what>',
        'what of a pull request makes its check fail; errors by default',
      ).choices(CHECK_RULES),
    )
    .addOption(
      new Option(
        '--provider <name>',
        'software that hosts the repository, if its name does not say so',
      ).choices(GIT_PROVIDERS),
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

function showSource(source: Schema<'GitSource'>, output: Output): void {
  const {
    url,
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
  } = source;
  const rows = [
    ['Repository', url],
    ['Branch', branch],
    ['Folder', folder || '/'],
    ['Hosted by', provider],
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
    ['Credentials', credentials.githubApp?.name ?? credentials.kind],
    ...(credentials.publicKey === null ? [] : [['Deploy key', credentials.publicKey]]),
    ['Last commit', seenSha ?? '-'],
    ['Looked at', checkedAt ?? '-'],
    ['Problem', lastError ?? '-'],
  ];
  output.result(formatTable(rows), source);
}
