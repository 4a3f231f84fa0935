import { CHECK_RULES, VALE_RULES } from '@docent/format/deployments/new-problems.ts';
import { LOGGED_OUTCOMES } from '@docent/format/sources/delivery.ts';
import { repositoryName } from '@docent/format/sources/git-address.ts';
import { GIT_CREDENTIALS, GIT_PROVIDERS } from '@docent/format/sources/git-provider.ts';
import { FORK_RULES, PULL_PREVIEWS } from '@docent/format/sources/pull-request.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { LoggedDelivery } from './delivery-queries.ts';
import {
  changeGitSource,
  checkGitSource,
  connectGitSource,
  disconnectGitSource,
  listSiteSources,
  listSourceDeliveries,
  type SourceDeps,
} from './manage-git-source.ts';
import type { GitSourceRow } from './queries.ts';
import { rotateWebhookSecret, webhookUrlOf } from './receive-delivery.ts';

const SOURCES = '/v1/projects/:projectId/sources';
const EXAMPLE_URL = 'https://docs.acme.example/v1/webhooks/git/01KAN3R8Z5W6Q1T2V7X9Y0B4CD';
const path = plainText(0, 200).describe(
  'Path of the pages of the source: `api`, `sdks/python`. Only the base, whose settings are those of the site, may have none.',
);
const url = plainText(1, 1000).describe(
  'Address of the repository: `https://…`, `ssh://…` or `git@host:path`.',
);
const branch = plainText(1, 200).describe('The branch that is published.');
const folder = plainText(0, 500).describe(
  'Folder of the documentation in the repository; empty for all of it.',
);
const provider = field.choice(
  GIT_PROVIDERS,
  'Software that hosts the repository. By default it is guessed from the host name.',
);
const previews = field.choice(
  PULL_PREVIEWS,
  'Who can read the previews of pull requests: everyone, or members of the organization; `none` creates none.',
);
const forks = field.choice(
  FORK_RULES,
  'Which pull requests from forks get a preview without approval: all; those of people whom GitHub counts as members or collaborators of the repository; or none, so that each commit needs an approval.',
);
const failsOn = field.choice(
  CHECK_RULES,
  'Which problems that a pull request brings make its check fail: `builds` only a failed build, `errors` errors too, `links` broken links too, `warnings` every warning too.',
);
const failsOnAnswers = field.flag(
  'Whether the check of a pull request fails if it loses the answer to a test question that the live site answers.',
);
const vale = field.choice(
  VALE_RULES,
  'Whether Vale checks how pages are written, by the `.vale.ini` in the folder: `reports` shows what it finds, with `fails` its errors also make the check of a pull request fail.',
);
const submodules = field.flag(
  'Whether the files of submodules are fetched too: of those in the folder, not of submodules in them. Only by https, or by ssh with a deploy key, and only from the host of the repository and from `submoduleHosts`.',
);
const submoduleHosts = z
  .array(plainText(1, 253).regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name'))
  .max(20)
  .describe(
    'Other hosts that submodules may be at: `github.com`. They are read without credentials.',
  );
const lfs = field.flag(
  'Whether the content of files in Git LFS is fetched; otherwise the site has pointers.',
);
const automatic = field.flag('Whether a push to the branch is published without anybody asking.');

const credentials = z
  .strictObject({
    kind: field.choice(
      GIT_CREDENTIALS,
      '`none` for a public repository; `token` for https; `ssh`: the server creates a deploy key, and shows its public half; `github_app`: an app of the organization at GitHub.',
    ),
    username: plainText(1, 200)
      .regex(/^[^:\s]+$/, 'must not contain colons or spaces')
      .nullish()
      .describe(
        'User name that goes with the token, if the server needs a certain one, as with deploy tokens of GitLab.',
      ),
    token: field.optional(
      plainText(1, 4000).regex(/^[\x21-\x7e]+$/, 'must be a token'),
      'Token that may read the repository. It is never returned; leave it out to keep the stored one.',
    ),
    newKey: field.flag.optional('Whether to replace the deploy key with another one.'),
    githubAppId: field.optional(
      z.string().max(64),
      'The GitHub App to use, if the organization has several at that host.',
    ),
  })
  .describe('How the server is let in.');

const newSource = z
  .strictObject({
    url,
    branch: branch.default('main'),
    folder: folder.default(''),
    provider: provider.optional(),
    automatic: automatic.default(true),
    credentials: credentials.default({ kind: 'none' }),
    previews: field.optional(
      previews,
      'Who can read the previews of pull requests. By default everyone for a repository without credentials, and members for others.',
    ),
    forks: forks.default('approval'),
    failsOn: failsOn.default('errors'),
    failsOnAnswers: failsOnAnswers.default(false),
    vale: vale.default('off'),
    submodules: submodules.default(false),
    submoduleHosts: submoduleHosts.default([]),
    lfs: lfs.default(false),
    path: path.default(''),
  })
  .meta({ examples: [{ url: 'https://github.com/acme/app', branch: 'main', folder: 'docs' }] });

const changes = z
  .strictObject({
    url,
    branch,
    folder,
    provider,
    automatic,
    credentials,
    previews,
    forks,
    failsOn,
    failsOnAnswers,
    vale,
    submodules,
    submoduleHosts,
    lfs,
    trustHostKey: field.flag(
      'Forgets the key of the host, and accepts the one that it shows next.',
    ),
    path,
    base: z
      .literal(true)
      .describe('Makes it the base of the site; a former base without a path takes its path.'),
  })
  .partial()
  .meta({ examples: [{ branch: 'release' }] });

const sourceSchema = field.resource(
  'GitSource',
  'The Git repository that a site is published from.',
  {
    id: field.text('Identifier of the source.'),
    name: field.text('Owner and name of the repository, as `sourceRef` names it.'),
    path,
    isBase: field.flag('Whether its settings are those of the site.'),
    url: field.text('Address of the repository.'),
    branch: field.text('The branch that is published.'),
    folder: field.text('Folder of the documentation in the repository; empty for all of it.'),
    provider: field.choice(GIT_PROVIDERS, 'Software that hosts the repository.'),
    automatic: field.flag('Whether a push to the branch is published without anybody asking.'),
    credentials: field.part('How the server is let in, without secrets.', {
      kind: field.choice(GIT_CREDENTIALS, 'How the server is let in.'),
      username: field.text.orNull('User name that goes with the token; `null` for the usual one.'),
      publicKey: field.text.orNull(
        'Public half of the deploy key: add it to the repository, with access to read.',
      ),
      githubApp: field.partOrNull(
        'The GitHub App that lets the server in; `null` for other credentials.',
        {
          id: field.text('Identifier of the app.'),
          name: field.text('Its name at GitHub.'),
        },
      ),
    }),
    previews,
    forks,
    failsOn,
    failsOnAnswers,
    vale,
    hasVale: field.flag(
      'Whether Vale is installed on the server; without it, `vale` does nothing.',
    ),
    submodules,
    submoduleHosts,
    lfs,
    hostKeys: field.text.orNull(
      'Keys that the host showed at the first connection by ssh; `null` before.',
    ),
    seenSha: field.text.orNull('The newest commit that was deployed, or looked at and left out.'),
    checkedAt: field.time.orNull('When the branch was last looked at.'),
    lastError: field.text.orNull(
      'Why the repository could not be read the last time; `null` if it could.',
    ),
    lastErrorAt: field.time.orNull('When that was.'),
    webhook: field.part('How the server of the repository says that something was pushed.', {
      url: field.text('Address that the server of the repository sends its webhooks to.'),
      hasSecret: field.flag('Whether there is a secret; without one, every delivery is refused.'),
      receivedAt: field.time.orNull('When the last valid delivery arrived; `null` if none has.'),
    }),
    paused: field.partOrNull(
      'An earlier deployment was made live, so pushes are not published until somebody deploys; `null` otherwise.',
      {
        at: field.time('When that was.'),
        by: makerSchema,
        waitingSha: field.text.orNull(
          'The newest commit that was pushed since; `null` if nothing was.',
        ),
      },
    ),
    createdBy: makerSchema,
    createdAt: field.time('When the site was connected.'),
  },
  {
    id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
    name: 'acme/app',
    path: '',
    isBase: true,
    url: 'https://github.com/acme/app',
    branch: 'main',
    folder: 'docs',
    provider: 'github',
    automatic: true,
    credentials: { kind: 'none', username: null, publicKey: null, githubApp: null },
    previews: 'public',
    forks: 'approval',
    failsOn: 'errors',
    failsOnAnswers: false,
    vale: 'off',
    hasVale: true,
    submodules: false,
    submoduleHosts: [],
    lfs: false,
    hostKeys: null,
    seenSha: '8d3f0b1c5e7a9d2f4b6c8e0a1d3f5b7c9e1a2b4d',
    checkedAt: '2026-11-28T09:00:00.000Z',
    lastError: null,
    lastErrorAt: null,
    webhook: { url: EXAMPLE_URL, hasSecret: true, receivedAt: null },
    paused: null,
    createdBy: makerExample,
    createdAt: '2026-11-20T09:00:00.000Z',
  },
);

function viewOf(
  deps: Pick<Deps, 'config'>,
  row: GitSourceRow,
  hasVale: boolean,
): z.infer<typeof sourceSchema> {
  const {
    credentials: kind,
    username,
    publicKey,
    knownHosts,
    maker,
    webhookSecret,
    webhookAt,
    pausedAt,
    waitingSha,
    pauser,
    githubAppId,
    githubAppName,
    ...source
  } = row;
  return {
    ...source,
    hasVale,
    name: repositoryName(row.url),
    credentials: {
      kind,
      username,
      publicKey,
      githubApp: githubAppId === null ? null : { id: githubAppId, name: githubAppName ?? '' },
    },
    hostKeys: knownHosts,
    webhook: {
      url: webhookUrlOf(deps, row),
      hasSecret: webhookSecret !== null,
      receivedAt: webhookAt,
    },
    paused: pausedAt && { at: pausedAt, by: makerView(pauser), waitingSha },
    createdBy: makerView(maker),
  };
}

const sourceDelivery = field.resource(
  'SourceDelivery',
  'What the server of a repository sent, and what became of it.',
  {
    id: field.text('Identifier of the entry.'),
    deliveryId: field.text.orNull('What the sender calls the delivery; `null` if it has no name.'),
    event: field.text.orNull('What the sender calls the event.'),
    pullNumber: field.int.orNull('Number of the pull request that it is about; `null` for others.'),
    outcome: field.choice(
      LOGGED_OUTCOMES,
      '`accepted`: the repository is to be looked at. After that: `deployed`; `ignored`, nothing was to do; `failed`, the repository could not be read. `repeated`: it came before. `refused`: its signature is not valid.',
    ),
    reason: field.text.orNull('Why nothing was deployed; `null` if something was.'),
    receivedAt: field.time('When it arrived.'),
  },
  {
    id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CE',
    deliveryId: '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    event: 'push',
    pullNumber: null,
    outcome: 'ignored',
    reason: 'It is about another branch.',
    receivedAt: '2026-11-28T09:00:00.000Z',
  },
);

const deliveryView = ({ sourceId: _, ...row }: LoggedDelivery): z.infer<typeof sourceDelivery> =>
  row;

const webhookSecret = z
  .object({
    url: field.text('Address to set at the server of the repository.'),
    secret: field.text(
      'The secret to set there: as the secret, the token of GitLab, or the password of Azure Repos.',
    ),
  })
  .meta({
    examples: [{ url: EXAMPLE_URL, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' }],
  });

/** Registers the routes of `/v1/projects/{projectId}/sources`: all sources of a site. */
export function gitSourceRoutes(
  app: App,
  deps: Deps & Pick<SourceDeps, 'forgetPullRequests' | 'restrictPullRequests'>,
): void {
  const operation = operationsOf(app, deps, 'Git');
  const hasVale = async () => (await deps.proseLinter?.isInstalled()) ?? false;
  const sourceView = async (source: GitSourceRow) => viewOf(deps, source, await hasVale());
  const nameIn = ({ projectId, sourceId }: { projectId: string; sourceId: string }) => ({
    project: projectId,
    sourceId,
  });
  operation({
    route: `GET ${SOURCES}`,
    operationId: 'listSources',
    summary: 'List the sources of a site',
    description:
      'Lists the repositories that a site is composed of: the base, whose settings are those of the site, then the others in the order of their connection.',
    permission: 'git-sources.read',
    answer: listOf(sourceSchema, 'The sources, the base first, all on one page.'),
    run: async ({ actor, params }) => {
      const rows = await listSiteSources(deps, actor, params.projectId);
      const isInstalled = await hasVale();
      return pageOf({ rows, nextCursor: null }, (row) => viewOf(deps, row, isInstalled));
    },
  });
  operation({
    route: `POST ${SOURCES}`,
    operationId: 'addSource',
    summary: 'Add a source to a site',
    description:
      'Adds a repository at a path of the site, which is composed of all its sources from now on. The first one is the base. With a deploy key, add its public half to the repository, then fetch the source.',
    permission: 'git-sources.write',
    body: newSource,
    answer: sourceSchema,
    status: 201,
    run: async ({ actor, params, body }) =>
      sourceView(await connectGitSource(deps, actor, params.projectId, body)),
  });
  operation({
    route: `PATCH ${SOURCES}/:sourceId`,
    operationId: 'changeSource',
    summary: 'Change a source of a site',
    description:
      'Changes the given fields and keeps the others. Another server needs the token again. The site is deployed with the change.',
    permission: 'git-sources.write',
    body: changes,
    answer: sourceSchema,
    run: async ({ actor, params, body }) =>
      sourceView(await changeGitSource(deps, actor, nameIn(params), body)),
  });
  operation({
    route: `POST ${SOURCES}/:sourceId/fetch`,
    operationId: 'fetchSource',
    summary: 'Fetch a source of a site',
    description:
      'Asks the server of the repository for the branch now. `lastError` in the response says what is wrong. Changes are deployed.',
    permission: 'git-sources.write',
    answer: sourceSchema,
    run: async ({ actor, params }) => sourceView(await checkGitSource(deps, actor, nameIn(params))),
  });
  operation({
    route: `POST ${SOURCES}/:sourceId/webhook-secret`,
    operationId: 'rotateSourceWebhookSecret',
    summary: 'Create the secret of the webhook of a source',
    description:
      'Creates the secret that signs the webhooks of the repository. Only this response contains it. The previous one is no longer accepted.',
    permission: 'git-sources.write',
    answer: webhookSecret,
    run: ({ actor, params }) => rotateWebhookSecret(deps, actor, nameIn(params)),
  });
  operation({
    route: `GET ${SOURCES}/:sourceId/deliveries`,
    operationId: 'listSourceDeliveries',
    summary: 'List the deliveries of the webhook of a source',
    description:
      'Lists what the server of the repository sent in the last 30 days, at most 200 deliveries, newest first, with what became of each; and at most 200 that were refused or repeated. Neither their bodies nor their signatures are kept.',
    permission: 'git-sources.read',
    query: z.object(paging(100, 50)),
    answer: listOf(sourceDelivery, 'The deliveries, newest first.'),
    run: async ({ actor, params, query }) =>
      pageOf(await listSourceDeliveries(deps, actor, nameIn(params), query), deliveryView),
  });
  operation({
    route: `DELETE ${SOURCES}/:sourceId`,
    operationId: 'removeSource',
    summary: 'Remove a source from a site',
    description:
      'The site is deployed without its pages. Credentials are deleted, and previews of its pull requests end. The base can be removed only after the others.',
    permission: 'git-sources.write',
    answer: z.null().describe('The source is removed.'),
    refusals: [400],
    run: ({ actor, params }) => disconnectGitSource(deps, actor, nameIn(params)),
  });
}
