import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { createSite } from '../../../services/sites/create-site.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { plainText } from '../plain-text.ts';
import { projectSchema, projectView } from './project-schema.ts';

const body = z
  .object({
    slug: z.string().describe('Identifier of the site: 1 to 63 lower-case letters, digits and single inner hyphens.'),
    name: plainText(1, 200).optional().describe('Name of the site. By default, the identifier.'),
    hostnames: z
      .array(z.string().max(253))
      .max(100)
      .default([])
      .describe('Hostnames of the site, without scheme and port. Each serves it once DNS has one of its `records`.'),
  })
  .meta({ examples: [{ slug: 'acme', name: 'Acme', hostnames: ['docs.acme.example'] }] });

/** `POST /v1/projects` */
export function createProjectRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/projects',
    schema: {
      operationId: 'createProject',
      summary: 'Create a site',
      description: 'Creates a site. Readers see nothing until its source is uploaded with `PUT /v1/project/{projectId}/source`.',
      tags: ['Projects'],
      security: [{ adminKey: [] }],
      body,
      response: { 201: projectSchema, ...problems(400, 401, 403, 409, 413, 415) },
    },
    onRequest: requireActor(deps, 'projects.write'),
    handler: async (request, reply) => {
      const site = await createSite(deps, actorOf(request), request.body);
      return reply.code(201).send(projectView(site, deps.config));
    },
  });
}
