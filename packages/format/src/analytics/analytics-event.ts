import type { ClientClass } from './classify-client.ts';

/**
 * The kind of an event. `view`: a page was shown; `fetch`: a machine fetched something other than a
 * page; the others are as pages send them (`reader-events.ts`).
 */
export type EventKind = 'view' | 'fetch' | 'time' | 'missing' | 'search' | 'outbound' | 'action';

/** An event as stored. It does not identify the reader beyond the day. Absent text is empty. */
export interface AnalyticsEvent {
  siteId: string;
  at: Date;
  kind: EventKind;
  class: ClientClass;
  /** The name of the known client. */
  agent: string;
  /** A signed 64-bit number, decimal: the keyed hash of the day, the site and the client. */
  visitor: string;
  path: string;
  version: string;
  language: string;
  /**
   * Of a view: what was fetched (`page`, `markdown` …). Of other kinds: the query, the address or
   * the action.
   */
  name: string;
  /** Of a search: path of the opened page. Of an action: its subject. */
  target: string;
  /** Host of the referring page; empty: none; `internal`: this site. */
  source: string;
  /** JSON of the campaign's source, medium, name and `ref`; empty without one. */
  campaign: string;
  device: string;
  browser: string;
  /** JSON of the groups of a reader who signed in, by which pages are restricted; empty without any. */
  groups: string;
  /** Of a search: number of results. Of `time`: milliseconds. */
  amount: number;
  /** Of a search: position of the opened result, from 1; 0 without one. */
  position: number;
}

/** Returns the groups of the reader who caused an event, as `AnalyticsEvent.groups` has them. */
export function groupsOf({ groups }: Partial<Pick<AnalyticsEvent, 'groups'>>): readonly string[] {
  return groups ? (JSON.parse(groups) as string[]) : [];
}

/**
 * Returns the host of a source as listed: without `www.`, `internal` for a host of the site itself.
 */
export function sourceOf(host: string | undefined, ownHosts: readonly string[]): string {
  const lower = (host ?? '').toLowerCase();
  if (ownHosts.includes(lower)) return 'internal';
  return lower.replace(/^www\./, '');
}

/**
 * Returns an address without its query and fragment, for outbound links; empty if it is not a web
 * address.
 */
export function outboundAddress(address: string): string {
  return (
    /^https?:\/\/([^/?#@\s]+(?:\/[^?#\s]*)?)/i
      .exec(address)?.[1]
      ?.replace(/\/$/, '')
      .slice(0, 300) ?? ''
  );
}
