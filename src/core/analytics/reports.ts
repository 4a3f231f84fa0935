/**
 * What figures are grouped by. Each is one way to look at events; `docs/guides/analytics.mdx` explains them to readers.
 */
export const DIMENSIONS = [
  'view',
  'hour',
  'source',
  'campaign',
  'device',
  'language',
  'version',
  'machine',
  'surface',
  'missing',
  'outbound',
  'action',
  'time',
  'search',
  'click',
  'exit',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Which part of a site, and which time, figures are about. */
export interface FigureScope {
  siteId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  path?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
}

/** What is added up. */
export interface Sums {
  events: number;
  human: number;
  ai: number;
  /** Distinct clients of a day, summed over days: readers and AI together, then each alone. */
  visitors: number;
  humanVisitors: number;
  aiVisitors: number;
  /** Searches with an opened result, without results, and followed by another within 30 s. */
  opened: number;
  empty: number;
  refined: number;
  /** Sum of the events' amounts. */
  amount: number;
}
export const sumNames = [
  'events',
  'human',
  'ai',
  'visitors',
  'humanVisitors',
  'aiVisitors',
  'opened',
  'empty',
  'refined',
  'amount',
] as const satisfies (keyof Sums)[];

/** One line of figures. */
export interface Figures extends Sums {
  /** Path of the page where figures are by page; otherwise empty. */
  path: string;
  key: string;
  detail: string;
  lastAt: Date;
}
