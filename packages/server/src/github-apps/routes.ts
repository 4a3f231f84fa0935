import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { makerExample, makerSchema, makerView } from '../kernel/operations/makers.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import type { GitHubAppRow } from './app-queries.ts';
import {
  completeGitHubApp,
  createGitHubApp,
  listAppRepositories,
  listOrganizationApps,
  removeGitHubApp,
} from './manage-github-apps.ts';

const ROUTE = '/v1/github-apps';

const githubApp = field.resource(
  'GitHubApp',
  'An app at GitHub that the organization owns.',
  {
    id: field.text('Identifier of the app.'),
    host: field.text('Host of GitHub.'),
    name: field.text('Its name at GitHub.'),
    owner: field.text.orNull('Login of the account that owns it at GitHub.'),
    url: field.text('Its page at GitHub.'),
    installUrl: field.text(
      'Page at GitHub where it is installed, and its repositories are chosen.',
    ),
    webhookAt: field.time.orNull('When its last valid webhook arrived; `null` if none has.'),
    createdBy: makerSchema,
    createdAt: field.time('When it was created.'),
  },
  {
    id: '01KAN3R8Z5W6Q1T2V7X9Y0B4CD',
    host: 'github.com',
    name: 'Docent acme',
    owner: 'acme',
    url: 'https://github.com/apps/docent-acme',
    installUrl: 'https://github.com/apps/docent-acme/installations/new',
    webhookAt: null,
    createdBy: makerExample,
    createdAt: '2026-11-20T09:00:00.000Z',
  },
);

function viewOf({ id, host, name, owner, htmlUrl, webhookAt, maker, createdAt }: GitHubAppRow) {
  const url = htmlUrl ?? '';
  const view = { id, host, name: name ?? '', owner, url, installUrl: `${url}/installations/new` };
  return { ...view, webhookAt, createdBy: makerView(maker), createdAt };
}

/** `/v1/github-apps` */
export function githubAppRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Git');
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'listGitHubApps',
    summary: 'List the GitHub Apps of the organization',
    description: 'Lists the apps that let the server read repositories at GitHub, newest first.',
    permission: 'github-apps.read',
    query: z.object(paging(100, 50)),
    answer: listOf(githubApp, 'The apps, newest first.'),
    run: async ({ actor, query }) => pageOf(await listOrganizationApps(deps, actor, query), viewOf),
  });
  operation({
    route: `POST ${ROUTE}`,
    operationId: 'createGitHubApp',
    summary: 'Prepare a GitHub App',
    description:
      'Returns a form that a browser sends to GitHub by `POST`, where a person confirms it. GitHub then opens the dashboard, which stores the app.',
    permission: 'github-apps.write',
    body: z
      .strictObject({
        host: plainText(1, 200)
          .default('github.com')
          .describe('Host of GitHub: `github.com`, or that of GitHub Enterprise.'),
        owner: plainText(0, 100)
          .default('')
          .describe(
            'Login of the organization at GitHub that will own the app; empty for the account of the person.',
          ),
      })
      .meta({ examples: [{ host: 'github.com', owner: 'acme' }] }),
    answer: z
      .object({
        action: field.text('Where the form is sent.'),
        manifest: field.text('Value of its field `manifest`.'),
      })
      .meta({
        examples: [
          {
            action: 'https://github.com/organizations/acme/settings/apps/new?state=nNQ0PC3nC5o',
            manifest: '{"name":"Docent acme","url":"https://docs.acme.example"}',
          },
        ],
      }),
    status: 201,
    run: ({ actor, body }) => createGitHubApp(deps, actor, body),
  });
  operation({
    route: `POST ${ROUTE}/complete`,
    operationId: 'completeGitHubApp',
    summary: 'Store a GitHub App',
    description:
      'Stores the app that was created with a form, with its key and its secret, which are encrypted. `code` is valid for an hour.',
    permission: 'github-apps.write',
    body: z
      .strictObject({
        state: plainText(1, 200).describe('What GitHub sent back as `state`.'),
        code: plainText(1, 200).describe('What GitHub sent back as `code`.'),
      })
      .meta({ examples: [{ state: 'nNQ0PC3nC5o', code: 'a180b1a3d263c81bc6441d7b990bae27' }] }),
    answer: githubApp,
    status: 201,
    refusals: [404, 503],
    run: async ({ actor, body }) => viewOf(await completeGitHubApp(deps, actor, body)),
  });
  operation({
    route: `GET ${ROUTE}/:githubAppId/repositories`,
    operationId: 'getGitHubAppRepositories',
    summary: 'Get the repositories of a GitHub App',
    description: 'Asks GitHub which repositories the app is installed for; at most 1,000.',
    permission: 'github-apps.read',
    answer: z
      .object({
        repositories: field.list(
          z.object({
            url: field.text('Address of the repository.'),
            name: field.text('Owner and name.'),
            defaultBranch: field.text('Its default branch.'),
            isPrivate: field.flag('Whether it is private.'),
          }),
          'The repositories, by name.',
        ),
      })
      .meta({
        examples: [
          {
            repositories: [
              {
                url: 'https://github.com/acme/docs',
                name: 'acme/docs',
                defaultBranch: 'main',
                isPrivate: true,
              },
            ],
          },
        ],
      }),
    refusals: [400, 503],
    run: async ({ actor, params }) => ({
      repositories: await listAppRepositories(deps, actor, params.githubAppId),
    }),
  });
  operation({
    route: `DELETE ${ROUTE}/:githubAppId`,
    operationId: 'removeGitHubApp',
    summary: 'Remove a GitHub App',
    description:
      'Deletes the key of an app that no site is published with, and uninstalls it. Delete the app itself at GitHub.',
    permission: 'github-apps.write',
    answer: z.null().describe('The app is removed.'),
    refusals: [409],
    run: ({ actor, params }) => removeGitHubApp(deps, actor, params.githubAppId),
  });
}
