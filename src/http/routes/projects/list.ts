import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { listSites } from '../../../services/sites/list-sites.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging } from '../analytics/analytics-schema.ts';
import { projectSchema, projectView } from './project-schema.ts';

/** `GET /v1/projects` */
export function listProjectsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/projects',
    schema: {
      operationId: 'listProjects',
      summary: 'List sites',
      description: 'Lists the sites of your organization with their state.',
      tags: ['Projects'],
      security: [{ adminKey: [] }],
      querystring: z.object(paging(1000, 1000)),
      response: {
        200: z.object({
          items: z.array(projectSchema).describe('The sites, by identifier.'),
          projects: z.array(projectSchema).describe('The same as `items`, for older clients.'),
          ...pageEnd,
        }),
        ...problems(400, 401, 403),
      },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const page = await listSites(deps, actorOf(request), request.query);
      const items = page.sites.map((site) => projectView(site, deps.config));
      return reply.send({ items, projects: items, ...endOf(page) });
    },
  });
}
