import type { Dimension, Sums } from './count-figures.ts';

/**
 * What views can be filtered by besides page, version and language: the dimension that counts them by it, and its values there.
 * Filters of one dimension combine; of two they do not, because no figures exist for both together.
 */
export const VIEW_FILTERS = {
  referrer: { dimension: 'source', values: 'keys' },
  campaign: { dimension: 'campaign', values: 'keys' },
  device: { dimension: 'device', values: 'keys' },
  browser: { dimension: 'device', values: 'details' },
  class: { dimension: 'machine', values: 'keys' },
  agent: { dimension: 'machine', values: 'details' },
  missing: { dimension: 'missing', values: 'keys' },
} as const satisfies Record<string, { dimension: Dimension; values: 'keys' | 'details' }>;
export type ViewFilterName = keyof typeof VIEW_FILTERS;
export const viewFilterNames = Object.keys(VIEW_FILTERS) as ViewFilterName[];

/** The filters that a report of this dimension takes: all for views, otherwise those of its own dimension. */
export function viewFiltersOf(dimension: Dimension): ViewFilterName[] {
  return viewFilterNames.filter((name) => dimension === 'view' || VIEW_FILTERS[name].dimension === dimension);
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
