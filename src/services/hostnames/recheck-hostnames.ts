import { errorMessage } from '../../core/error-message.ts';
import { adoptHostnames, takeDueClaims } from '../../db/sites/hostname-claims.ts';
import { checkHostnameJob } from '../../jobs/check-hostname.job.ts';
import type { Deps } from '../deps.ts';

const EVERY_MS = 30_000;
const MAX_AT_A_TIME = 200;
/** A check whose job was lost is due again after this time. */
const AGAIN_MS = 15 * 60_000;

/** Adds the jobs of due checks: of hostnames without a proof yet, and daily of verified ones. */
export function recheckHostnames({ database, jobs, clock, logger }: Pick<Deps, 'database' | 'jobs' | 'clock' | 'logger'>): {
  stop(): void;
} {
  const addJobs = async () => {
    try {
      const now = clock.now();
      await adoptHostnames(database.queries, now);
      const again = new Date(now.getTime() + AGAIN_MS);
      for (const due of await takeDueClaims(database.queries, { now, again, limit: MAX_AT_A_TIME }))
        await jobs.enqueue(checkHostnameJob, due);
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'due checks of hostnames could not be started');
    }
  };
  const timer = setInterval(addJobs, EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
