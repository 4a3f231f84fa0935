import { siteSettings } from '@docent/format/access/site-settings.ts';
import * as z from 'zod';
import { hostnameSchema, hostnameView } from '../hostnames/routes.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import {
  ifMatchHeader,
  listOf,
  meetsIfMatch,
  pageOf,
  paging,
  plainText,
} from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import {
  defaultAddressOf,
  type PlatformAddress,
  publicUrlOf,
} from '../kernel/sites/site-address.ts';
import { SITE_ORDERS, SITE_STATES } from '../kernel/sites/site-list.ts';
import type { SiteRow } from '../kernel/sites/site-queries.ts';
import { deploymentFields, deploymentStatus } from '../publishing/deployment-schema.ts';
import { createSite } from './create-site.ts';
import { changeSite, deleteSite, getSite, listSites, type SiteDetails } from './manage-sites.ts';

const lastDeployment = field.resource('LastDeployment', 'The last started deployment.', {
  id: field.text('Identifier of the deployment.'),
  status: deploymentStatus.describe('Its status.'),
  endReason: deploymentFields.endReason,
  summary: deploymentFields.summary,
  createdAt: deploymentFields.createdAt,
  endedAt: deploymentFields.endedAt,
});

const liveDeployment = field.resource('LiveDeployment', 'The live deployment.', {
  id: field.text('Identifier of the deployment.'),
  publishedAt: field.time('When it was built.'),
  pages: field.int('Pages of the site.'),
  errors: field.int('Findings of its build that lose content.'),
  bytes: field.number('Size of all its files, in bytes.'),
  previousId: field.text.orNull(
    'Identifier of the deployment that was live before it and can be rolled back to; `null` if there is none.',
  ),
});

const projectSchema = field.resource(
  'Project',
  'A site.',
  {
    projectId: field.text('Project id of the site. It never changes.'),
    slug: field.text("The site's identifier, the `domain` of other operations."),
    name: field.text('Name of the site.'),
    hostnames: field.list(
      hostnameSchema,
      'Additional hostnames of the site. Those that are `verified` serve it.',
    ),
    url: field.text('URL of the site.'),
    defaultUrl: field.text(
      'URL of the site on the platform, to which a proxy in front forwards requests.',
    ),
    state: field.choice(
      SITE_STATES,
      '`empty`: nothing is published yet. `publishing`: a deployment is queued or running. `failing`: the last deployment failed; the previous one is still live.',
    ),
    live: field.orNull(
      liveDeployment,
      'The live deployment; `null` until the first source is published.',
    ),
    lastDeployment: field.orNull(lastDeployment, 'The last deployment, regardless of its status.'),
    settings: siteSettings.describe('Settings of the site as a whole.'),
    published: field.flag(
      'Whether readers can see the site: `false` until the first source is published.',
    ),
    createdAt: field.time('When the site was created.'),
    updatedAt: field.time('When the site last changed.'),
  },
  {
    projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
    slug: 'acme',
    name: 'Acme',
    hostnames: [
      {
        hostname: 'docs.acme.example',
        status: 'verified' as const,
        approved: false,
        records: [
          { type: 'CNAME' as const, name: 'docs.acme.example', value: 'acme.docs.example.net' },
        ],
        found: [
          { type: 'CNAME' as const, name: 'docs.acme.example', value: 'acme.docs.example.net' },
        ],
        problem: null,
        checkedAt: '2026-11-21T09:00:00.000Z',
        lapsesAt: null,
        nextCheckAt: '2026-11-22T09:00:00.000Z',
      },
    ],
    url: 'https://docs.acme.example',
    defaultUrl: 'https://acme.docs.example.net',
    state: 'live' as const,
    live: {
      id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
      publishedAt: '2026-11-21T09:00:00.000Z',
      pages: 240,
      errors: 0,
      bytes: 18_350_112,
      previousId: '01K9Z3X1B2D4F6H8J0K2M4N6P8',
    },
    lastDeployment: {
      id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
      status: 'success' as const,
      endReason: null,
      summary: '240 pages, 1 warning',
      createdAt: '2026-11-21T08:59:54.000Z',
      endedAt: '2026-11-21T09:00:00.000Z',
    },
    settings: { noindex: false, publicUrl: null },
    published: true,
    createdAt: '2026-11-20T16:20:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
  },
);

function projectView(site: SiteDetails, platform: PlatformAddress): z.infer<typeof projectSchema> {
  return {
    ...site,
    projectId: site.id,
    hostnames: site.claims.map((claim) => hostnameView({ site, claim }, platform)),
    url: publicUrlOf(site, platform),
    defaultUrl: defaultAddressOf(site.slug, platform),
    state: site.state.name,
    live: site.state.live,
    lastDeployment: site.state.last,
    published: site.liveDeploymentId !== null,
  };
}

const newProject = z
  .object({
    slug: field.text(
      'Identifier of the site: 1 to 63 lower-case letters, digits and single inner hyphens.',
    ),
    name: plainText(1, 200).optional().describe('Name of the site. By default, the identifier.'),
    hostnames: z
      .array(z.string().max(253))
      .max(100)
      .default([])
      .describe(
        'Hostnames of the site, without scheme and port. Each serves it once DNS has one of its `records`.',
      ),
  })
  .meta({ examples: [{ slug: 'acme', name: 'Acme', hostnames: ['docs.acme.example'] }] });

const changes = z
  .strictObject({
    name: field.optional(
      plainText(1, 200).nullable(),
      'Name of the site. `null`: the name in `docs.json` of the live deployment, and of those after it.',
    ),
    slug: field.text.optional(
      'Identifier of the site: 1 to 63 lower-case letters, digits and single inner hyphens. The previous identifier redirects to the new one.',
    ),
    settings: field.optional(
      siteSettings.partial().strict(),
      'Settings to change; the others stay as they are.',
    ),
  })
  .meta({ examples: [{ name: 'Acme documentation', slug: 'acme-docs' }] });

/** The properties of a site that one request can change. */
const changeableOf = ({ name, slug, settings }: Pick<SiteRow, 'name' | 'slug' | 'settings'>) => ({
  name,
  slug,
  settings,
});

/** Registers the routes of `/v1/projects`. */
export function projectRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'POST /v1/projects',
    operationId: 'createProject',
    summary: 'Create a site',
    description:
      'Creates a site. Readers see nothing until its source is uploaded with `PUT /v1/project/{projectId}/source`.',
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
    query: z.object({
      q: field.optional(
        plainText(0, 200),
        'Only sites with each of these words in their name, their identifier or a hostname. If there are none, words that are nearly written like that count too.',
      ),
      state: field.optional(z.enum(SITE_STATES), 'Only sites in this state.'),
      sort: z
        .enum(SITE_ORDERS)
        .default('identifier')
        .describe(
          'The order. `deployed`: by last deployment, newest first. `state`: failing sites first, then publishing, live and empty ones.',
        ),
      ...paging(1000, 1000),
    }),
    answer: listOf(projectSchema, 'The sites.', 'projects'),
    run: async ({ actor, query: { q: text, sort: order, ...query } }) => {
      const page = await listSites(deps, actor, { ...query, text, order });
      return pageOf(page, (site) => projectView(site, deps.config), 'projects');
    },
  });
  operation({
    route: 'GET /v1/projects/:projectId',
    operationId: 'getProject',
    summary: 'Get a site',
    description: 'Returns a site with its address, its state and its last deployment.',
    permission: 'projects.read',
    changeableOf,
    answer: projectSchema,
    run: async ({ actor, params }) =>
      projectView(await getSite(deps, actor, params.projectId), deps.config),
  });
  operation({
    route: 'PATCH /v1/projects/:projectId',
    operationId: 'changeProject',
    summary: 'Change a site',
    description:
      'Changes the name, the identifier or settings of a site. With a new identifier its address changes; the addresses of its last ten identifiers redirect to the new one, and the API still accepts them.',
    permission: 'sites.write',
    changeableOf,
    headers: ifMatchHeader,
    body: changes,
    answer: projectSchema,
    refusals: [409, 412],
    run: async ({ actor, params, headers, body }) => {
      const isExpected = (site: SiteRow) => meetsIfMatch(headers['if-match'], changeableOf(site));
      return projectView(
        await changeSite(deps, actor, params.projectId, body, isExpected),
        deps.config,
      );
    },
  });
  operation({
    route: 'DELETE /v1/projects/:projectId',
    operationId: 'deleteProject',
    summary: 'Delete a site',
    description:
      'Deletes a site with everything that belongs to it: deployments, uploads, exports, conversations, analytics, assistant keys and hostnames. Readers get 404 immediately. This cannot be undone.',
    permission: 'sites.write',
    query: z.object({
      confirm: z.string().max(100).optional().describe("The site's identifier, as confirmation."),
    }),
    answer: z.null().describe('The site is deleted.'),
    run: ({ actor, params, query }) => deleteSite(deps, actor, params.projectId, query.confirm),
  });
}
