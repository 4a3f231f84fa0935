import { z } from 'zod';
import type { SiteRow } from '../../../db/sites.ts';
import { publicUrlOf } from '../../../services/site-address.ts';

export const projectSchema = z
  .object({
    projectId: z.string(),
    slug: z.string().describe("The site's identifier, the `domain` of other operations."),
    name: z.string(),
    hostnames: z.array(z.string()),
    url: z.string().describe('Where readers find the site.'),
    published: z.boolean().describe('Whether there is a live build.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Project' });

export function projectView(site: SiteRow, platformUrl: string): z.infer<typeof projectSchema> {
  return {
    projectId: site.id,
    slug: site.slug,
    name: site.name,
    hostnames: site.hostnames,
    url: publicUrlOf(site, platformUrl),
    published: site.liveDeploymentId !== null,
    createdAt: site.createdAt.toISOString(),
    updatedAt: site.updatedAt.toISOString(),
  };
}
