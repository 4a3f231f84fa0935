import { defaultAssistantSettings } from '../core/assistant/assistant-settings.ts';
import { deleteExpiredThreads } from '../db/threads.ts';
import type { Deps } from './deps.ts';

const EVERY_MS = 60 * 60 * 1000;

/** Deletes, now and every hour, the threads that their site keeps no longer. Any number of processes may do it at once. */
export function expireThreads({ database, clock, logger }: Pick<Deps, 'database' | 'clock' | 'logger'>): { stop(): void } {
  const expire = async () => {
    try {
      const count = await deleteExpiredThreads(database.queries, clock.now(), defaultAssistantSettings.retentionDays);
      if (count > 0) logger.info({ count }, 'threads were deleted that their sites keep no longer');
    } catch (error) {
      logger.warn({ reason: error instanceof Error ? error.message : String(error) }, 'old threads were not deleted');
    }
  };
  // Not with the start itself, which has enough to do.
  const first = setTimeout(expire, 60_000);
  const timer = setInterval(expire, EVERY_MS);
  first.unref();
  timer.unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(timer);
    },
  };
}
