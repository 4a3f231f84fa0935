import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ streamId: z.string() });

/** Delivers what waits in a stream of analytics; the row in `analytics_streams` says what was delivered and when it is due again. */
export const deliverStreamJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'deliver-stream',
  parse: (value) => payload.parse(value),
  retryLimit: 3,
  retryDelaySeconds: 10,
  heartbeatSeconds: 30,
};
