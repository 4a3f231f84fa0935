import { defaultAssistantSettings } from '@docent/assistant/assistant-settings.ts';
import { defaultAnalyticsSettings } from '@docent/format/analytics/analytics-settings.ts';
import { DAY_MS } from '@docent/format/analytics/days.ts';
import { deleteExpiredFeedback } from '../analytics/feedback-queries.ts';
import { deleteOldModelUsage } from '../assistant/model-usage.ts';
import { deleteExpiredThreads } from '../assistant/thread-queries.ts';
import { deleteExpiredWaiting } from '../assistant/waiting/waiting-queries.ts';
import { deleteAuditRows } from '../audit/queries.ts';
import { cleanUpBundles, rescueExports } from '../exports/clean-up-exports.ts';
import { addDueChecks } from '../hostnames/check-hostname.ts';
import { deleteExpiredAccountRecords } from '../kernel/access/member-queries.ts';
import type { Deps } from '../kernel/deps.ts';
import type { BackgroundTask } from '../kernel/jobs/retry.ts';
import { publishSlots } from '../kernel/jobs/slots.ts';
import { announceExpiringKeys } from '../keys/announce-expiry.ts';
import { expirePreviews } from '../previews/manage-previews.ts';
import {
  cleanUpBuilds,
  cleanUpDeployments,
  cleanUpUploads,
} from '../publishing/clean-up-builds.ts';
import { addDueSyncs } from '../publishing/sync-git-source.ts';
import { deleteExpiredReaderSessions } from '../readers/sessions/session-rows.ts';
import { deleteExpiredProofs } from '../readers/sign-in/proof-rows.ts';
import { freeIdentifiers } from '../sites/reserved-identifiers.ts';
import { deleteOldDeliveries } from '../sources/delivery-queries.ts';
import { deleteClosedPullRequests } from '../sources/pull-request-queries.ts';
import { addDueDeliveries } from '../streams/deliver-stream.ts';
import { deleteOldAnnouncedLimits } from '../webhooks-out/emit/limit-reached.ts';
import { deleteOldWebhookDeliveries } from '../webhooks-out/emit/webhook-rows.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/**
 * How long a delivery of a webhook is remembered. One that is sent again later leads to a look at
 * the branch, no more.
 */
const DELIVERY_DAYS = 30;
export const HOUR_MS = 60 * MINUTE_MS;

/** Everything that workers repeat. Any number of processes may do so at once. */
export function backgroundTasks(deps: Deps): BackgroundTask[] {
  const { store } = deps.analytics;
  return [
    {
      run: () => expireRecords(deps),
      everyMs: HOUR_MS,
      firstMs: MINUTE_MS,
      failure: 'expired records could not be deleted',
    },
    {
      run: async () => {
        const count = await store.rollUp();
        if (count > 0) deps.logger.debug({ count }, 'Analytics: events were aggregated.');
      },
      everyMs: MINUTE_MS,
      firstMs: 45 * SECOND_MS,
      failure: 'Analytics: events could not be aggregated; the next attempt is in a minute.',
    },
    {
      run: () => store.expire(deps.clock.now(), defaultAnalyticsSettings),
      everyMs: HOUR_MS,
      firstMs: MINUTE_MS,
      failure: 'Analytics: events past their retention could not be deleted.',
    },
    {
      run: () => addDueChecks(deps),
      everyMs: 30 * SECOND_MS,
      failure: 'due checks of hostnames could not be started',
    },
    {
      run: () => freeIdentifiers(deps),
      everyMs: HOUR_MS,
      firstMs: MINUTE_MS,
      failure: 'reserved identifiers could not be freed',
    },
    {
      run: () => addDueDeliveries(deps),
      everyMs: 5 * SECOND_MS,
      failure:
        'Due deliveries of analytics streams could not be started; the next attempt is in seconds.',
    },
    {
      run: () => addDueSyncs(deps),
      everyMs: 5 * SECOND_MS,
      failure: 'Git sources could not be looked at; the next attempt is in seconds.',
    },
    {
      run: () => rescueExports(deps),
      everyMs: MINUTE_MS,
      failure: 'stalled exports could not be restarted',
    },
    {
      run: () => publishSlots.fillAll(deps),
      everyMs: MINUTE_MS,
      failure: 'queued deployments could not be scheduled',
    },
    {
      run: () => cleanUpBundles(deps),
      everyMs: HOUR_MS,
      firstMs: MINUTE_MS,
      failure: 'old exports could not be deleted',
    },
    {
      run: () => cleanUpBuilds(deps),
      everyMs: HOUR_MS,
      firstMs: 2 * MINUTE_MS,
      failure: 'old builds could not be deleted',
    },
    {
      run: () => cleanUpDeployments(deps),
      everyMs: HOUR_MS,
      firstMs: 3 * MINUTE_MS,
      failure: 'old deployments could not be deleted',
    },
    {
      run: () => cleanUpUploads(deps),
      everyMs: HOUR_MS,
      firstMs: 2 * MINUTE_MS,
      failure: 'old uploads could not be deleted',
    },
  ];
}

/** A year can be compared with the one before. */
const MODEL_USAGE_DAYS = 800;

/**
 * Deletes threads and feedback past their site's retention, expired previews, sessions and
 * invitations, and old audit log rows.
 */
async function expireRecords(
  deps: Pick<Deps, 'config' | 'database' | 'clock' | 'logger' | 'liveSites' | 'jobs'>,
): Promise<void> {
  const { config, database, clock, logger } = deps;
  const { queries } = database;
  const now = clock.now();
  const threads = await deleteExpiredThreads(queries, now, defaultAssistantSettings.retentionDays);
  if (threads > 0) logger.info({ count: threads }, 'expired threads were deleted');
  await deleteExpiredWaiting(queries, now);
  const previews = await expirePreviews(deps);
  if (previews > 0) logger.info({ count: previews }, 'expired previews were deleted');
  await announceExpiringKeys(deps);
  await deleteExpiredFeedback(queries, now, defaultAnalyticsSettings.feedbackDays);
  await deleteExpiredAccountRecords(queries, now);
  await deleteExpiredReaderSessions(queries, now);
  const deliveryEnd = new Date(now.getTime() - DELIVERY_DAYS * DAY_MS);
  await deleteOldDeliveries(queries, deliveryEnd);
  await deleteClosedPullRequests(queries, deliveryEnd);
  await deleteOldWebhookDeliveries(queries, deliveryEnd);
  await deleteOldAnnouncedLimits(queries, deliveryEnd);
  await deleteExpiredProofs(queries, now);
  await deleteOldModelUsage(queries, new Date(now.getTime() - MODEL_USAGE_DAYS * DAY_MS));
  const entries = await deleteAuditRows(
    queries,
    new Date(now.getTime() - config.auditLogDays * DAY_MS),
  );
  if (entries > 0) logger.info({ count: entries }, 'old entries of the audit log were deleted');
}
