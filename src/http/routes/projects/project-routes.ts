import { z } from 'zod';
import type { SiteRow } from '../../../db/sites/sites.ts';
import type { Deps } from '../../../services/deps.ts';
import { changeSite } from '../../../services/sites/change-site.ts';
import { createSite } from '../../../services/sites/create-site.ts';
import { deleteSite } from '../../../services/sites/delete-site.ts';
import { getSite, listSites } from '../../../services/sites/list-sites.ts';
import type { App } from '../../app-types.ts';
import { etagOf, ifMatchHeader, meetsIfMatch } from '../../etag.ts';
import { endOf, listOf, paging } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { plainText } from '../fields.ts';
import { projectParams, projectSchema, projectView, siteSettings } from './project-schema.ts';

const newProject = z
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

/** Registers the routes of `/v1/projects`. */
export function projectRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'POST /v1/projects',
    operationId: 'createProject',
    summary: 'Create a site',
    description: 'Creates a site. Readers see nothing until its source is uploaded with `PUT /v1/project/{projectId}/source`.',
    permission: 'projects.write',
    body: newProject,
    answer: projectSchema,
    status: 201,
    refusals: [409],
    run: async ({ actor, body }) => projectView(await createSite(deps, actor, body), deps.config),
  });
  operation({
    route: 'GET /v1/projects',
    operationId: 'listProjects',
    summary: 'List sites',
    description: 'Lists the sites of your organization with their state.',
    permission: 'projects.read',
    query: z.object(paging(1000, 1000)),
    answer: listOf(projectSchema, 'The sites, by identifier.', 'projects'),
    run: async ({ actor, query }) => {
      const page = await listSites(deps, actor, query);
      const items = page.rows.map((site) => projectView(site, deps.config));
      return { items, projects: items, ...endOf(page) };
    },
  });
  operation({
    route: 'GET /v1/projects/:projectId',
    operationId: 'getProject',
    summary: 'Get a site',
    description: 'Returns a site with its address, its state and its last deployment.',
    permission: 'projects.read',
    params: projectParams,
    responseHeaders: ['ETag'],
    answer: projectSchema,
    run: async ({ actor, params, reply }) => {
      const site = await getSite(deps, actor, params.projectId);
      reply.header('etag', etagOfSite(site));
      return projectView(site, deps.config);
    },
  });
  operation({
    route: 'PATCH /v1/projects/:projectId',
    operationId: 'changeProject',
    summary: 'Change a site',
    description:
      'Changes the name, the identifier or settings of a site. With a new identifier its address changes; the addresses of its last ten identifiers redirect to the new one, and the API still accepts them.',
    permission: 'sites.write',
    params: projectParams,
    responseHeaders: ['ETag'],
    headers: ifMatchHeader,
    body: changes,
    answer: projectSchema,
    refusals: [409, 412],
    run: async ({ actor, params, headers, body, reply }) => {
      const isExpected = (site: SiteRow) => meetsIfMatch(headers['if-match'], etagOfSite(site));
      const site = await changeSite(deps, actor, params.projectId, body, isExpected);
      reply.header('etag', etagOfSite(site));
      return projectView(site, deps.config);
    },
  });
  operation({
    route: 'DELETE /v1/projects/:projectId',
    operationId: 'deleteProject',
    summary: 'Delete a site',
    description:
      'Deletes a site with everything that belongs to it: deployments, uploads, exports, conversations, analytics, assistant keys and hostnames. Readers get 404 immediately. This cannot be undone.',
    permission: 'sites.write',
    params: projectParams,
    query: z.object({
      confirm: z.string().max(100).optional().describe("The site's identifier, as confirmation."),
    }),
    answer: z.null().describe('The site is deleted.'),
    run: ({ actor, params, query }) => deleteSite(deps, actor, params.projectId, query.confirm),
  });
}
