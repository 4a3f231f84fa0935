import { z } from 'zod';
import { readUsage } from '../../../services/access/quotas.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';

const answer = z
  .object({
    sites: z
      .object({ used: z.int().describe('Number of sites.'), limit: z.int().describe('Maximum number of sites.') })
      .describe('Sites of the organization.'),
    storedBytes: z
      .object({
        used: z.number().describe('Number of stored bytes: the sum of the three below.'),
        limit: z.number().describe('Maximum number of bytes.'),
        sources: z.number().describe('Uploaded archives. The newest one of each site is kept.'),
        builds: z.number().describe('Files of builds. Files that builds of one site share count once.'),
        bundles: z.number().describe('Bundles of exports.'),
        spare: z.number().describe('Part of `builds` that is deleted first: earlier builds, kept while there is space.'),
      })
      .describe('Storage of the organization.'),
  })
  .meta({
    id: 'Usage',
    description: 'Usage and limits of an organization.',
    examples: [
      {
        sites: { used: 3, limit: 1000 },
        storedBytes: {
          used: 104_857_600,
          limit: 107_374_182_400,
          sources: 20_971_520,
          builds: 62_914_560,
          bundles: 20_971_520,
          spare: 10_485_760,
        },
      },
    ],
  });

/** `GET /v1/organisation/usage` */
export function usageRoute(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  operation({
    route: 'GET /v1/organisation/usage',
    operationId: 'getUsage',
    summary: 'Get the usage of your organization',
    description: 'Returns how many sites your organization has and how much it stores, with the limits of both.',
    permission: 'projects.read',
    answer,
    run: async ({ actor }) => {
      const { sites, stored, quotas } = await readUsage(deps, actor);
      const used = stored.sources + stored.builds + stored.bundles;
      return {
        sites: { used: sites, limit: quotas.sites },
        storedBytes: { used, limit: quotas.storedBytes, ...stored },
      };
    },
  });
}
