import { limitsFrom } from '@docent/format/access/limits.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import { eventsOf, follow } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import { listOf, pageOf, paging, plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { addToRequestLine } from '../kernel/operations/request-line.ts';
import { compareDeployedPage, compareDeployments } from './compare-deployments.ts';
import {
  base,
  comparisonSchema,
  comparisonView,
  pageComparisonSchema,
} from './comparison-schema.ts';
import {
  deploymentProgressSchema,
  deploymentSchema,
  deploymentStatus,
  deploymentSummarySchema,
  deploymentView,
  progressView,
  summaryView,
} from './deployment-schema.ts';
import {
  cancelDeployment,
  deleteDeployment,
  getDeploymentProgress,
  getSiteDeployment,
  listSiteDeployments,
  pinDeployment,
  promoteDeployment,
  type ShownDeployment,
} from './manage-deployments.ts';
import { rebuildRequest, startedBuildSchema } from './source-routes.ts';
import { rebuildDeployment } from './start-deployment.ts';

const querystring = z.object({
  status: deploymentStatus.optional().describe('Only the deployments in this state.'),
  preview: field.optional(
    z.string().max(63),
    '`true`: only deployments of previews; `false`: only others; the name of a preview: only its own.',
  ),
  q: field.optional(
    plainText(1, 200),
    'Only deployments with this text in the message, branch or author of the commit, in the name of their preview or of who started them, or at the start of the hash.',
  ),
  ...paging(100, 50),
});

const changes = z
  .strictObject({
    pinned: field.flag('Whether the build is kept regardless of its age.'),
  })
  .meta({ examples: [{ pinned: true }] });

/** Poll interval. The row is the source of truth, whichever process builds. */
const POLL_INTERVAL_MS = 400;

const eventStream = eventsOf(
  'The log and the deployment after each change.',
  'event: log\nid: 1\ndata: {"time":"2026-11-21T09:00:01.200Z","text":"Compiling pages"}\n\nevent: deployment\ndata: {"id":"01K9Z52N4T8W6X3C1V7B9M0QRS","status":"in_progress", …}\n\n',
);

/** Registers the routes of `/v1/projects/{projectId}/deployments`. */
export function deploymentRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Deployments');
  const url = '/v1/projects/:projectId/deployments';
  const deploymentUrl = `${url}/:deploymentId` as const;
  operation({
    route: `GET ${url}`,
    operationId: 'listDeployments',
    summary: 'List deployments',
    description: 'Lists the deployments of a site, newest first.',
    permission: 'projects.read',
    query: querystring,
    answer: listOf(deploymentSummarySchema, 'The deployments, newest first.'),
    run: async ({ actor, params, query }) => {
      const page = await listSiteDeployments(deps, actor, params.projectId, query);
      return pageOf(page, summaryView);
    },
  });
  operation({
    route: `GET ${deploymentUrl}`,
    operationId: 'getDeployment',
    summary: 'Get a deployment',
    description:
      'Returns a deployment with its stages and their times, its log, its findings by kind, and the pages that it added, changed and removed.',
    permission: 'projects.read',
    answer: deploymentSchema,
    run: async ({ actor, params }) => deploymentView(await getSiteDeployment(deps, actor, params)),
  });
  operation({
    route: `GET ${deploymentUrl}/events`,
    operationId: 'streamDeployment',
    summary: 'Follow a deployment',
    description:
      'Streams server-sent events. `log`: a line of the log, with its number as the id; starts with all lines so far, or those after `Last-Event-ID`. `deployment`: the deployment with its stages, immediately and after each change. The last event has the status `success` or `failure`, and ends the stream.',
    permission: 'projects.read',
    headers: z.object({
      'last-event-id': field.optional(z.string().max(20), 'Number of the last log line received.'),
    }),
    answer: eventStream,
    run: async ({ actor, params, headers, reply }) => {
      const lastEventId = Number(headers['last-event-id'] ?? 0);
      let lines = Number.isSafeInteger(lastEventId) && lastEventId > 0 ? lastEventId : 0;
      let sentEvent = '';
      return follow<ShownDeployment>(reply, deps.logger, {
        read: () => getDeploymentProgress(deps, actor, params),
        everyMs: POLL_INTERVAL_MS,
        send(stream, deployment) {
          for (const line of deployment.log.slice(lines))
            stream.write(`event: log\nid: ${++lines}\ndata: ${JSON.stringify(line)}\n\n`);
          const event = JSON.stringify(
            z.encode(deploymentProgressSchema, progressView(deployment)),
          );
          if (event !== sentEvent) stream.write(`event: deployment\ndata: ${event}\n\n`);
          sentEvent = event;
        },
        hasEnded: ({ status }) => status === 'success' || status === 'failure',
        failure: 'the state of a deployment could not be read',
      });
    },
  });
  operation({
    route: `GET ${deploymentUrl}/comparison`,
    operationId: 'compareDeployments',
    summary: 'Compare two deployments',
    description:
      'Compares the pages of a deployment with those of another one, or of the live one. Both builds must be stored. `GET …/comparison/page` returns the differences in the text of a page.',
    permission: 'projects.read',
    query: z.object({ base }),
    answer: comparisonSchema,
    refusals: [409],
    run: async ({ actor, params, query }) =>
      comparisonView(await compareDeployments(deps, actor, { ...params, ...query })),
  });
  operation({
    route: `GET ${deploymentUrl}/comparison/page`,
    operationId: 'comparePage',
    summary: 'Compare a page of two deployments',
    description:
      'Compares the text of a page, as Markdown, in a deployment with that in another one, or in the live one.',
    permission: 'projects.read',
    query: z.object({
      base,
      path: plainText(1, 2000).describe('Site path of the page, for example `/guides/start`.'),
    }),
    answer: pageComparisonSchema,
    refusals: [409],
    run: ({ actor, params, query }) => compareDeployedPage(deps, actor, { ...params, ...query }),
  });
  operation({
    route: `POST ${deploymentUrl}/cancel`,
    operationId: 'cancelDeployment',
    summary: 'Cancel a deployment',
    description:
      'Cancels a queued or running deployment: it becomes a `failure` with the `endReason` `canceled`, and its build process ends within a second. The live deployment stays. Canceling again has no effect.',
    permission: 'projects.write',
    answer: deploymentSchema,
    refusals: [409],
    run: async ({ actor, params }) => deploymentView(await cancelDeployment(deps, actor, params)),
  });
  operation({
    route: `POST ${deploymentUrl}/promote`,
    operationId: 'promoteDeployment',
    summary: 'Promote a deployment',
    description:
      'Makes the build of a deployment live, within a second in every process. Promote one that was live before (`canRollBack`) to roll back; pushes to a Git source are then not published until somebody deploys. A build of a preview is then public: its password does not protect it any more. Deployments started before this no longer go live automatically; those started afterwards do.',
    permission: 'projects.write',
    answer: deploymentSchema,
    refusals: [409],
    run: async ({ actor, params }) => deploymentView(await promoteDeployment(deps, actor, params)),
  });
  operation({
    route: `POST ${deploymentUrl}/rebuild`,
    operationId: 'rebuildDeployment',
    summary: 'Build a deployment again',
    description:
      'Builds the source of a deployment again, as a new deployment of the site, or of the preview that it was built for. Sources are stored for an hour, and that of the newest deployment of the site and of each preview as long as it is the newest.',
    permission: 'projects.write',
    limit: limitsFrom(deps.config.limits).publishesPerOrganization,
    answer: startedBuildSchema,
    status: 202,
    refusals: [409],
    run: async ({ actor, params, request, reply }) => {
      const rebuild = rebuildRequest(request, reply, actor);
      const statusId = await rebuildDeployment(deps, actor, params, rebuild);
      addToRequestLine(request, { deploymentId: statusId });
      return { statusId };
    },
  });
  operation({
    route: `PATCH ${deploymentUrl}`,
    operationId: 'changeDeployment',
    summary: 'Pin a deployment',
    description:
      'Pins the build of a deployment, so that it is kept regardless of its age and can always be promoted, or unpins it. Pinned builds count towards the storage of the organization.',
    permission: 'projects.write',
    body: changes,
    answer: deploymentSchema,
    refusals: [409],
    run: async ({ actor, params, body }) =>
      deploymentView(await pinDeployment(deps, actor, params, body.pinned)),
  });
  operation({
    route: `DELETE ${deploymentUrl}`,
    operationId: 'deleteDeployment',
    summary: 'Delete a deployment',
    description:
      'Deletes a deployment with its build, report and log. Deployments that are live, pinned, being exported or running are refused.',
    permission: 'projects.write',
    answer: z.null().describe('Deployment deleted.'),
    refusals: [409],
    run: ({ actor, params }) => deleteDeployment(deps, actor, params),
  });
}
