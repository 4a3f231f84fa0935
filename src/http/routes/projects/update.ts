import { limitsFrom } from '../../../core/access/limits.ts';
import type { Deps } from '../../../services/deps.ts';
import { updateProject } from '../../../services/publishing/update-project.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { declareLimits, showLimit } from '../../rate-limits.ts';
import { projectParams } from './project-params.ts';
import { startedBuildSchema } from './started-build-schema.ts';

/** `POST /v1/project/update/{projectId}` */
export function updateProjectRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/project/update/:projectId',
    schema: {
      operationId: 'updateProject',
      summary: 'Rebuild a site',
      description:
        'Builds the last uploaded source again and publishes it. Follow the build with `GET /v1/project/update-status/{statusId}`.',
      'x-response-headers': limitHeaders,
      tags: ['Projects'],
      security: [{ adminKey: [] }],
      params: projectParams,
      response: { 202: startedBuildSchema, ...problems(401, 403, 404, 409, 429) },
    },
    onRequest: [declareLimits([limitsFrom(deps.config.limits).publishesPerOrganisation]), requireActor(deps, 'projects.write')],
    handler: async (request, reply) => {
      const statusId = await updateProject(deps, actorOf(request), request.params.projectId, showLimit(reply));
      return reply.code(202).send({ statusId });
    },
  });
}
