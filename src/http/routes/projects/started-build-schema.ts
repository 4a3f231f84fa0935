import { z } from 'zod';

/** The answer of operations that start a build. */
export const startedBuildSchema = z
  .object({
    statusId: z.string().describe('Identifier of the build, to ask for its status.'),
    previewUrl: z.string().optional().describe('Where the preview is once it is built, where the build is for one.'),
  })
  .meta({ id: 'StartedBuild', description: 'A build that was started.', examples: [{ statusId: '01K9Z52N4T8W6X3C1V7B9M0QRS' }] });
