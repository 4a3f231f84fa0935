import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ streamId: z.string() });

/** Delivers the pending events of an analytics stream; the row in `analytics_streams` has the position and the next due time. */
export const deliverStreamJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'deliver-stream',
  parse: (value) => payload.parse(value),
  retryLimit: 3,
  retryDelaySeconds: 10,
  heartbeatSeconds: 30,
};
