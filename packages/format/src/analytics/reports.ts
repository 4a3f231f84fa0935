import type { AnalyticsEvent } from './analytics-event.ts';
import type { Sums } from './count-figures.ts';

/**
 * What visitors of a day can be filtered by: each filter keeps those with an event by `of`, of one
 * of these kinds, that has the value in this field. Filters combine, and every report then counts
 * all that the visitors did who meet all of them.
 */
export const VISITOR_FILTERS = {
  referrer: { field: 'source', kinds: ['view'], of: 'readers' },
  campaign: { field: 'campaign', kinds: ['view'], of: 'readers' },
  device: { field: 'device', kinds: ['view'], of: 'readers' },
  browser: { field: 'browser', kinds: ['view'], of: 'readers' },
  class: { field: 'class', kinds: ['view', 'fetch'], of: 'machines' },
  agent: { field: 'agent', kinds: ['view', 'fetch'], of: 'machines' },
  missing: { field: 'name', kinds: ['missing'], of: 'all' },
  group: {
    field: 'groups',
    kinds: ['view', 'time', 'missing', 'search', 'outbound', 'action'],
    of: 'readers',
    isAmong: true,
  },
} as const satisfies Record<
  string,
  {
    field: keyof AnalyticsEvent;
    kinds: readonly AnalyticsEvent['kind'][];
    of: 'readers' | 'machines' | 'all';
    /** Whether the field is a JSON list of texts, of which the value is one. */
    isAmong?: true;
  }
>;
export type VisitorFilterName = keyof typeof VISITOR_FILTERS;
export const visitorFilterNames = Object.keys(VISITOR_FILTERS) as VisitorFilterName[];

/** Values of `VISITOR_FILTERS`. */
export type VisitorFilter = { [Name in VisitorFilterName]?: string | undefined };

/** Returns the filters that are set, each with its value. */
export function visitorFiltersOf(
  query: VisitorFilter,
): { name: VisitorFilterName; value: string }[] {
  return visitorFilterNames.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [{ name, value }];
  });
}

/** Which part of a site, and which period, figures cover. */
export interface FigureScope {
  siteId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  path?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

export interface Figures extends Sums {
  /** Path of the page if figures are by page; otherwise empty. */
  path: string;
  key: string;
  detail: string;
  lastAt: Date;
}
