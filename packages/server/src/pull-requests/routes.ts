import { PULL_STATES } from '@docent/format/sources/pull-request.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import {
  approvePullRequest,
  listSitePullRequests,
  type PullRequestDetails,
} from './manage-pull-requests.ts';
import { proposePage } from './propose-page.ts';

const ROUTE = '/v1/projects/:projectId/pull-requests';
const EXAMPLE_SHA = '8d3f0b1c5e7a9d2f4b6c8e0a1d3f5b7c9e1a2b4d';

const pullRequest = field.resource(
  'PullRequest',
  'An open pull request of the repository that a site is published from.',
  {
    number: field.int('Its number.'),
    title: field.text('Its title; empty if no webhook sent it.'),
    author: field.text.orNull(
      'Who opened it, as the server of the repository names them; `null` if that is unknown.',
    ),
    url: field.text.orNull('Its page; `null` if the address is unknown.'),
    path: field.text('Path of its source, if the site has several; empty for the base.'),
    isFork: field.flag(
      'Whether its commits are those of a fork, rather than of a branch of the repository.',
    ),
    sha: field.text.orNull('Its newest commit; `null` until it was looked at.'),
    state: field.choice(
      PULL_STATES,
      '`new`: it was not looked at yet. `previewed`: it has a preview. `waiting`: an editor must approve the commit. `unchanged`: it changes nothing in the documentation.',
    ),
    previewName: field.text.orNull('Name of its preview; `null` if it has none.'),
    previewUrl: field.text.orNull('URL of its preview; `null` if it has none.'),
    lastError: field.text.orNull(
      'Why it could not be previewed the last time; `null` if it could.',
    ),
    reportError: field.text.orNull(
      'Why the server of the repository did not take the last comment or status; `null` if it did, or none was sent.',
    ),
    updatedAt: field.time('When something about it changed.'),
  },
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
);

const MAX_PAGE = 200_000;
/** Letters, digits and a few signs; no name begins with a dot, so that no setting is written. */
const PAGE_PATH = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_. -]*\/)*[\p{L}\p{N}_][\p{L}\p{N}_. -]*\.mdx?$/u;

const newDraft = z
  .strictObject({
    path: plainText(4, 200)
      .regex(PAGE_PATH, 'must be the path of a new .mdx or .md file, such as guides/keys.mdx')
      .describe('Path of the new file, from the folder of the documentation.'),
    content: plainText(1, MAX_PAGE).describe(
      'The page, with `hidden: true` in its frontmatter, so that it stays a draft when it is merged.',
    ),
    sourceId: field.text.optional('Which repository of a site of several; the base by default.'),
    pullRequest: z
      .boolean()
      .default(false)
      .describe('Whether to open a pull request, marked as a draft, too.'),
  })
  .meta({
    examples: [
      {
        path: 'guides/rotate-keys.mdx',
        content: '---\ntitle: Rotate keys\nhidden: true\nnoindex: true\n---\n\n…\n',
        pullRequest: true,
      },
    ],
  });

const draftBranch = field.resource(
  'DraftBranch',
  'A draft of a page in the repository of a site.',
  {
    branch: field.text('Name of the new branch.'),
    sha: field.text('Its commit.'),
    file: field.text('Path of the file from the root of the repository.'),
    pullRequest: field.partOrNull('The pull request; `null` if none was requested or opened.', {
      number: field.int('Its number.'),
      url: field.text.orNull('Its page; `null` if the address is unknown.'),
    }),
    pullRequestError: field.text.orNull(
      'Why no pull request could be opened, although the branch is there.',
    ),
  },
  {
    branch: 'docent/draft-rotate-keys-7x9y0b',
    sha: EXAMPLE_SHA,
    file: 'docs/guides/rotate-keys.mdx',
    pullRequest: { number: 13, url: 'https://github.com/acme/app/pull/13' },
    pullRequestError: null,
  },
);

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
  operation({
    route: 'POST /v1/projects/:projectId/drafts',
    operationId: 'proposePage',
    summary: 'Add a draft to the repository',
    description:
      'Adds a page that is marked as a draft to the repository of a site, on a new branch `docent/draft-…`, and opens a pull request for it on request. No other branch is changed, and nothing is published. The credentials of the source must be allowed to write.',
    permission: 'git-sources.write',
    body: newDraft,
    answer: draftBranch,
    status: 201,
    refusals: [503],
    run: ({ actor, params, body, reply }) => {
      const { pullRequest: opensPullRequest, ...page } = body;
      const draft = { project: params.projectId, ...page, opensPullRequest };
      return proposePage(deps, actor, draft, abortOnClose(reply));
    },
  });
}
