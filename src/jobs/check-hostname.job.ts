import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ hostname: z.string(), siteId: z.string() });

/** Asks DNS whether a site has proven a hostname; the row in `hostname_claims` says what is known and when it is due again. */
export const checkHostnameJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'check-hostname',
  parse: (value) => payload.parse(value),
  retryLimit: 3,
  retryDelaySeconds: 30,
  heartbeatSeconds: 30,
};
