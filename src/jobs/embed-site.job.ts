import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ deploymentId: z.string() });

/** Computes the vectors of a published site; `deploymentId` is the id of the row in `deployments`. */
export const embedSiteJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'embed-site',
  parse: (value) => payload.parse(value),
  retryLimit: 5,
  retryDelaySeconds: 60,
  heartbeatSeconds: 30,
};
