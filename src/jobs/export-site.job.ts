import { z } from 'zod';
import type { JobDefinition } from '../ports/job-queue.ts';

const payload = z.object({ jobId: z.string() });

/** Packs a published site into a bundle; `jobId` is the id of the row in `export_jobs`. */
export const exportSiteJob: JobDefinition<z.infer<typeof payload>> = {
  name: 'export-site',
  parse: (value) => payload.parse(value),
  // Most retries are for killed workers; attempts that end with an error are counted by the job itself.
  retryLimit: 20,
  retryDelaySeconds: 5,
  maxRetryDelaySeconds: 60,
  heartbeatSeconds: 30,
};
