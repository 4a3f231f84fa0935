import { z } from 'zod';

/** The `projectId` in a path. */
export const projectParams = z.object({
  projectId: z
    .string()
    .meta({ description: 'Project id of the site. Its identifier and its hostnames are accepted too.', examples: ['acme'] }),
});
