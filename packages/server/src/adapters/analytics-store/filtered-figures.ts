import {
  createFigureCounter,
  type DayFigure,
  type Dimension,
  KINDS,
  type Scope,
  sumNames,
} from '@docent/format/analytics/count-figures.ts';
import { DAY_MS, startOfDay } from '@docent/format/analytics/days.ts';
import { visitorFiltersOf } from '@docent/format/analytics/reports.ts';
import { BoundedCache } from '@docent/format/bounded-cache.ts';
import type { FigureQuery } from '../../ports/analytics-store.ts';
import type { QueryRunner } from '../../ports/database.ts';
import type { EventTable, Range } from './event-table.ts';

/**
 * The reports of a page of the dashboard, of the site and by page. They are counted together:
 * reading the events is what takes long.
 */
const OF_SITE: readonly Dimension[] = [
  ...([
    'view',
    'hour',
    'source',
    'campaign',
    'device',
    'language',
    'version',
    'machine',
    'missing',
    'group',
  ] as const),
];
const BY_PAGE: readonly Dimension[] = ['view', 'time', 'exit'];
const BY_TIME: ReadonlySet<Dimension> = new Set(['view', 'hour']);

/**
 * The requests of a page come within seconds, and its figures need not contain what happened
 * between them.
 */
const FRESH_MS = 5000;
const MAX_BYTES = 32 * 1024 * 1024;
const FIGURE_BYTES = 500;
/** Days that are counted at a time, which bounds what is in memory. */
const DAYS_AT_A_TIME = 30;

/** Reports that are counted together. */
interface Reports {
  parts: readonly { dimensions: readonly Dimension[]; scope: Scope }[];
  /** Which figures are kept by day; the others are summed. */
  byDay: 'all' | 'none' | Scope;
}

interface Counted {
  siteId: string;
  figures: readonly DayFigure[];
  freshUntil: number;
}

/**
 * Figures of some visitors, which only events can tell. Kept for a moment for the other reports of
 * the page that shows them.
 */
export class FilteredFigures {
  readonly #table: EventTable;
  readonly #cache = new BoundedCache<Counted>('analytics_filters', {
    maxBytes: MAX_BYTES,
    sizeOf: ({ figures }) => figures.length * FIGURE_BYTES,
    ownerOf: ({ siteId }) => siteId,
  });

  constructor(table: EventTable) {
    this.#table = table;
  }

  /**
   * Returns the figures that a query with a filter of visitors sums up.
   * @param scope that of the query
   * @param siteScope that of the query if it were not by page
   * @param within runs what it gets in a transaction
   */
  async read(
    query: FigureQuery,
    { scope, siteScope }: { scope: Scope; siteScope: Scope },
    within: <Result>(read: (queries: QueryRunner) => Promise<Result>) => Promise<Result>,
  ): Promise<DayFigure[]> {
    const {
      siteId,
      dimension,
      from,
      to,
      path,
      version,
      language,
      visitors = {},
      paths,
      keys,
    } = query;
    const reports = reportsWith(query, scope, siteScope);
    const key = JSON.stringify([
      siteId,
      from,
      to,
      path,
      version,
      language,
      visitorFiltersOf(visitors),
      reports,
    ]);
    const kept = this.#cache.peek(key);
    // Not if there is none, because it may be loading.
    if (kept && kept.freshUntil < performance.now()) this.#cache.delete(key);
    const { figures } = await this.#cache.load(key, async () => {
      const counted = await within((queries) => countParts(queries, this.#table, query, reports));
      return { siteId, figures: counted, freshUntil: performance.now() + FRESH_MS };
    });
    return figures.filter(
      (figure) =>
        figure.dimension === dimension &&
        figure.scope === scope &&
        (paths?.includes(figure.path) ?? true) &&
        (keys?.includes(figure.key) ?? true),
    );
  }

  /** Forgets what is kept of a site. */
  forget(siteId: string): void {
    for (const [key, counted] of this.#cache.entries())
      if (counted.siteId === siteId) this.#cache.delete(key);
  }
}

/** Returns the reports that are counted with the one of a query, itself included. */
function reportsWith({ dimension, by }: FigureQuery, scope: Scope, siteScope: Scope): Reports {
  const parts =
    siteScope === 'path'
      ? [{ dimensions: [...new Set([...OF_SITE, ...BY_PAGE])], scope: siteScope }]
      : [
          { dimensions: OF_SITE, scope: siteScope },
          { dimensions: BY_PAGE, scope: 'path' as const },
        ];
  const isByTime = by === 'day' || by === 'hour';
  const isPart = parts.some((part) => part.scope === scope && part.dimensions.includes(dimension));
  if (isPart && (!isByTime || (BY_TIME.has(dimension) && scope === siteScope)))
    return { parts, byDay: siteScope };
  return { parts: [{ dimensions: [dimension], scope }], byDay: isByTime ? 'all' : 'none' };
}

async function countParts(
  queries: QueryRunner,
  table: EventTable,
  { siteId, from, to, path, version, language, visitors = {} }: FigureQuery,
  { parts, byDay }: Reports,
): Promise<DayFigure[]> {
  const filters = Object.entries({ path, version, language }).filter(
    ([, value]) => value !== undefined,
  );
  const counters = parts.map(({ dimensions, scope }) =>
    createFigureCounter({
      dimensions,
      scopes: [scope],
      includes: (group) => filters.every(([name, value]) => group[name as 'path'] === value),
    }),
  );
  const kinds = [
    ...new Set(
      parts.flatMap(({ dimensions }) => dimensions.flatMap((dimension) => KINDS[dimension])),
    ),
  ];
  const keepsDay = ({ dimension, scope }: DayFigure) =>
    byDay === 'all' || (byDay === scope && BY_TIME.has(dimension));
  const sums = new Map<string, DayFigure>();
  for (const part of partsOf({ from, to }, await table.days(queries))) {
    await table.readRange(queries, siteId, part, { kinds, visitors }, (event) => {
      for (const counter of counters) counter.add(event);
    });
    for (const figure of counters.flatMap((counter) => counter.take()))
      addTo(sums, figure, keepsDay(figure));
  }
  return [...sums.values()];
}

/**
 * Splits a range at midnight, where visitors get other numbers, into parts of the days with events.
 */
function* partsOf(range: Range, days: readonly string[]): Generator<Range> {
  for (let first = 0; first < days.length; first += DAYS_AT_A_TIME) {
    const some = days.slice(first, first + DAYS_AT_A_TIME);
    const start = startOfDay(some[0] as string);
    const end = new Date(startOfDay(some.at(-1) as string).getTime() + DAY_MS);
    const part = {
      from: range.from > start ? range.from : start,
      to: range.to < end ? range.to : end,
    };
    if (part.from < part.to) yield part;
  }
}

function addTo(sums: Map<string, DayFigure>, figure: DayFigure, keepsDay: boolean): void {
  const { dimension, scope, path, version, language, key, detail } = figure;
  const id = [
    keepsDay ? figure.day : '',
    dimension,
    scope,
    path,
    version,
    language,
    key,
    detail,
  ].join('\0');
  const sum = sums.get(id);
  if (!sum) {
    sums.set(id, figure);
    return;
  }
  for (const name of sumNames) sum[name] += figure[name];
  if (figure.lastAt > sum.lastAt) sum.lastAt = figure.lastAt;
}
