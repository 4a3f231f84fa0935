import { z } from 'zod';
import type { SiteRow } from '../../../db/sites/sites.ts';
import type { Deps } from '../../../services/deps.ts';
import { changeSite } from '../../../services/sites/change-site.ts';
import { deleteSite } from '../../../services/sites/delete-site.ts';
import { getSite } from '../../../services/sites/list-sites.ts';
import type { App } from '../../app-types.ts';
import { etagOf, ifMatchHeader, meetsIfMatch } from '../../etag.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { plainText } from '../plain-text.ts';
import { projectParams as params } from './project-params.ts';
import { projectSchema, projectView, siteSettings } from './project-schema.ts';

const changes = z
  .strictObject({
    name: plainText(1, 200)
      .nullable()
      .optional()
      .describe('Name of the site. `null`: the name in `docs.json`, from the next deployment on.'),
    slug: z
      .string()
      .optional()
      .describe(
        'Identifier of the site: 1 to 63 lower-case letters, digits and single inner hyphens. The previous identifier redirects to the new one.',
      ),
    settings: siteSettings.partial().strict().optional().describe('Settings to change; the others stay as they are.'),
  })
  .meta({ examples: [{ name: 'Acme documentation', slug: 'acme-docs' }] });

/** The properties of a site that one request can change. */
const etagOfSite = ({ name, slug, settings }: SiteRow): string => etagOf({ name, slug, settings });

/** `GET`, `PATCH` and `DELETE /v1/projects/{projectId}` */
export function manageProjectRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Projects'], security: [{ adminKey: [] }], params };
  const url = '/v1/projects/:projectId';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'getProject',
      summary: 'Get a site',
      description: 'Returns a site with its address, its state and its last deployment.',
      'x-response-headers': ['ETag'],
      response: { 200: projectSchema, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => {
      const site = await getSite(deps, actorOf(request), request.params.projectId);
      return reply.header('etag', etagOfSite(site)).send(projectView(site, deps.config));
    },
  });
  app.route({
    method: 'PATCH',
    url,
    schema: {
      ...shared,
      operationId: 'changeProject',
      summary: 'Change a site',
      description:
        'Changes the name, the identifier or settings of a site. With a new identifier its address changes; the addresses of its last ten identifiers redirect to the new one, and the API still accepts them.',
      'x-response-headers': ['ETag'],
      headers: ifMatchHeader,
      body: changes,
      response: { 200: projectSchema, ...problems(400, 401, 403, 404, 409, 412, 413, 415) },
    },
    onRequest: requireActor(deps, 'sites.write'),
    handler: async (request, reply) => {
      const isExpected = (site: SiteRow) => meetsIfMatch(request.headers['if-match'], etagOfSite(site));
      const site = await changeSite(deps, actorOf(request), request.params.projectId, request.body, isExpected);
      return reply.header('etag', etagOfSite(site)).send(projectView(site, deps.config));
    },
  });
  app.route({
    method: 'DELETE',
    url,
    schema: {
      ...shared,
      operationId: 'deleteProject',
      summary: 'Delete a site',
      description:
        'Deletes a site with everything that belongs to it: deployments, uploads, exports, conversations, analytics, assistant keys and hostnames. Readers get 404 immediately. This cannot be undone.',
      querystring: z.object({
        confirm: z.string().max(100).optional().describe("The site's identifier, as confirmation."),
      }),
      response: { 204: z.null().describe('The site is deleted.'), ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'sites.write'),
    handler: async (request, reply) => {
      await deleteSite(deps, actorOf(request), request.params.projectId, request.query.confirm);
      return reply.code(204).send(null);
    },
  });
}
