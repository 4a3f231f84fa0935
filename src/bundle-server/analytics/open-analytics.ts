import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { DocentError } from '../../core/errors.ts';
import { callerOf, fetchOfFile, isByScript } from '../../http/count-fetch.ts';
import { countAddress } from '../../http/rate-limits.ts';
import { wantsMarkdown } from '../../http/routes/site/content-rules.ts';
import { eventsRoute } from '../../http/routes/site/site-events.ts';
import { FEEDBACK_PER_IP, readEvents } from '../../http/routes/site/take-events.ts';
import { createSmallApp } from '../../http/small-app.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RateLimiter } from '../../ports/rate-limiter.ts';
import { createEventCollector, type Fetch } from '../../services/analytics/analytics.ts';
import type { LiveSite } from '../../services/sites/live-sites.ts';
import { storableText } from '../../services/storable-text.ts';
import { bundleSite } from '../bundle-site.ts';
import type { BundleStore } from '../bundle-store.ts';
import type { BundlePart } from '../start-bundle-server.ts';
import { openEventFiles } from './event-files.ts';

const EVENTS_PATH = '/_docent/events';
const EXPIRE_EVERY_MS = 60 * 60 * 1000;

export interface OpenAnalyticsOptions {
  config: Pick<Config, 'trustedProxies'>;
  keepDays: number;
  limiter: RateLimiter;
  logger: Logger;
  clock: Clock;
}

/** Keeps what pages of the bundle send, feedback included, and what machines fetch, as the platform does, in files of its own. */
export async function openBundleAnalytics(
  store: BundleStore,
  { config, keepDays, limiter, logger, clock }: OpenAnalyticsOptions,
): Promise<BundlePart> {
  let site: LiveSite | undefined;
  let pages = new Set<string>();
  const files = await openEventFiles(join(store.folder, 'analytics'), { keepDays, logger });
  const analytics = createEventCollector({
    store: files,
    storedSettings: async () => ({}),
    // What a day may take is decided by the size of its file.
    config: { analytics: { enabled: true, eventsPerDay: Number.POSITIVE_INFINITY } },
    secret: randomBytes(32).toString('base64url'),
    clock,
    logger,
  });
  const deps = { config, limiter };
  const app = createSmallApp({ logger });
  eventsRoute(app, EVENTS_PATH, async (request) => {
    if (!site) throw new DocentError('site_not_found', 'There is no content yet.');
    const batch = readEvents(request);
    for (const { event } of batch.events) {
      if (event.t !== 'feedback') continue;
      await countAddress(deps, request, FEEDBACK_PER_IP);
      const { id, path, helpful, reason, comment } = event;
      if (!pages.has(path)) throw new DocentError('page_not_found', `The bundle has no page at ${path}.`);
      await files.keepFeedback({ at: clock.now(), id, path, helpful, reason, comment: comment && storableText(comment) });
    }
    await analytics.takeBatch(site, batch, callerOf(deps, request));
  });
  await app.ready();
  const expire = () =>
    files.expire(clock.now()).catch((error: unknown) => {
      logger.warn({ reason: String(error) }, 'Analytics: old files were not deleted; the next try is in an hour.');
    });
  await expire();
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  timer.unref();

  function fetchOf({ headers }: IncomingMessage, path: string): Fetch | undefined {
    const href = path.replace(/\.(?:md|html)$/, '').replace(/^\/index$/, '/');
    if (!pages.has(href)) return fetchOfFile(path);
    return { surface: path.endsWith('.md') || wantsMarkdown(headers.accept) ? 'markdown' : 'page', href };
  }

  return {
    handle(request, response, path) {
      if (path === EVENTS_PATH) {
        request.url = path;
        app.routing(request, response);
        return true;
      }
      const fetched = request.method === 'GET' && site ? fetchOf(request, path) : undefined;
      if (site && fetched && (fetched.surface === 'page' || !isByScript(request)))
        analytics.countFetch(site, fetched, callerOf(deps, { headers: request.headers, raw: request }));
      return false;
    },
    use(bundle) {
      site = bundleSite(bundle, store, undefined);
      pages = new Set(bundle.manifest.pages.map(({ href }) => href));
    },
    async close() {
      clearInterval(timer);
      await app.close();
      await analytics.close();
    },
  };
}
