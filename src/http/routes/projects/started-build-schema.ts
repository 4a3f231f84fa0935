import { z } from 'zod';

/** The response of operations that start a build. */
export const startedBuildSchema = z
  .object({
    statusId: z.string().describe('Identifier of the build, for requests of its status.'),
    previewUrl: z.string().optional().describe('URL of the preview once it is built, if the build is for one.'),
  })
  .meta({ id: 'StartedBuild', description: 'A started build.', examples: [{ statusId: '01K9Z52N4T8W6X3C1V7B9M0QRS' }] });
