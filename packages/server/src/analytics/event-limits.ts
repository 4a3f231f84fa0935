import { hash } from 'node:crypto';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { isoDayOf } from '@docent/format/analytics/days.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

const MINUTE_MS = 60_000;
/** Per visitor and minute: far more than a person causes. */
const PER_VISITOR = 200;
/**
 * Per address and minute, whatever its user agents: an office behind one address stays below it.
 */
const PER_ADDRESS = 3000;
/**
 * Maximum visitors of all sites per minute; beyond it, a site gets new ones only up to its share.
 */
const MAX_VISITORS = 100_000;
/** Maximum visitors of one site per minute, so that a flood on one hides nobody elsewhere. */
const MAX_VISITORS_OF_SITE = 20_000;
const MIN_SHARE = 100;
const RELOAD_MS = 5000;

interface SeenVisitor {
  events: number;
  path: string;
  viewedAt: number;
}

/**
 * Keeps one client from being counted without limit, and a reload from counting twice. Per process.
 */
export function createFloodGuard(now: () => number) {
  let minute = 0;
  let seen = new Map<string, SeenVisitor>();
  let before = new Map<string, SeenVisitor>();
  let addresses = new Map<string, number>();
  let visitorsOf = new Map<string, number>();

  function turn(): void {
    const current = Math.floor(now() / MINUTE_MS);
    if (current === minute) return;
    before = current === minute + 1 ? seen : new Map();
    seen = new Map();
    addresses = new Map();
    visitorsOf = new Map();
    minute = current;
  }

  function hasRoom(siteId: string): boolean {
    const ofSite = visitorsOf.get(siteId) ?? 0;
    if (seen.size < MAX_VISITORS) return ofSite < MAX_VISITORS_OF_SITE;
    return ofSite < Math.max(MIN_SHARE, Math.floor(MAX_VISITORS / (visitorsOf.size + 1)));
  }

  return {
    /** Returns whether an event of a site's visitor is counted, and counts it. */
    allows(siteId: string, visitor: string, address: string): boolean {
      turn();
      const ofAddress = (addresses.get(address) ?? 0) + 1;
      const visitorRecord = seen.get(visitor);
      if (
        ofAddress > PER_ADDRESS ||
        (visitorRecord?.events ?? 0) >= PER_VISITOR ||
        (!visitorRecord && !hasRoom(siteId))
      )
        return false;
      addresses.set(address, ofAddress);
      if (visitorRecord) visitorRecord.events += 1;
      else {
        seen.set(visitor, { path: '', viewedAt: 0, ...before.get(visitor), events: 1 });
        visitorsOf.set(siteId, (visitorsOf.get(siteId) ?? 0) + 1);
      }
      return true;
    },
    /**
     * Records a view; returns false if it only repeats the last one.
     * @param view.startedAt when its document started loading; undefined: no reload
     */
    isNewView(
      visitor: string,
      { path, at, startedAt }: { path: string; at: number; startedAt: number | undefined },
    ): boolean {
      const visitorRecord = seen.get(visitor);
      const repeats =
        startedAt !== undefined &&
        visitorRecord?.path === path &&
        startedAt - visitorRecord.viewedAt <= RELOAD_MS;
      if (visitorRecord) Object.assign(visitorRecord, { path, viewedAt: at });
      return !repeats;
    },
  };
}

/**
 * Keeps a value for each site and day. Events of the previous day may still arrive; older days are
 * forgotten.
 */
function valuesByDay<Value>() {
  const values = new Map<string, Value>();
  let newest = '';
  return (siteId: string, day: string, create: () => Value): Value => {
    if (day > newest) {
      for (const key of values.keys()) if (!key.startsWith(newest)) values.delete(key);
      newest = day;
    }
    const key = `${day} ${siteId}`;
    const value = values.get(key) ?? create();
    values.set(key, value);
    return value;
  };
}

/**
 * Different texts per site and day; each becomes a few figures, which are stored for years. Real
 * sites stay far below it.
 */
const MAX_TEXTS = 50_000;

/**
 * Limits how many different texts senders can add to the figures of a site and day: searches,
 * missing URLs, links, details of actions, referrers and campaigns, each by page. Per process.
 * @returns a function that returns the event, a view beyond the limit without its source and
 *   campaign; undefined for another event beyond the limit
 */
export function createTextLimit(maxTexts = MAX_TEXTS) {
  const textsOf = valuesByDay<Set<string>>();

  function allows({
    siteId,
    at,
    kind,
    path,
    name,
    target,
    source,
    campaign,
  }: AnalyticsEvent): boolean {
    const texts = textsOf(siteId, isoDayOf(at), () => new Set());
    const text = hash(
      'sha256',
      JSON.stringify([kind, path, name, target, source, campaign]),
      'base64',
    ).slice(0, 12);
    if (texts.size >= maxTexts) return texts.has(text);
    texts.add(text);
    return true;
  }

  return (event: AnalyticsEvent): AnalyticsEvent | undefined => {
    if (event.kind === 'time' || allows(event)) return event;
    return event.kind === 'view' ? { ...event, source: '', campaign: '' } : undefined;
  };
}

/**
 * Limits the stored events per site and day, so that nobody can fill the disk. Counts in this
 * process, starting from the stored count when the first event of a day arrives.
 */
export function createDailyQuota(store: Pick<AnalyticsStore, 'countOf'>, maxPerDay: number) {
  const counterOf = valuesByDay<{ count: number }>();
  return (siteId: string, at: Date): boolean => {
    const day = isoDayOf(at);
    const counter = counterOf(siteId, day, () => {
      const created = { count: 0 };
      store.countOf(siteId, day).then(
        (stored) => {
          created.count += stored;
        },
        () => {},
      );
      return created;
    });
    if (counter.count >= maxPerDay) return false;
    counter.count += 1;
    return true;
  };
}
