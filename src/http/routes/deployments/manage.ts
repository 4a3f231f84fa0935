import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import {
  cancelDeployment,
  deleteDeployment,
  pinDeployment,
  promoteDeployment,
} from '../../../services/publishing/manage-deployments.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { deploymentSchema, deploymentView, deploymentParams as params } from './deployment-schema.ts';

const changes = z
  .strictObject({ pinned: z.boolean().describe('Whether the build is kept regardless of its age.') })
  .meta({ examples: [{ pinned: true }] });

/** Registers the routes that change a deployment: `POST …/cancel`, `POST …/promote`, `PATCH` and `DELETE`. */
export function manageDeploymentRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Deployments'], security: [{ adminKey: [] }], params };
  const url = '/v1/projects/:projectId/deployments/:deploymentId';
  const onRequest = requireActor(deps, 'projects.write');
  app.route({
    method: 'POST',
    url: `${url}/cancel`,
    schema: {
      ...shared,
      operationId: 'cancelDeployment',
      summary: 'Cancel a deployment',
      description:
        'Cancels a queued or running deployment: it becomes a `failure` with the `endReason` `cancelled`, and its build process ends within a second. The live deployment stays. Cancelling again has no effect.',
      response: { 200: deploymentSchema, ...problems(401, 403, 404, 409) },
    },
    onRequest,
    handler: async (request, reply) => reply.send(deploymentView(await cancelDeployment(deps, actorOf(request), request.params))),
  });
  app.route({
    method: 'POST',
    url: `${url}/promote`,
    schema: {
      ...shared,
      operationId: 'promoteDeployment',
      summary: 'Promote a deployment',
      description:
        'Makes the build of a deployment live, within a second in every process. Promote an earlier one to roll back. Deployments started before this no longer go live automatically; those started afterwards do.',
      response: { 200: deploymentSchema, ...problems(401, 403, 404, 409) },
    },
    onRequest,
    handler: async (request, reply) =>
      reply.send(deploymentView(await promoteDeployment(deps, actorOf(request), request.params))),
  });
  app.route({
    method: 'PATCH',
    url,
    schema: {
      ...shared,
      operationId: 'changeDeployment',
      summary: 'Pin a deployment',
      description:
        'Pins the build of a deployment, so that it is kept regardless of its age and can always be promoted, or unpins it. Pinned builds count towards the storage of the organization.',
      body: changes,
      response: { 200: deploymentSchema, ...problems(400, 401, 403, 404, 409, 413, 415) },
    },
    onRequest,
    handler: async (request, reply) => {
      const { pinned } = request.body;
      return reply.send(deploymentView(await pinDeployment(deps, actorOf(request), request.params, pinned)));
    },
  });
  app.route({
    method: 'DELETE',
    url,
    schema: {
      ...shared,
      operationId: 'deleteDeployment',
      summary: 'Delete a deployment',
      description:
        'Deletes a deployment with its build, report and log. Deployments that are live, pinned, being exported or running are refused.',
      response: { 204: z.null().describe('Deployment deleted.'), ...problems(401, 403, 404, 409) },
    },
    onRequest,
    handler: async (request, reply) => {
      await deleteDeployment(deps, actorOf(request), request.params);
      return reply.code(204).send(null);
    },
  });
}
