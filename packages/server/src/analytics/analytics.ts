import { createHmac } from 'node:crypto';
import { comparableGroup } from '@docent/format/access/audience.ts';
import {
  type AnalyticsEvent,
  outboundAddress,
  sourceOf,
} from '@docent/format/analytics/analytics-event.ts';
import {
  type AnalyticsSettings,
  defaultAnalyticsSettings,
} from '@docent/format/analytics/analytics-settings.ts';
import {
  asReadingProgram,
  type Client,
  classifyClient,
} from '@docent/format/analytics/classify-client.ts';
import { DAY_MS, isoDayOf, startOfDay } from '@docent/format/analytics/days.ts';
import {
  MAX_TIME_MS,
  type PageFeedback,
  type ReaderEvent,
} from '@docent/format/analytics/reader-events.ts';
import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { errorMessage } from '@docent/format/error-message.ts';
import { addFigure } from '@docent/format/figures.ts';
import { oncePerObject } from '@docent/format/once.ts';
import type { Config } from '../kernel/config/config.ts';
import { createFreshCache } from '../kernel/fresh-cache.ts';
import type { Analytics, Caller, EventCollector, Fetch } from '../kernel/process-state.ts';
import { pagesByHref } from '../kernel/sites/site-pages.ts';
import { findSiteSettings } from '../kernel/sites/site-queries.ts';
import { storableText } from '../kernel/storable-text.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import type { Logger } from '../ports/logger.ts';
import { createDailyQuota, createFloodGuard, createTextLimit } from './event-limits.ts';

interface CollectorDeps {
  clock: Clock;
  logger: Logger;
  secret: string;
  config: Pick<Config, 'analytics'>;
  store: Pick<AnalyticsStore, 'append' | 'saltOf' | 'countOf'>;
  /** Returns the owners' settings of a site; omitted ones have their default. */
  storedSettings: (siteId: string) => Promise<Partial<AnalyticsSettings>>;
}

/** Creates what counts events on the sites of a platform. */
export function createAnalytics(
  deps: Omit<CollectorDeps, 'storedSettings'> & { database: Database; store: AnalyticsStore },
): Analytics {
  const storedSettings = (siteId: string) =>
    findSiteSettings(deps.database.queries, siteId, 'analytics_settings');
  return { store: deps.store, ...createEventCollector({ ...deps, storedSettings }) };
}

const MAX_SETTINGS_BYTES = 2 * 1024 * 1024;

/** Creates what receives events, and stores them from time to time. */
export function createEventCollector({
  store,
  storedSettings,
  clock,
  config,
  logger,
  secret,
}: CollectorDeps): EventCollector {
  const times = { freshMs: 1000, usableMs: 5000, staleAfterMs: 1000 };
  const settingsCache = createFreshCache<AnalyticsSettings>({
    name: 'analytics_settings',
    clock,
    ...times,
    maxBytes: MAX_SETTINGS_BYTES,
  });
  const buffer = createEventBuffer({ store, logger });
  const guard = createFloodGuard(() => clock.now().getTime());
  const isInQuota = createDailyQuota(store, config.analytics.eventsPerDay);
  const limitTexts = createTextLimit();
  const visitorOf = createVisitorHash(store);
  const fetches = new Set<Promise<void>>();

  const settings = {
    async of(siteId: string): Promise<AnalyticsSettings> {
      const stored = await settingsCache.get(siteId, async () => {
        return { ...defaultAnalyticsSettings, ...(await storedSettings(siteId)) };
      });
      return stored ?? defaultAnalyticsSettings;
    },
    async isOn(siteId: string): Promise<boolean> {
      if (!config.analytics.enabled) return false;
      const siteSettings = await settings.of(siteId).catch(() => undefined);
      return siteSettings?.enabled ?? false;
    },
    invalidate: (siteId: string): void => settingsCache.invalidate(siteId),
  };

  function wordsOf(query: string, { searchQueries }: AnalyticsSettings): string {
    if (searchQueries === 'text') return query;
    if (searchQueries === 'drop') return '';
    return `#${createHmac('sha256', secret).update(query.toLowerCase()).digest('base64url').slice(0, 16)}`;
  }

  async function countFetch(
    site: LiveSite,
    { surface, href }: Fetch,
    caller: Caller,
  ): Promise<void> {
    const detectedClient = classifyClient(caller.userAgent);
    const client = surface === 'page' ? detectedClient : asReadingProgram(detectedClient);
    if (site.preview || !(await settings.isOn(site.siteId))) return;
    const at = clock.now();
    const page = href === undefined ? undefined : pagesByHref(site.build).get(href);
    const visitor = await visitorOf(site.siteId, caller, at);
    if (!guard.allows(site.siteId, visitor, caller.address) || !isInQuota(site.siteId, at)) return;
    buffer.add({
      ...blank(site.siteId, at, client, page),
      kind: page ? 'view' : 'fetch',
      visitor,
      name: surface,
    });
  }

  return {
    settings,
    async takeBatch(site, batch, caller) {
      const client = classifyClient(caller.userAgent);
      // Machines are counted on fetching, whether or not they run scripts.
      if (client.class !== 'human' || caller.wantsNone || !(await settings.isOn(site.siteId)))
        return;
      const chosen = await settings.of(site.siteId);
      const now = clock.now().getTime();
      const groups = groupsText(site, caller.groups);
      for (const { event, ageMs } of batch) {
        const page = pagesByHref(site.build).get(event.path);
        // Only an address without a page can be missing; every other event is about a page.
        if (event.t === 'feedback' || (page !== undefined) === (event.t === 'missing')) continue;
        const at = new Date(now - ageMs);
        const visitor = await visitorOf(site.siteId, caller, at);
        const stored = {
          ...blank(site.siteId, at, client, page),
          visitor,
          groups,
          ...factsOf(event, site, chosen),
        };
        const startedAt = event.t === 'page' && event.reload ? at.getTime() - event.at : undefined;
        if (!guard.allows(site.siteId, visitor, caller.address)) continue;
        if (
          event.t === 'page' &&
          !guard.isNewView(visitor, { path: event.path, at: at.getTime(), startedAt })
        )
          continue;
        const limited = limitTexts(stored);
        if (limited && isInQuota(site.siteId, at)) buffer.add(limited);
      }
    },
    countFetch(site, fetch, caller) {
      const counting = countFetch(site, fetch, caller)
        .catch((error: unknown) =>
          logger.debug({ reason: String(error) }, 'a request could not be counted'),
        )
        .finally(() => fetches.delete(counting));
      fetches.add(counting);
    },
    async flush() {
      await Promise.all(fetches);
      await buffer.flush();
    },
    async close() {
      await Promise.all(fetches);
      await buffer.close();
    },
  };

  /** Fields of an event besides its page. */
  function factsOf(
    event: Exclude<ReaderEvent, PageFeedback>,
    site: LiveSite,
    chosen: AnalyticsSettings,
  ): Partial<AnalyticsEvent> & Pick<AnalyticsEvent, 'kind'> {
    const ownHosts = [...site.hostnames, hostOf(site.publicUrl)];
    switch (event.t) {
      case 'page': {
        const campaign = event.campaign?.some((word) => word !== '')
          ? storableText(JSON.stringify(event.campaign))
          : '';
        return { kind: 'view', name: 'page', source: sourceOf(event.from, ownHosts), campaign };
      }
      case 'time':
        return { kind: 'time', amount: Math.round(Math.min(event.ms, MAX_TIME_MS)) };
      case 'missing':
        return {
          kind: 'missing',
          name: storableText(event.path),
          source: sourceOf(event.from, ownHosts),
        };
      case 'search': {
        const target = pagesByHref(site.build).has(event.opened ?? '')
          ? (event.opened as string)
          : '';
        const name = wordsOf(storableText(event.query), chosen);
        return {
          kind: 'search',
          name,
          target,
          amount: event.results,
          position: target ? (event.position ?? 0) : 0,
        };
      }
      case 'outbound':
        return { kind: 'outbound', name: storableText(outboundAddress(event.to)) };
      default:
        return { kind: 'action', name: event.name, target: storableText(event.detail ?? '') };
    }
  }
}

const MAX_GROUPS = 20;

/** The groups by which pages are restricted, as pages of this site as its reader sees it name them. */
const groupsOnPages = oncePerObject(
  ({ pages }: LiveSite['build']) =>
    new Set(pages.flatMap(({ audience }) => audience?.groups?.map(comparableGroup) ?? [])),
);

/** Returns those of a reader's groups that pages name: other ones could name the reader. */
function groupsText({ build }: LiveSite, groups: readonly string[] = []): string {
  const names = new Set(groups.map(comparableGroup));
  const onPages = [...names].filter((name) => groupsOnPages(build).has(name)).sort();
  return onPages.length === 0 ? '' : JSON.stringify(onPages.slice(0, MAX_GROUPS));
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function blank(
  siteId: string,
  at: Date,
  { class: clientClass, agent, device, browser }: Client,
  page: BuiltPage | undefined,
): AnalyticsEvent {
  const { href: path = '', version = '', language = '' } = page ?? {};
  const texts = { name: '', target: '', source: '', campaign: '', groups: '' };
  const shared = {
    siteId,
    at,
    class: clientClass,
    agent,
    device,
    browser,
    path,
    version,
    language,
  };
  return { ...shared, ...texts, kind: 'view', visitor: '0', amount: 0, position: 0 };
}

const SALT_MS = 2 * DAY_MS;

/**
 * Identifies a reader for one day: once the day's salt is deleted, the number cannot be traced back
 * to address and user agent. Caches the salts of today and yesterday, each until 48 hours after its
 * day began, whether or not requests arrive.
 */
export function createVisitorHash(store: Pick<AnalyticsStore, 'saltOf'>) {
  const salts = new Map<string, Promise<string>>();
  return async (
    siteId: string,
    { address, userAgent }: Omit<Caller, 'wantsNone'>,
    at: Date,
  ): Promise<string> => {
    const day = isoDayOf(at);
    let salt = salts.get(day);
    if (!salt) {
      salt = store.saltOf(day);
      salts.set(day, salt);
      salt.catch(() => salts.delete(day));
      setTimeout(
        () => salts.delete(day),
        startOfDay(day).getTime() + SALT_MS - at.getTime(),
      ).unref();
    }
    const hash = createHmac('sha256', await salt)
      .update(JSON.stringify([siteId, address, userAgent]))
      .digest();
    return hash.readBigInt64BE(0).toString();
  };
}

/** A killed process loses at most this much. */
const MAX_WAIT_MS = 1000;
const BATCH = 500;
/** Limit while the store is unavailable; further events are dropped. */
const MAX_HELD = 20_000;

/** Buffers events briefly and stores them together, so that no request waits for the store. */
function createEventBuffer({
  store,
  logger,
}: {
  store: Pick<AnalyticsStore, 'append'>;
  logger: Logger;
}) {
  let pendingEvents: AnalyticsEvent[] = [];
  let dropped = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    while (pendingEvents.length > 0) {
      const batch = pendingEvents.slice(0, BATCH);
      await store.append(batch);
      pendingEvents = pendingEvents.slice(batch.length);
    }
    if (dropped > 0)
      logger.warn(
        { count: dropped },
        'Analytics events were dropped because the database is too slow or unavailable.',
      );
    dropped = 0;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  function flushSoon(): void {
    flush().catch((error: unknown) => {
      logger.warn(
        { reason: errorMessage(error) },
        'Analytics events are waiting for the database.',
      );
      schedule();
    });
  }

  function schedule(): void {
    timer ??= setTimeout(flushSoon, MAX_WAIT_MS).unref();
  }

  return {
    /** Never waits and never fails. */
    add(event: AnalyticsEvent): void {
      if (pendingEvents.length >= MAX_HELD) {
        dropped += 1;
        addFigure('events_dropped', 'full');
        return;
      }
      pendingEvents.push(event);
      if (pendingEvents.length === BATCH && running === undefined) flushSoon();
      else if (running === undefined || pendingEvents.length > BATCH) schedule();
    },
    /** Stores the buffered events. @throws any error of the store; the events are kept then */
    async flush(): Promise<void> {
      await running?.catch(() => {});
      await flush();
    },
    /** Stores as many buffered events as the store accepts, and ends. */
    async close(): Promise<void> {
      await running?.catch(() => {});
      await flush().catch((error: unknown) => {
        logger.warn(
          { count: pendingEvents.length, reason: String(error) },
          'Analytics events could not be stored.',
        );
      });
      clearTimeout(timer);
    },
  };
}
