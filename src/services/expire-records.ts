import { defaultAnalyticsSettings } from '../core/analytics/analytics-settings.ts';
import { defaultAssistantSettings } from '../core/assistant/assistant-settings.ts';
import { errorMessage } from '../core/error-message.ts';
import { deleteAuditRows } from '../db/audit-log.ts';
import { deleteExpiredPreviews } from '../db/deployments/previews.ts';
import { deleteExpiredAccountRecords } from '../db/expired-accounts.ts';
import { deleteExpiredFeedback } from '../db/feedback.ts';
import { deleteExpiredThreads } from '../db/threads.ts';
import type { Deps } from './deps.ts';

const EVERY_MS = 60 * 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes every hour the threads and feedback that their site keeps no longer, previews, sessions and invitations that have expired, and what is too
 * old in the audit log. Any number of processes may do it at once.
 */
export function expireRecords({
  config,
  database,
  clock,
  logger,
  liveSites,
}: Pick<Deps, 'config' | 'database' | 'clock' | 'logger' | 'liveSites'>): {
  stop(): void;
} {
  const { queries } = database;
  const expire = async () => {
    try {
      const now = clock.now();
      const threads = await deleteExpiredThreads(queries, now, defaultAssistantSettings.retentionDays);
      if (threads > 0) logger.info({ count: threads }, 'threads were deleted that their sites keep no longer');
      const previews = await deleteExpiredPreviews(queries, now);
      for (const siteId of previews) liveSites.forget(siteId);
      if (previews.length > 0) logger.info({ count: previews.length }, 'previews were deleted that had expired');
      await deleteExpiredFeedback(queries, now, defaultAnalyticsSettings.feedbackDays);
      await deleteExpiredAccountRecords(queries, now);
      const entries = await deleteAuditRows(queries, new Date(now.getTime() - config.auditLogDays * DAY_MS));
      if (entries > 0) logger.info({ count: entries }, 'old entries of the audit log were deleted');
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'expired records were not deleted');
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
