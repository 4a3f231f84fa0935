import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { getSiteDeployment, listSiteDeployments } from '../../../services/publishing/read-deployments.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';
import { projectParams } from '../projects/project-params.ts';
import {
  deploymentParams,
  deploymentSchema,
  deploymentStatus,
  deploymentSummarySchema,
  deploymentView,
  summaryView,
} from './deployment-schema.ts';

const querystring = z.object({
  status: deploymentStatus.optional().describe('Only the deployments in this state.'),
  preview: z
    .string()
    .max(63)
    .optional()
    .describe('`true`: only deployments of previews; `false`: only others; the name of a preview: only its own.'),
  ...paging(100, 50),
});

/** `GET /v1/projects/{projectId}/deployments` and `…/{deploymentId}` */
export function readDeploymentRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Deployments'], security: [{ adminKey: [] }] };
  const url = '/v1/projects/:projectId/deployments';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'listDeployments',
      summary: 'List deployments',
      description: 'Lists the deployments of a site, newest first.',
      params: projectParams,
      querystring,
      response: {
        200: z.object({ items: z.array(deploymentSummarySchema).describe('The deployments, newest first.'), ...pageEnd }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const page = await listSiteDeployments(deps, actorOf(request), request.params.projectId, request.query);
      return reply.send({ items: page.rows.map(summaryView), ...endOf(page) });
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/:deploymentId`,
    schema: {
      ...shared,
      operationId: 'getDeployment',
      summary: 'Get a deployment',
      description:
        'Returns a deployment with its stages and their times, its log, its findings by kind, and the pages that it added, changed and removed.',
      params: deploymentParams,
      response: { 200: deploymentSchema, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) =>
      reply.send(deploymentView(await getSiteDeployment(deps, actorOf(request), request.params))),
  });
}
