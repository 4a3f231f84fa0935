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
 * Every hour deletes threads and feedback past their site's retention, expired previews, sessions and invitations, and old audit
 * log rows. Any number of processes may do so at once.
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
      if (threads > 0) logger.info({ count: threads }, 'expired threads were deleted');
      const previews = await deleteExpiredPreviews(queries, now);
      for (const siteId of previews) liveSites.invalidate(siteId);
      if (previews.length > 0) logger.info({ count: previews.length }, 'expired previews were deleted');
      await deleteExpiredFeedback(queries, now, defaultAnalyticsSettings.feedbackDays);
      await deleteExpiredAccountRecords(queries, now);
      const entries = await deleteAuditRows(queries, new Date(now.getTime() - config.auditLogDays * DAY_MS));
      if (entries > 0) logger.info({ count: entries }, 'old entries of the audit log were deleted');
    } catch (error) {
      logger.warn({ reason: errorMessage(error) }, 'expired records could not be deleted');
    }
  };
  // Delayed, because the startup itself is busy.
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
