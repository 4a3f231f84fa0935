import { defaultAnalyticsSettings } from '../core/analytics/analytics-settings.ts';
import { defaultAssistantSettings } from '../core/assistant/assistant-settings.ts';
import { deleteAuditRows } from '../db/audit-log.ts';
import { deleteExpiredPreviews } from '../db/deployments/previews.ts';
import { deleteExpiredFeedback } from '../db/feedback.ts';
import { deleteExpiredAccountRecords } from '../db/members.ts';
import { deleteExpiredThreads } from '../db/threads.ts';
import type { Deps } from './deps.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes threads and feedback past their site's retention, expired previews, sessions and invitations, and old audit log rows.
 */
export async function expireRecords({
  config,
  database,
  clock,
  logger,
  liveSites,
}: Pick<Deps, 'config' | 'database' | 'clock' | 'logger' | 'liveSites'>): Promise<void> {
  const { queries } = database;
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
}
