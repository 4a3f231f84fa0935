import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { countSiteFetch } from '../../http/count-fetch.ts';
import type { TakeFeedback } from '../../http/routes/site/site-events.ts';
import { siteEventsRoute } from '../../http/routes/site/site-events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RateLimiter } from '../../ports/rate-limiter.ts';
import { createEventCollector, type EventCollector } from '../../services/analytics/analytics.ts';
import { createUlid } from '../../services/ids.ts';
import type { LiveSites } from '../../services/sites/live-sites.ts';
import { storableText } from '../../services/storable-text.ts';
import type { BundlePart } from '../bundle-app.ts';
import { bundleSites } from '../bundle-site.ts';
import type { BundleStore } from '../bundle-store.ts';
import { openEventFiles } from './event-files.ts';

const EXPIRE_EVERY_MS = 60 * 60 * 1000;

export interface OpenAnalyticsOptions {
  config: Pick<Config, 'trustedProxies'>;
  keepDays: number;
  limiter: RateLimiter;
  logger: Logger;
  clock: Clock;
}

/** Stores what pages of the bundle send, feedback included, and what machines fetch, as the platform does, but in files. */
export async function openBundleAnalytics(
  store: BundleStore,
  { config, keepDays, limiter, logger, clock }: OpenAnalyticsOptions,
): Promise<BundlePart & { analytics: EventCollector }> {
  const files = await openEventFiles(join(store.folder, 'analytics'), { keepDays, logger });
  const analytics = createEventCollector({
    store: files,
    storedSettings: async () => ({}),
    // The size of a day's file is the limit per day.
    config: { analytics: { enabled: true, eventsPerDay: Number.POSITIVE_INFINITY } },
    secret: randomBytes(32).toString('base64url'),
    clock,
    logger,
  });
  const expire = () =>
    files.expire(clock.now()).catch((error: unknown) => {
      logger.warn({ reason: String(error) }, 'Analytics: old files could not be deleted; the next attempt is in an hour.');
    });
  await expire();
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  timer.unref();

  const takeFeedback: TakeFeedback = async (
    site,
    { id = createUlid(clock.now()), href: path, helpful = false, reason, comment },
  ) => {
    if (!site.build.pages.some(({ href }) => href === path)) return false;
    await files.keepFeedback({ at: clock.now(), id, path, helpful, reason, comment: comment && storableText(comment) });
    return true;
  };
  let liveSites: LiveSites | undefined;

  return {
    analytics,
    addRoutes(app, served) {
      liveSites = bundleSites(served, store, undefined);
      siteEventsRoute(app, { config, limiter, analytics, takeFeedback, liveSites });
      app.addHook('onClose', async () => {
        clearInterval(timer);
        await analytics.close();
      });
    },
    onAnswer(request, path, answer) {
      liveSites?.find('').then((site) => site && countSiteFetch({ analytics, config }, site, request, path, answer));
    },
  };
}
