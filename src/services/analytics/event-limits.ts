import { hash } from 'node:crypto';
import type { AnalyticsEvent } from '../../core/analytics/analytics-event.ts';
import { isoDayOf } from '../../core/analytics/days.ts';

const MINUTE_MS = 60_000;
/** Per visitor and minute: far more than a person causes. */
const PER_VISITOR = 200;
/** Per address and minute, whatever its user agents: an office behind one address stays below it. */
const PER_ADDRESS = 3000;
/** Maximum entries per minute; beyond it, new visitors are not counted. */
const MAX_VISITORS = 100_000;
const RELOAD_MS = 5000;

interface SeenVisitor {
  events: number;
  path: string;
  viewedAt: number;
}

/** Keeps one client from being counted without limit, and a reload from counting twice. Per process. */
interface FloodGuard {
  allows(visitor: string, address: string): boolean;
  /**
   * Records a view; returns false if it only repeats the last one. @param startedAt when its document started loading; undefined:
   * no reload
   */
  isNewView(visitor: string, view: { path: string; at: number; startedAt: number | undefined }): boolean;
}

export function createFloodGuard(now: () => number): FloodGuard {
  let minute = 0;
  let seen = new Map<string, SeenVisitor>();
  let before = new Map<string, SeenVisitor>();
  let addresses = new Map<string, number>();

  function turn(): void {
    const current = Math.floor(now() / MINUTE_MS);
    if (current === minute) return;
    before = current === minute + 1 ? seen : new Map();
    seen = new Map();
    addresses = new Map();
    minute = current;
  }

  return {
    allows(visitor, address) {
      turn();
      const ofAddress = (addresses.get(address) ?? 0) + 1;
      const known = seen.get(visitor);
      if (ofAddress > PER_ADDRESS || (known?.events ?? 0) >= PER_VISITOR || (!known && seen.size >= MAX_VISITORS)) return false;
      addresses.set(address, ofAddress);
      if (known) known.events += 1;
      else seen.set(visitor, { path: '', viewedAt: 0, ...before.get(visitor), events: 1 });
      return true;
    },
    isNewView(visitor, { path, at, startedAt }) {
      const known = seen.get(visitor);
      const repeats = startedAt !== undefined && known?.path === path && startedAt - known.viewedAt <= RELOAD_MS;
      if (known) Object.assign(known, { path, viewedAt: at });
      return !repeats;
    },
  };
}

/** Different texts per site and day; each becomes a few figures, which are stored for years. Real sites stay far below it. */
const MAX_TEXTS = 50_000;

/**
 * Limits how many different texts senders can add to the figures of a site and day: searches, missing URLs, links, details of
 * actions, referrers and campaigns, each by page. Per process.
 */
interface TextLimit {
  /** Returns the event, a view beyond the limit without its source and campaign; undefined for another event beyond the limit. */
  limit(event: AnalyticsEvent): AnalyticsEvent | undefined;
}

export function createTextLimit(maxTexts = MAX_TEXTS): TextLimit {
  const seen = new Map<string, Set<string>>();
  let newest = '';

  function allows({ siteId, kind, path, name, target, source, campaign }: AnalyticsEvent, day: string): boolean {
    if (day > newest) {
      // Events of the previous day may still arrive.
      for (const key of seen.keys()) if (!key.startsWith(newest)) seen.delete(key);
      newest = day;
    }
    const key = `${day} ${siteId}`;
    const texts = seen.get(key) ?? new Set();
    seen.set(key, texts);
    const text = hash('sha256', JSON.stringify([kind, path, name, target, source, campaign]), 'base64').slice(0, 12);
    if (texts.size >= maxTexts) return texts.has(text);
    texts.add(text);
    return true;
  }

  return {
    limit(event) {
      if (event.kind === 'time' || allows(event, isoDayOf(event.at))) return event;
      return event.kind === 'view' ? { ...event, source: '', campaign: '' } : undefined;
    },
  };
}
