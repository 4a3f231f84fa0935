import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ deploymentId: z.string() });

/** Builds an uploaded source and makes it live; `deploymentId` is the turn of a row in `deployments`. */
export const publishSiteJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'publish-site',
  parse: (value) => payload.parse(value),
  // Most retries are for killed workers; attempts that end with an error are counted by the deployment itself.
  retryLimit: 20,
  retryDelaySeconds: 5,
  maxRetryDelaySeconds: 60,
  heartbeatSeconds: 30,
};
