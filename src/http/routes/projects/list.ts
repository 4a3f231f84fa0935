import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { listSites } from '../../../services/list-sites.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectSchema, projectView } from './project-schema.ts';

/** `GET /v1/projects` */
export function listProjectsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/projects',
    schema: {
      operationId: 'listProjects',
      summary: 'List sites',
      description: 'Lists the sites of your organisation.',
      tags: ['Projects'],
      security: [{ adminKey: [] }],
      response: {
        200: z.object({ projects: z.array(projectSchema).describe('The sites, by identifier.') }),
        ...problems(401, 403),
      },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const sites = await listSites(deps, actorOf(request));
      return reply.send({ projects: sites.map((site) => projectView(site, deps.config)) });
    },
  });
}
