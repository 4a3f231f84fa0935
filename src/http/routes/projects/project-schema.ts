import { z } from 'zod';
import type { SiteWithClaims } from '../../../services/list-sites.ts';
import { type PlatformAddress, publicUrlOf } from '../../../services/site-address.ts';
import { hostnameSchema, hostnameView } from '../hostnames/hostname-schema.ts';

export const projectSchema = z
  .object({
    projectId: z.string().describe('Project id of the site. It never changes.'),
    slug: z.string().describe("The site's identifier, the `domain` of other operations."),
    name: z.string().describe('Name of the site.'),
    hostnames: z
      .array(hostnameSchema)
      .describe('Hostnames of the site besides its default one. Those that are `verified` lead to it.'),
    url: z.string().describe('Where readers find the site.'),
    published: z.boolean().describe('Whether readers can see the site: `false` until the first source is published.'),
    createdAt: z.iso.datetime().describe('When the site was created.'),
    updatedAt: z.iso.datetime().describe('When the site changed last.'),
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
        published: true,
        createdAt: '2026-11-20T16:20:00.000Z',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    ],
  });

export function projectView(site: SiteWithClaims, platform: PlatformAddress): z.infer<typeof projectSchema> {
  return {
    projectId: site.id,
    slug: site.slug,
    name: site.name,
    hostnames: site.claims.map((claim) => hostnameView({ site, claim }, platform)),
    url: publicUrlOf(site, platform),
    published: site.liveDeploymentId !== null,
    createdAt: site.createdAt.toISOString(),
    updatedAt: site.updatedAt.toISOString(),
  };
}
