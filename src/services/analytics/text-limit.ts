import { hash } from 'node:crypto';
import type { AnalyticsEvent } from '../../core/analytics/analytics-event.ts';
import { isoDayOf } from '../../core/analytics/days.ts';

/** Different texts per site and day; each becomes a few figures, which are stored for years. Real sites stay far below it. */
const MAX_TEXTS = 50_000;

/**
 * Limits how many different texts senders can add to the figures of a site and day: searches, missing URLs, links, details of
 * actions, referrers and campaigns, each by page. Per process.
 */
export interface TextLimit {
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
