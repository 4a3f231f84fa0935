import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { DAY_MS, isoDayOf, startOfDay } from '@docent/format/analytics/days.ts';
import type { PageFeedback } from '@docent/format/analytics/reader-events.ts';
import { createEventCollector } from '../analytics/analytics.ts';
import { siteEventsRoute, type TakeFeedback } from '../analytics/site-events.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { countSiteFetch } from '../kernel/http/count-fetch.ts';
import { createUlid } from '../kernel/ids.ts';
import type { EventCollector } from '../kernel/process-state.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { LiveSites } from '../ports/live-sites.ts';
import type { Logger } from '../ports/logger.ts';
import type { BundlePart } from './bundle-app.ts';
import { bundleSites } from './bundle-site.ts';
import type { BundleStore } from './bundle-store.ts';

const EXPIRE_EVERY_MS = 60 * 60 * 1000;

interface OpenAnalyticsOptions extends Pick<Deps, 'limiter' | 'logger' | 'clock'> {
  config: Pick<Config, 'trustedProxies'>;
  keepDays: number;
}

/**
 * Stores what pages of the bundle send, feedback included, and what machines fetch, as the platform
 * does, but in files.
 */
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
      logger.warn(
        { reason: String(error) },
        'Analytics: old files could not be deleted; the next attempt is in an hour.',
      );
    });
  await expire();
  const timer = setInterval(expire, EXPIRE_EVERY_MS);
  timer.unref();

  const takeFeedback: TakeFeedback = async (
    site,
    { id = createUlid(clock.now()), href: path, helpful = false, reason, comment },
  ) => {
    if (!site.build.pages.some(({ href }) => href === path)) return false;
    await files.keepFeedback({
      at: clock.now(),
      id,
      path,
      helpful,
      reason,
      comment: comment && storableText(comment),
    });
    return true;
  };
  let liveSites: LiveSites | undefined;

  return {
    analytics,
    service: 'analytics',
    addRoutes(app, served) {
      liveSites = bundleSites({ served, store, publicUrl: undefined });
      siteEventsRoute(app, { config, limiter, analytics, takeFeedback, liveSites });
      app.addHook('onClose', async () => {
        clearInterval(timer);
        await analytics.close();
      });
    },
    onAnswer(request, path, answer) {
      liveSites
        ?.find('')
        .then((site) => site && countSiteFetch({ analytics, config }, site, request, path, answer));
    },
  };
}

/** Maximum size of a day's file, so that nobody can fill the disk. */
const MAX_DAY_BYTES = 64 * 1024 * 1024;
const SALT_DAYS = 2;
const NAME = /^(events|feedback|salt)-(\d{4}-\d\d-\d\d)\.(?:ndjson|txt)$/;

/** A reader's feedback about a page. Later feedback under the same id replaces it. */
export interface KeptFeedback
  extends Pick<PageFeedback, 'id' | 'path' | 'helpful' | 'reason' | 'comment'> {
  at: Date;
}

/**
 * Stores events of a bundle in one file per UTC day, one JSON object per line; feedback in separate
 * files.
 * @throws the file system's error if the folder is not writable
 */
export async function openEventFiles(
  folder: string,
  {
    keepDays,
    logger,
    maxDayBytes = MAX_DAY_BYTES,
  }: { keepDays: number; logger: Logger; maxDayBytes?: number },
) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sizes = new Map<string, number>();
  const full = new Set<string>();

  async function appendDay(name: string, lines: readonly object[]): Promise<void> {
    const file = join(folder, name);
    const before = sizes.get(name) ?? (await stat(file).catch(() => undefined))?.size ?? 0;
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const bytes = Buffer.byteLength(text);
    if (before + bytes > maxDayBytes) {
      if (!full.has(name))
        logger.warn(
          { name, maxDayBytes },
          'Analytics: today’s file is full; further events are dropped.',
        );
      full.add(name);
      return;
    }
    // Before the file is written, so that concurrent writes count too.
    sizes.set(name, before + bytes);
    await appendFile(file, text, { mode: 0o600 });
  }

  return {
    async append(events: readonly AnalyticsEvent[]): Promise<void> {
      for (const [day, found] of Map.groupBy(events, ({ at }) => isoDayOf(at)))
        await appendDay(`events-${day}.ndjson`, found);
    },
    keepFeedback: (feedback: KeptFeedback) =>
      appendDay(`feedback-${isoDayOf(feedback.at)}.ndjson`, [feedback]),
    async saltOf(day: string): Promise<string> {
      const file = join(folder, `salt-${day}.txt`);
      const salt = randomBytes(32).toString('base64url');
      // Stored for the day, so that a restart does not count visitors twice.
      return writeFile(file, salt, { flag: 'wx', mode: 0o600 }).then(
        () => salt,
        () => readFile(file, 'utf8'),
      );
    },
    countOf: async () => 0,
    /** Deletes the files of days past their retention, and salts after 48 hours. */
    async expire(now: Date): Promise<void> {
      for (const name of await readdir(folder)) {
        const [, kind, day = ''] = NAME.exec(name) ?? [];
        const days = kind === 'salt' ? SALT_DAYS : keepDays;
        if (kind === undefined || now.getTime() - startOfDay(day).getTime() < days * DAY_MS)
          continue;
        await rm(join(folder, name), { force: true });
        sizes.delete(name);
        full.delete(name);
      }
    },
  };
}
