import type { JobDefinition } from '../../src/ports/job-queue.ts';

/** A kind of job that two processes of a test agree on. */
export function killTestJob(name: string, retryLimit: number): JobDefinition<{ of: string }> {
  const parse = (payload: unknown) => payload as { of: string };
  // A delay this long shows that a job that was left behind need not wait for it.
  return { name, parse, retryLimit, retryDelaySeconds: 600, heartbeatSeconds: 60 };
}
