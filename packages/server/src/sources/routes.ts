import { addressLimit, HOUR_SECONDS } from '@docent/format/access/limits.ts';
import { CHECK_RULES } from '@docent/format/deployments/new-problems.ts';
import { GIT_CREDENTIALS, GIT_PROVIDERS } from '@docent/format/sources/git-provider.ts';
import { FORK_RULES, PULL_PREVIEWS } from '@docent/format/sources/pull-request.ts';
import { z } from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { problems } from '../kernel/http/problem.ts';
import { isoTime, type ParamName, pathParams, plainText } from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { countAddress } from '../kernel/operations/rate-limits.ts';
import {
  changeGitSource,
  checkGitSource,
  connectGitSource,
  disconnectGitSource,
  findSiteSource,
  type SourceDeps,
} from './manage-git-source.ts';
import type { GitSourceRow } from './queries.ts';
import {
  DELIVERY_OUTCOMES,
  receiveAppDelivery,
  receiveDelivery,
  rotateWebhookSecret,
  webhookUrlOf,
} from './receive-delivery.ts';
import type { Delivery } from './verify-delivery.ts';

const ROUTE = '/v1/projects/:projectId/git-source';
const HOOK = '/v1/git-sources/:sourceId/webhook';
const APP_HOOK = '/v1/github-apps/:githubAppId/webhook';
const EXAMPLE_URL = 'https://docs.acme.example/v1/git-sources/01KAN3R8Z5W6Q1T2V7X9Y0B4CD/webhook';
/**
 * Providers send up to 25 MB; of what is larger, only the look at the branch from time to time
 * learns.
 */
const MAX_DELIVERY_BYTES = 5 * 1024 * 1024;
const DELIVERIES_PER_IP = addressLimit(
  'git-webhooks',
  3000,
  HOUR_SECONDS,
  'deliveries of webhooks',
);

const url = plainText(1, 1000).describe(
  'Address of the repository: `https://…`, `ssh://…` or `git@host:path`.',
);
const branch = plainText(1, 200).describe('The branch that is published.');
const folder = plainText(0, 500).describe(
  'Folder of the documentation in the repository; empty for all of it.',
);
const provider = z
  .enum(GIT_PROVIDERS)
  .describe('Software that hosts the repository. By default it is guessed from the host name.');
const previews = z
  .enum(PULL_PREVIEWS)
  .describe(
    'Who can read the previews of pull requests: everyone, or members of the organization; `none` creates none.',
  );
const forks = z
  .enum(FORK_RULES)
  .describe(
    'Which pull requests from forks get a preview without approval: all; those of people whom GitHub counts as members or collaborators of the repository; or none, so that each commit needs an approval.',
  );
const failsOn = z
  .enum(CHECK_RULES)
  .describe(
    'Which problems that a pull request brings make its check fail: `builds` only a failed build, `errors` errors too, `links` broken links too, `warnings` every warning too.',
  );
const automatic = z
  .boolean()
  .describe('Whether a push to the branch is published without anybody asking.');

const credentials = z
  .strictObject({
    kind: z
      .enum(GIT_CREDENTIALS)
      .describe(
        '`none` for a public repository; `token` for https; `ssh`: the server creates a deploy key, and shows its public half; `github_app`: an app of the organization at GitHub.',
      ),
    username: plainText(1, 200)
      .regex(/^[^:\s]+$/, 'must not contain colons or spaces')
      .nullish()
      .describe(
        'User name that goes with the token, if the server needs a certain one, as with deploy tokens of GitLab.',
      ),
    token: plainText(1, 4000)
      .regex(/^[\x21-\x7e]+$/, 'must be a token')
      .optional()
      .describe(
        'Token that may read the repository. It is never returned; leave it out to keep the stored one.',
      ),
    newKey: z.boolean().optional().describe('Whether to replace the deploy key with another one.'),
    githubAppId: z
      .string()
      .max(64)
      .optional()
      .describe('The GitHub App to use, if the organization has several at that host.'),
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
    previews: previews
      .optional()
      .describe(
        'Who can read the previews of pull requests. By default everyone for a repository without credentials, and members for others.',
      ),
    forks: forks.default('approval'),
    failsOn: failsOn.default('errors'),
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
    trustHostKey: z
      .boolean()
      .describe('Forgets the key of the host, and accepts the one that it shows next.'),
  })
  .partial()
  .meta({ examples: [{ branch: 'release' }] });

const sourceSchema = z
  .object({
    id: z.string().describe('Identifier of the source.'),
    url: z.string().describe('Address of the repository.'),
    branch: z.string().describe('The branch that is published.'),
    folder: z
      .string()
      .describe('Folder of the documentation in the repository; empty for all of it.'),
    provider: z.enum(GIT_PROVIDERS).describe('Software that hosts the repository.'),
    automatic: z
      .boolean()
      .describe('Whether a push to the branch is published without anybody asking.'),
    credentials: z
      .object({
        kind: z.enum(GIT_CREDENTIALS).describe('How the server is let in.'),
        username: z
          .string()
          .nullable()
          .describe('User name that goes with the token; `null` for the usual one.'),
        publicKey: z
          .string()
          .nullable()
          .describe(
            'Public half of the deploy key: add it to the repository, with access to read.',
          ),
        githubApp: z
          .object({
            id: z.string().describe('Identifier of the app.'),
            name: z.string().describe('Its name at GitHub.'),
          })
          .nullable()
          .describe('The GitHub App that lets the server in; `null` for other credentials.'),
      })
      .describe('How the server is let in, without secrets.'),
    previews,
    forks,
    failsOn,
    hostKeys: z
      .string()
      .nullable()
      .describe('Keys that the host showed at the first connection by ssh; `null` before.'),
    seenSha: z
      .string()
      .nullable()
      .describe('The newest commit that was deployed, or looked at and left out.'),
    checkedAt: isoTime.nullable().describe('When the branch was last looked at.'),
    lastError: z
      .string()
      .nullable()
      .describe('Why the repository could not be read the last time; `null` if it could.'),
    lastErrorAt: isoTime.nullable().describe('When that was.'),
    webhook: z
      .object({
        url: z
          .string()
          .describe('Address that the server of the repository sends its webhooks to.'),
        hasSecret: z
          .boolean()
          .describe('Whether there is a secret; without one, every delivery is refused.'),
        receivedAt: isoTime
          .nullable()
          .describe('When the last valid delivery arrived; `null` if none has.'),
      })
      .describe('How the server of the repository says that something was pushed.'),
    paused: z
      .object({
        at: isoTime.describe('When that was.'),
        by: makerSchema,
        waitingSha: z
          .string()
          .nullable()
          .describe('The newest commit that was pushed since; `null` if nothing was.'),
      })
      .nullable()
      .describe(
        'An earlier deployment was made live, so pushes are not published until somebody deploys; `null` otherwise.',
      ),
    createdBy: makerSchema,
    createdAt: isoTime.describe('When the site was connected.'),
  })
  .meta({
    id: 'GitSource',
    description: 'The Git repository that a site is published from.',
    examples: [
      {
        id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
        url: 'https://github.com/acme/app',
        branch: 'main',
        folder: 'docs',
        provider: 'github',
        automatic: true,
        credentials: { kind: 'none', username: null, publicKey: null, githubApp: null },
        previews: 'public',
        forks: 'approval',
        failsOn: 'errors',
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
    ],
  });

function viewOf(deps: Pick<Deps, 'config'>, row: GitSourceRow): z.infer<typeof sourceSchema> {
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

/** Registers the routes of `/v1/projects/{projectId}/git-source`. */
export function gitSourceRoutes(
  app: App,
  deps: Deps & Pick<SourceDeps, 'forgetPullRequests' | 'restrictPullRequests'>,
): void {
  const operation = operationsOf(app, deps, 'Git');
  const sourceView = (source: GitSourceRow) => viewOf(deps, source);
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'getGitSource',
    summary: 'Get the Git source of a site',
    description:
      'Returns the repository that a site is published from, and whether it could be read.',
    permission: 'git-sources.read',
    answer: z
      .object({
        source: sourceSchema.nullable().describe('The source; `null` if the site has none.'),
      })
      .meta({ examples: [{ source: null }] }),
    run: async ({ actor, params }) => {
      const source = await findSiteSource(deps, actor, params.projectId);
      return { source: source ? sourceView(source) : null };
    },
  });
  operation({
    route: `POST ${ROUTE}`,
    operationId: 'connectGitSource',
    summary: 'Connect a site with a Git repository',
    description:
      'Publishes the site from a branch of a repository from now on. With a deploy key, add its public half to the repository, then check the source.',
    permission: 'git-sources.write',
    body: newSource,
    answer: sourceSchema,
    status: 201,
    run: async ({ actor, params, body }) =>
      sourceView(await connectGitSource(deps, actor, params.projectId, body)),
  });
  operation({
    route: `PATCH ${ROUTE}`,
    operationId: 'changeGitSource',
    summary: 'Change the Git source of a site',
    description:
      'Changes the given fields and keeps the others. Another server needs the token again. Another address, branch or folder is deployed once it is looked at.',
    permission: 'git-sources.write',
    body: changes,
    answer: sourceSchema,
    run: async ({ actor, params, body }) =>
      sourceView(await changeGitSource(deps, actor, params.projectId, body)),
  });
  operation({
    route: `POST ${ROUTE}/check`,
    operationId: 'checkGitSource',
    summary: 'Check the Git source of a site',
    description:
      'Asks the server of the repository for the branch now. `lastError` in the response says what is wrong. Changes are deployed.',
    permission: 'git-sources.write',
    answer: sourceSchema,
    run: async ({ actor, params }) =>
      sourceView(await checkGitSource(deps, actor, params.projectId)),
  });
  operation({
    route: `POST ${ROUTE}/webhook-secret`,
    operationId: 'rotateGitWebhookSecret',
    summary: 'Create the secret of a webhook',
    description:
      'Creates the secret that signs the webhooks of the repository. Only this response contains it. The previous one is no longer accepted.',
    permission: 'git-sources.write',
    answer: z
      .object({
        url: z.string().describe('Address to set at the server of the repository.'),
        secret: z
          .string()
          .describe(
            'The secret to set there: as the secret, the token of GitLab, or the password of Azure Repos.',
          ),
      })
      .meta({
        examples: [
          { url: EXAMPLE_URL, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
        ],
      }),
    run: ({ actor, params }) => rotateWebhookSecret(deps, actor, params.projectId),
  });
  operation({
    route: `DELETE ${ROUTE}`,
    operationId: 'disconnectGitSource',
    summary: 'Disconnect a site from its Git repository',
    description: 'The site stays as it is. Credentials are deleted.',
    permission: 'git-sources.write',
    answer: z.null().describe('The site is disconnected.'),
    run: ({ actor, params }) => disconnectGitSource(deps, actor, params.projectId),
  });
}

/**
 * `POST /v1/git-sources/{sourceId}/webhook`: what the server of a repository sends about a push, signed in its own way.
 */
export function gitWebhookRoute(app: App, deps: Deps): void {
  deliveryRoute(app, deps, HOOK, {
    operationId: 'receiveGitWebhook',
    summary: 'Receive a webhook of a repository',
    description:
      'For webhooks of GitHub, GitLab, Gitea, Forgejo, Bitbucket and Azure Repos about pushes and pull requests, and for messages that are signed by Standard Webhooks. A valid delivery leads to a look at the repository; what it says is not trusted.',
    receive: ({ sourceId }, delivery) => receiveDelivery(deps, sourceId, delivery),
  });
}

/** `POST /v1/github-apps/{githubAppId}/webhook`: what GitHub sends about all repositories of an app. */
export function githubAppWebhookRoute(app: App, deps: Deps): void {
  deliveryRoute(app, deps, APP_HOOK, {
    operationId: 'receiveGitHubAppWebhook',
    summary: 'Receive a webhook of a GitHub App',
    description:
      'For what GitHub sends about pushes and pull requests of every repository that the app is installed for. A valid delivery leads to a look at the repository; what it says is not trusted.',
    receive: ({ githubAppId }, delivery) => receiveAppDelivery(deps, githubAppId, delivery),
  });
}

function deliveryRoute<Path extends string>(
  app: App,
  deps: Deps,
  url: Path,
  {
    receive,
    ...texts
  }: {
    operationId: string;
    summary: string;
    description: string;
    receive: (
      params: { [Name in ParamName<Path>]: string },
      delivery: Delivery,
    ) => ReturnType<typeof receiveDelivery>;
  },
): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.route({
      method: 'POST',
      url,
      bodyLimit: MAX_DELIVERY_BYTES,
      schema: {
        ...texts,
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        tags: ['Git'],
        security: [],
        params: pathParams(url),
        response: {
          202: z
            .object({
              outcome: z
                .enum(DELIVERY_OUTCOMES)
                .describe(
                  '`ignored`: it is about another branch or repository, or nothing is to follow. `repeated`: it came before.',
                ),
            })
            .meta({ examples: [{ outcome: 'accepted' }] }),
          ...problems(400, 401, 404, 413, 429),
        },
      },
      onRequest: (request) => countAddress(deps, request, DELIVERIES_PER_IP),
      handler: async (request, reply) => {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const params = request.params as { [Name in ParamName<Path>]: string };
        const outcome = await receive(params, { headers: request.headers, body });
        return reply.code(202).send({ outcome });
      },
    });
  });
}
