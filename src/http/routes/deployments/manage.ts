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
  .strictObject({ pinned: z.boolean().describe('Whether the build is kept, however old it is.') })
  .meta({ examples: [{ pinned: true }] });

/** What changes a deployment: `POST …/cancel`, `POST …/promote`, `PATCH` and `DELETE` */
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
        'Ends a deployment that waits or is being built: it is a `failure` with the `endReason` `cancelled`, and its build process ends within a second. What is live stays. Cancelling again changes nothing.',
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
        'Makes the build of a deployment what readers see, within a second in every process. Promote an earlier one to roll back. Deployments that were started before no longer go live by themselves; the next one that is started does.',
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
        'Pins the build of a deployment, so that it is not deleted with its age and can always be promoted, or unpins it. Pinned builds count in the storage of the organisation.',
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
        'Deletes a deployment with its build, report and log. One that is live, pinned, being exported or not ended is refused.',
      response: { 204: z.null().describe('The deployment is deleted.'), ...problems(401, 403, 404, 409) },
    },
    onRequest,
    handler: async (request, reply) => {
      await deleteDeployment(deps, actorOf(request), request.params);
      return reply.code(204).send(null);
    },
  });
}
