import { PULL_STATES } from '@docent/format/sources/pull-request.ts';
import { z } from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { isoTime, listOf, pageOf, paging } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import {
  approvePullRequest,
  listSitePullRequests,
  type PullRequestDetails,
} from './manage-pull-requests.ts';

const ROUTE = '/v1/projects/:projectId/pull-requests';
const EXAMPLE_SHA = '8d3f0b1c5e7a9d2f4b6c8e0a1d3f5b7c9e1a2b4d';

const pullRequest = z
  .object({
    number: z.int().describe('Its number.'),
    title: z.string().describe('Its title; empty if no webhook sent it.'),
    author: z
      .string()
      .nullable()
      .describe(
        'Who opened it, as the server of the repository names them; `null` if that is unknown.',
      ),
    url: z.string().nullable().describe('Its page; `null` if the address is unknown.'),
    path: z.string().describe('Path of its source, if the site has several; empty for the base.'),
    isFork: z
      .boolean()
      .describe(
        'Whether its commits are those of a fork, rather than of a branch of the repository.',
      ),
    sha: z.string().nullable().describe('Its newest commit; `null` until it was looked at.'),
    state: z
      .enum(PULL_STATES)
      .describe(
        '`new`: it was not looked at yet. `previewed`: it has a preview. `waiting`: an editor must approve the commit. `unchanged`: it changes nothing in the documentation.',
      ),
    previewName: z.string().nullable().describe('Name of its preview; `null` if it has none.'),
    previewUrl: z.string().nullable().describe('URL of its preview; `null` if it has none.'),
    lastError: z
      .string()
      .nullable()
      .describe('Why it could not be previewed the last time; `null` if it could.'),
    reportError: z
      .string()
      .nullable()
      .describe(
        'Why the server of the repository did not take the last comment or status; `null` if it did, or none was sent.',
      ),
    updatedAt: isoTime.describe('When something about it changed.'),
  })
  .meta({
    id: 'PullRequest',
    description: 'An open pull request of the repository that a site is published from.',
    examples: [
      {
        number: 12,
        title: 'Explain the new start page',
        author: 'ada',
        url: 'https://github.com/acme/app/pull/12',
        path: '',
        isFork: true,
        sha: EXAMPLE_SHA,
        state: 'previewed',
        previewName: 'pr-12',
        previewUrl: 'https://pr-12--acme.docs.example.net',
        lastError: null,
        reportError: null,
        updatedAt: '2026-11-28T09:00:00.000Z',
      },
    ],
  });

function viewOf({ headSha, ...pull }: PullRequestDetails): z.infer<typeof pullRequest> {
  return { ...pull, sha: headSha };
}

/** `/v1/projects/{projectId}/pull-requests` */
export function pullRequestRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Git');
  operation({
    route: `GET ${ROUTE}`,
    operationId: 'listPullRequests',
    summary: 'List pull requests',
    description:
      'Lists the open pull requests of the repository of a site, newest first, with their previews.',
    permission: 'git-sources.read',
    query: z.object(paging(100, 50)),
    answer: listOf(pullRequest, 'The open pull requests, newest first.'),
    run: async ({ actor, params, query }) =>
      pageOf(await listSitePullRequests(deps, actor, params.projectId, query), viewOf),
  });
  operation({
    route: `POST ${ROUTE}/:pullNumber/approve`,
    operationId: 'approvePullRequest',
    summary: 'Approve a pull request',
    description:
      'Lets a commit of a pull request from a fork be built as a preview. The next commit waits for approval again. Refused with 412 if the pull request has another commit by now.',
    permission: 'projects.write',
    body: z
      .strictObject({
        sha: z
          .string()
          .regex(/^[0-9a-f]{40,64}$/, 'must be the sha of a commit')
          .describe('The commit that you looked at: `sha` of the pull request.'),
      })
      .meta({ examples: [{ sha: EXAMPLE_SHA }] }),
    answer: pullRequest,
    refusals: [412],
    run: async ({ actor, params, body }) => {
      const { projectId: project, pullNumber } = params;
      return viewOf(
        await approvePullRequest(deps, actor, {
          project,
          number: Number(pullNumber),
          sha: body.sha,
        }),
      );
    },
  });
}
