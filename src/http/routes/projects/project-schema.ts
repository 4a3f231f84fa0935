import { z } from 'zod';
import type { SiteDetails } from '../../../services/sites/list-sites.ts';
import { type PlatformAddress, publicUrlOf } from '../../../services/sites/site-address.ts';
import { isoTime } from '../fields.ts';
import { hostnameSchema, hostnameView } from '../hostnames/hostname-schema.ts';

/** The `projectId` in a path. */
export const projectParams = z.object({
  projectId: z
    .string()
    .meta({ description: 'Project id of the site. Its identifier and its hostnames are accepted too.', examples: ['acme'] }),
});

export const siteSettings = z.object({
  noindex: z.boolean().describe('Whether search engines are asked not to index the site.'),
});

const lastDeployment = z
  .object({
    id: z.string().describe('Identifier of the deployment.'),
    status: z.enum(['queued', 'in_progress', 'success', 'failure']).describe('Its status.'),
    endReason: z
      .enum(['cancelled', 'superseded'])
      .nullable()
      .describe('Why a `failure` was not caused by the source: it was cancelled, or replaced by a newer deployment.'),
    summary: z.string().describe('One line: how many pages were built, or why the build failed.'),
    createdAt: isoTime.describe('When it was requested.'),
    endedAt: isoTime.nullable().describe('When it ended; `null` before.'),
  })
  .meta({ id: 'LastDeployment', description: 'The last started deployment.' });

const liveDeployment = z
  .object({
    id: z.string().describe('Identifier of the deployment.'),
    publishedAt: isoTime.describe('When it was built.'),
    pages: z.int().describe('Pages of the site.'),
    bytes: z.number().describe('Size of all its files, in bytes.'),
  })
  .meta({ id: 'LiveDeployment', description: 'The live deployment.' });

export const projectSchema = z
  .object({
    projectId: z.string().describe('Project id of the site. It never changes.'),
    slug: z.string().describe("The site's identifier, the `domain` of other operations."),
    name: z.string().describe('Name of the site.'),
    hostnames: z.array(hostnameSchema).describe('Additional hostnames of the site. Those that are `verified` serve it.'),
    url: z.string().describe('URL of the site.'),
    state: z
      .enum(['empty', 'live', 'publishing', 'failing'])
      .describe(
        '`empty`: nothing is published yet. `publishing`: a deployment is queued or running. `failing`: the last deployment failed; the previous one is still live.',
      ),
    live: liveDeployment.nullable().describe('The live deployment; `null` until the first source is published.'),
    lastDeployment: lastDeployment.nullable().describe('The last deployment, regardless of its status.'),
    settings: siteSettings.describe('Settings of the site as a whole.'),
    published: z.boolean().describe('Whether readers can see the site: `false` until the first source is published.'),
    createdAt: isoTime.describe('When the site was created.'),
    updatedAt: isoTime.describe('When the site last changed.'),
  })
  .meta({
    id: 'Project',
    description: 'A site.',
    examples: [
      {
        projectId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
        slug: 'acme',
        name: 'Acme',
        hostnames: [
          {
            hostname: 'docs.acme.example',
            status: 'verified' as const,
            approved: false,
            records: [{ type: 'CNAME' as const, name: 'docs.acme.example', value: 'acme.docs.example.net' }],
            found: [{ type: 'CNAME' as const, name: 'docs.acme.example', value: 'acme.docs.example.net' }],
            problem: null,
            checkedAt: '2026-11-21T09:00:00.000Z',
            nextCheckAt: '2026-11-22T09:00:00.000Z',
          },
        ],
        url: 'https://docs.acme.example',
        state: 'live' as const,
        live: { id: '01K9Z52N4T8W6X3C1V7B9M0QRS', publishedAt: '2026-11-21T09:00:00.000Z', pages: 240, bytes: 18_350_112 },
        lastDeployment: {
          id: '01K9Z52N4T8W6X3C1V7B9M0QRS',
          status: 'success' as const,
          endReason: null,
          summary: '240 pages, 1 warning',
          createdAt: '2026-11-21T08:59:54.000Z',
          endedAt: '2026-11-21T09:00:00.000Z',
        },
        settings: { noindex: false },
        published: true,
        createdAt: '2026-11-20T16:20:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

export function projectView(site: SiteDetails, platform: PlatformAddress): z.infer<typeof projectSchema> {
  return {
    projectId: site.id,
    slug: site.slug,
    name: site.name,
    hostnames: site.claims.map((claim) => hostnameView({ site, claim }, platform)),
    url: publicUrlOf(site, platform),
    state: stateOf(site),
    live: site.state.live,
    lastDeployment: site.state.last,
    settings: site.settings,
    published: site.liveDeploymentId !== null,
    createdAt: site.createdAt,
    updatedAt: site.updatedAt,
  };
}

function stateOf({ liveDeploymentId, state: { last } }: SiteDetails): z.infer<typeof projectSchema>['state'] {
  if (last?.status === 'queued' || last?.status === 'in_progress') return 'publishing';
  if (last?.status === 'failure' && last.endReason === null) return 'failing';
  return liveDeploymentId === null ? 'empty' : 'live';
}
