import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ hostname: z.string(), siteId: z.string() });

/** Checks by DNS whether a site has proven a hostname; the row in `hostname_claims` has the result and the next due time. */
export const checkHostnameJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'check-hostname',
  parse: (value) => payload.parse(value),
  retryLimit: 3,
  retryDelaySeconds: 30,
  heartbeatSeconds: 30,
};
