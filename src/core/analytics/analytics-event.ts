import type { ClientClass } from './known-agents.ts';

/**
 * What an event is about. `view`: a page was shown; `fetch`: a machine fetched something that is no page; the others are as
 * pages send them (`reader-events.ts`).
 */
export type EventKind = 'view' | 'fetch' | 'time' | 'missing' | 'search' | 'outbound' | 'action';

/** An event as it is stored. Nothing in it says who the reader is beyond the day. Absent text is empty. */
export interface AnalyticsEvent {
  siteId: string;
  at: Date;
  kind: EventKind;
  class: ClientClass;
  /** The known machine. */
  agent: string;
  /** A signed 64-bit number, decimal: the keyed hash of the day, the site and the client. */
  visitor: string;
  /** Path of the page. */
  path: string;
  version: string;
  language: string;
  /** Of a view: what was fetched (`page`, `markdown` …). Of other kinds: the query, the address, the action. */
  name: string;
  /** Of a search: path of the page that was opened. Of an action: what it was about. */
  target: string;
  /** Host of the page that the reader came from; empty: none; `internal`: this site. */
  source: string;
  /** JSON of the campaign's source, medium, name and `ref`; empty without one. */
  campaign: string;
  device: string;
  browser: string;
  /** Of a search: number of results. Of `time`: milliseconds. */
  amount: number;
  /** Of a search: place of the result that was opened, from 1; 0 without one. */
  position: number;
}

/** The host of a source as it is listed: without `www.`, `internal` for one of the site's own. */
export function sourceOf(host: string | undefined, ownHosts: readonly string[]): string {
  const lower = (host ?? '').toLowerCase();
  if (ownHosts.includes(lower)) return 'internal';
  return lower.replace(/^www\./, '');
}

/** An address without its query and fragment, for outbound links; empty where it is none of the web. */
export function outboundAddress(address: string): string {
  return /^https?:\/\/([^/?#@\s]+(?:\/[^?#\s]*)?)/i.exec(address)?.[1]?.replace(/\/$/, '').slice(0, 300) ?? '';
}
