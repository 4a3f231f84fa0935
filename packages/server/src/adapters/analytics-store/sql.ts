import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createFigureCounter,
  type DayFigure,
  KINDS,
  type Scope,
  sumNames,
} from '@docent/format/analytics/count-figures.ts';
import { ceilDay, DAY_MS, floorDay, isoDayOf, startOfDay } from '@docent/format/analytics/days.ts';
import { visitorFiltersOf } from '@docent/format/analytics/reports.ts';
import { type RawBuilder, sql } from 'kysely';
import type {
  AnalyticsRetention,
  AnalyticsStore,
  FigureQuery,
  FigureRow,
} from '../../ports/analytics-store.ts';
import type { Database, Queries, QueryRunner } from '../../ports/database.ts';
import {
  EVENTS_LOCK,
  type EventTable,
  FIGURES_LOCK,
  lockFigures,
  type Range,
} from './event-table.ts';
import { FilteredFigures } from './filtered-figures.ts';
import { postgresEvents } from './postgres-events.ts';

/**
 * Stores analytics in the platform's database, embedded or on a server. @param table where its
 * events are, if elsewhere
 */
export function createSqlAnalyticsStore(
  { queries }: Pick<Database, 'queries'>,
  table: EventTable = postgresEvents(),
): AnalyticsStore {
  const filtered = new FilteredFigures(table);
  return {
    async append(events) {
      if (events.length > 0) await table.append(queries, events);
    },
    async saltOf(day) {
      const salt = randomBytes(32).toString('base64url');
      await sql`INSERT INTO analytics_salts (day, salt) VALUES (${day}::date, ${salt}) ON CONFLICT DO NOTHING`.execute(
        queries,
      );
      const { rows } = await sql<{
        salt: string;
      }>`SELECT salt FROM analytics_salts WHERE day = ${day}::date`.execute(queries);
      return (rows[0] as { salt: string }).salt;
    },
    figures: (query) =>
      visitorFiltersOf(query.visitors ?? {}).length > 0
        ? readFiltered(queries, filtered, query)
        : readSnapshot(queries, (transaction) => readMoment(transaction, table, query)),
    readerViews: (siteIds, range) => readReaderViews(queries, table, siteIds, range),
    events: (scope, page) => table.list(queries, scope, page),
    eventsAfter: (siteId, range) => table.listAfter(queries, siteId, range),
    countAfter: (siteId, after, limit) => table.countAfter(queries, siteId, after, limit),
    settledUpTo: () => settledUpTo(queries),
    countOf: (siteId, day) => table.countOf(queries, siteId, day),
    rollUp: () => countNewEvents(queries, table),
    expire: (now, defaults) => expireOld(queries, table, now, defaults),
    async delete(siteId, range) {
      const count = await deleteFigures(queries, table, siteId, range);
      filtered.forget(siteId);
      return count;
    },
  };
}

/**
 * Number of events counted per transaction, the first time and within bounds. The embedded database
 * serves no other query meanwhile, so a step should take `STEP_MS`.
 */
const STEP = { first: 1000, min: 250, max: 5000 };
const STEP_MS = 100;
const MAX_PAUSE_MS = 1000;
/**
 * Events of a site that a report adds to what is counted. While more are waiting, which is after an
 * outage, the rest appears later.
 */
const MAX_UNCOUNTED = 20_000;

/** Returns the last event that the figures contain. */
async function lastCounted(queries: QueryRunner): Promise<number> {
  const { rows } = await sql<{
    last: number;
  }>`SELECT last_event AS last FROM analytics_counted`.execute(queries);
  return rows[0]?.last ?? 0;
}

/**
 * Implements `AnalyticsStore.settledUpTo`: once the running inserts finish, no event with a smaller
 * number can appear.
 */
async function settledUpTo(queries: Queries): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${EVENTS_LOCK})`.execute(transaction);
    const { rows } = await sql<{ last: number }>`
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM analytics_event_ids`.execute(
      transaction,
    );
    return rows[0]?.last ?? 0;
  });
}

/**
 * Implements `AnalyticsStore.rollUp`. However many events are waiting, other queries have half of
 * the time.
 */
async function countNewEvents(queries: Queries, table: EventTable): Promise<number> {
  const settled = await settledUpTo(queries);
  let total = 0;
  for (let size = STEP.first; ; ) {
    const startedAt = performance.now();
    const counted = await countStep(queries, table, settled, size);
    total += counted;
    if (counted < size) return total;
    const tookMs = performance.now() - startedAt;
    await wait(Math.min(tookMs, MAX_PAUSE_MS));
    size = Math.round(
      Math.min(STEP.max, Math.max(STEP.min, tookMs > STEP_MS ? size / 2 : size * 2)),
    );
  }
}

async function countStep(
  queries: Queries,
  table: EventTable,
  settled: number,
  size: number,
): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{
      mine: boolean;
    }>`SELECT pg_try_advisory_xact_lock(${FIGURES_LOCK}) AS mine`.execute(transaction);
    if (!locks[0]?.mine) return 0;
    const last = await lastCounted(transaction);
    const step = await table.spanOf(transaction, { after: last, upTo: settled }, size);
    if (!step) return 0;
    const counter = createFigureCounter();
    await table.readTouched(
      transaction,
      { after: last, upTo: step.last },
      step.days,
      counter.add.bind(counter),
    );
    const figures = counter.take();
    const added = SUM_COLUMNS.map(
      (name) => `${name} = analytics_days.${name} + excluded.${name}`,
    ).join(', ');
    if (figures.length > 0)
      await sql`
        INSERT INTO analytics_days (${FIGURE_COLUMNS}, digest)
        SELECT ${FIGURE_COLUMNS}, substr(sha256(convert_to(ROW(path, version, language, key, detail)::text, 'UTF8')), 1, 16)
        FROM ${figureRows(figures)} WHERE site_id IN (SELECT id FROM sites) ORDER BY dimension, scope
        ON CONFLICT (site_id, dimension, scope, day, digest)
        DO UPDATE SET ${sql.raw(added)}, last_at = greatest(analytics_days.last_at, excluded.last_at)`.execute(
        transaction,
      );
    await sql`UPDATE analytics_counted SET last_event = ${step.last}`.execute(transaction);
    return step.count;
  });
}

/** Implements `AnalyticsStore.expire`. Events are deleted only after they were counted. */
async function expireOld(
  queries: Queries,
  table: EventTable,
  now: Date,
  defaults: AnalyticsRetention,
): Promise<void> {
  const today = floorDay(now);
  await sql`DELETE FROM analytics_salts WHERE day < ${isoDayOf(new Date(today.getTime() - DAY_MS))}::date`.execute(
    queries,
  );
  await table.expire(queries, {
    today,
    last: await lastCounted(queries),
    eventDays: defaults.eventDays,
  });
  const figureDays = sql`coalesce((sites.analytics_settings->>'figureDays')::integer, ${defaults.figureDays}::integer)`;
  await sql`DELETE FROM analytics_days USING sites WHERE sites.id = site_id
    AND day < (${today}::timestamptz AT TIME ZONE 'UTC')::date - ${figureDays}`.execute(queries);
}

/** Implements `AnalyticsStore.delete`. */
async function deleteFigures(
  queries: Queries,
  table: EventTable,
  siteId: string,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<number> {
  const first = from ? floorDay(from) : startOfDay('1970-01-01');
  const last = to ?? startOfDay('9999-01-01');
  return queries.transaction().execute(async (transaction) => {
    await lockFigures(transaction);
    const count = await table.delete(transaction, siteId, { from: first, to: last });
    await sql`DELETE FROM analytics_days WHERE site_id = ${siteId} AND day >= ${isoDayOf(first)}::date
      AND day < ${isoDayOf(last)}::date`.execute(transaction);
    return count;
  });
}

/** Columns of `analytics_days` for the fields that are summed, in the same order. */
const SUM_COLUMNS = sumNames.map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

const COLUMNS: readonly (readonly [column: string, field: keyof DayFigure, type: string])[] = [
  ['site_id', 'siteId', 'text'],
  ['day', 'day', 'date'],
  ...(['dimension', 'scope', 'path', 'version', 'language', 'key', 'detail'] as const).map(
    (name) => [name, name, 'text'] as const,
  ),
  ...sumNames.map((name, index) => [SUM_COLUMNS[index] as string, name, 'bigint'] as const),
  ['last_at', 'lastAt', 'timestamptz'],
];
const FIGURE_COLUMNS = sql.raw(COLUMNS.map(([column]) => column).join(', '));

/** Figures as rows of a query. */
function figureRows(figures: readonly DayFigure[]): RawBuilder<unknown> {
  const lists = COLUMNS.map(([, field, type]) => {
    const values = figures.map((figure) =>
      field === 'lastAt' ? figure.lastAt.toISOString() : figure[field],
    );
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(lists)}) figure (${FIGURE_COLUMNS})`;
}

const later = (a: Date, b: Date) => (a > b ? a : b);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/**
 * Splits a range into whole days, which are read from figures, and the rest, whose events are
 * counted.
 */
function planOf({ from, to }: Range, oldest: Date): { days: Range; parts: Range[] } {
  // If the events of a partial day are gone, the whole day is used.
  const start = from < oldest ? floorDay(from) : from;
  const end = to < oldest ? ceilDay(to) : to;
  const first = ceilDay(start);
  const days = { from: first, to: later(first, floorDay(end)) };
  const parts = [
    { from: start, to: earlier(first, end) },
    { from: later(days.to, start), to: end },
  ];
  return { days, parts: parts.filter((part) => part.from < part.to) };
}

function scopeOf({
  by,
  path,
  version,
  language,
}: Pick<FigureQuery, 'by' | 'path' | 'version' | 'language'>): Scope {
  if (by === 'path' || path !== undefined) return 'path';
  if (version !== undefined) return language === undefined ? 'version' : 'both';
  return language === undefined ? 'all' : 'language';
}

const GROUPS: Record<FigureQuery['by'], string[]> = {
  all: [],
  path: ['path'],
  key: ['key'],
  detail: ['detail'],
  'key-and-detail': ['key', 'detail'],
  day: ['day'],
  hour: ['day', 'key'],
};

/**
 * Sums as floating-point numbers, which are exact here and several times as fast as the numbers
 * that `bigint` sums return.
 */
const ORDERS: Record<FigureQuery['order'], string> = {
  readings: 'sum(human::float8) + sum(ai::float8)',
  visitors: 'sum(visitors::float8)',
  events: 'sum(events::float8)',
};

/** Runs queries on one snapshot. */
function readSnapshot<Result>(
  queries: Queries,
  read: (transaction: QueryRunner) => Promise<Result>,
): Promise<Result> {
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      // Otherwise groups of many figures are sorted on disk.
      await sql`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(
        transaction,
      );
      return read(transaction);
    });
}

/**
 * Implements `AnalyticsStore.figures` for some visitors: figures do not say who did what; events
 * do, as long as they are stored.
 */
async function readFiltered(
  queries: Queries,
  filtered: FilteredFigures,
  query: FigureQuery,
): Promise<FigureRow[]> {
  const scope = scopeOf(query);
  const siteScope = scopeOf({ ...query, by: 'all' });
  const counted = await filtered.read(query, { scope, siteScope }, (read) =>
    readSnapshot(queries, read),
  );
  return readSnapshot(queries, (transaction) => sumUp(transaction, query, counted));
}

/**
 * Implements `AnalyticsStore.readerViews`: as `figures`, but two queries for any number of sites.
 */
function readReaderViews(
  queries: Queries,
  table: EventTable,
  siteIds: readonly string[],
  range: Range,
): Promise<number> {
  const whole = { from: floorDay(range.from), to: ceilDay(range.to) };
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { rows } = await sql<{ views: number | null }>`
        SELECT sum(human::float8) AS views FROM analytics_days
        WHERE site_id = ANY(${[...siteIds]}::text[]) AND dimension = 'view' AND scope = 'all'
          AND day >= ${isoDayOf(whole.from)}::date AND day < ${isoDayOf(whole.to)}::date`.execute(
        transaction,
      );
      const open = await table.countReaderViews(
        transaction,
        siteIds,
        await lastCounted(transaction),
        whole,
      );
      return (rows[0]?.views ?? 0) + open;
    });
}

/** Columns of the lists that a query can filter by. */
const LISTED = { paths: 'path', keys: 'key' } as const;
/** Sums that are always 0, or that no search report shows: computing each takes time. */
const ONLY_SEARCHES: ReadonlySet<string> = new Set(['opened', 'empty', 'refined']);
const ONLY_READERS: ReadonlySet<string> = new Set([
  'human',
  'ai',
  'visitors',
  'humanVisitors',
  'aiVisitors',
  'amount',
]);

const namesOf = (query: FigureQuery) =>
  (['path', 'version', 'language'] as const).filter((name) => query[name] !== undefined);
const listsOf = (query: FigureQuery) =>
  (['paths', 'keys'] as const).flatMap((name) => {
    const values = query[name];
    return values === undefined ? [] : [{ column: LISTED[name], wanted: values }];
  });

/** Implements `AnalyticsStore.figures`: stored figures plus the events since, from one snapshot. */
async function readMoment(
  queries: QueryRunner,
  table: EventTable,
  query: FigureQuery,
): Promise<FigureRow[]> {
  const { siteId, dimension } = query;
  const scope = scopeOf(query);
  const last = await lastCounted(queries);
  const [oldest] = await table.days(queries);
  const kept = oldest === undefined ? query.to : startOfDay(oldest);
  const { days, parts } = planOf(query, kept);
  const filters = namesOf(query);
  const lists = listsOf(query);
  const counter = createFigureCounter({
    dimensions: [dimension],
    scopes: [scope],
    includes: (group) =>
      filters.every((name) => group[name] === query[name]) &&
      lists.every(({ column, wanted }) => wanted.includes(group[column])),
  });
  const add = counter.add.bind(counter);
  const open = await table.spanOf(queries, { after: last, siteId }, MAX_UNCOUNTED);
  const added = open && {
    from: later(open.days.from, days.from),
    to: earlier(open.days.to, days.to),
  };
  if (added && added.from < added.to)
    await table.readTouched(queries, { after: last, upTo: open.last, siteId }, added, add);
  const counted = counter.take();
  for (const part of parts) {
    await table.readRange(queries, siteId, part, { kinds: KINDS[dimension], visitors: {} }, add);
    counted.push(...counter.take());
  }
  return sumUp(queries, query, counted, days);
}

/**
 * Adds up, sorts and pages figures. @param days whose stored figures are added to the others; none
 * by default
 */
async function sumUp(
  queries: QueryRunner,
  query: FigureQuery,
  counted: readonly DayFigure[],
  days: Range = { from: query.to, to: query.to },
): Promise<FigureRow[]> {
  const { siteId, dimension, by, order, limit, offset } = query;
  const scope = scopeOf(query);
  const conditions = namesOf(query).map((name) => sql`AND ${sql.ref(name)} = ${query[name]}`);
  for (const list of listsOf(query))
    conditions.push(sql`AND ${sql.ref(list.column)} = ANY(${list.wanted}::text[])`);
  const groups = GROUPS[by];
  const nameColumns = ['path', 'key', 'detail'].map((name) =>
    groups.includes(name) ? name : `'' AS ${name}`,
  );
  const startsAt = { day: 'day', hour: 'day + make_interval(hours => key::integer)' }[
    by as 'day' | 'hour'
  ];
  const startColumn =
    startsAt === undefined ? 'NULL::timestamptz' : `(${startsAt})::timestamp AT TIME ZONE 'UTC'`;
  const sums = sumNames.map((name, index) => {
    const isKept = dimension === 'search' ? !ONLY_READERS.has(name) : !ONLY_SEARCHES.has(name);
    return `${isKept ? `sum(${SUM_COLUMNS[index]}::float8)` : '0::float8'} AS "${name}"`;
  });
  const sorting = [...(startsAt !== undefined ? [] : [`${ORDERS[order]} DESC`]), ...groups].join(
    ', ',
  );
  const { rows } = await sql<FigureRow>`
    SELECT ${sql.raw([...nameColumns, `${startColumn} AS "startsAt"`, ...sums].join(', '))}, max(last_at) AS "lastAt"
    FROM (
      SELECT ${FIGURE_COLUMNS} FROM analytics_days WHERE site_id = ${siteId} AND dimension = ${dimension} AND scope = ${scope}
        AND day >= ${isoDayOf(days.from)}::date AND day < ${isoDayOf(days.to)}::date ${sql.join(conditions, sql` `)}
      UNION ALL SELECT ${FIGURE_COLUMNS} FROM ${figureRows(counted)}
    ) figures
    ${sql.raw(groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`)}
    HAVING ${sql.raw(by === 'all' || order === 'events' ? 'count(*) > 0' : `${ORDERS[order]} > 0`)}
    ORDER BY ${sql.raw(sorting === '' ? '1' : sorting)} LIMIT ${limit} OFFSET ${offset}`.execute(
    queries,
  );
  return rows;
}
