import type { JobDefinition } from '../../packages/server/src/ports/job-queue.ts';

/** Returns a kind of job that two processes of a test share. */
export function killTestJob(name: string, retryLimit: number): JobDefinition<{ of: string }> {
  const parse = (payload: unknown) => payload as { of: string };
  // The long delay shows that an abandoned job does not wait for it.
  return { name, parse, retryLimit, retryDelaySeconds: 600, heartbeatSeconds: 60 };
}
