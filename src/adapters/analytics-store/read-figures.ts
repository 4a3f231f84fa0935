import { sql } from 'kysely';
import { createFigureCounter, type Scope } from '../../core/analytics/count-figures.ts';
import { ceilDay, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import { sumNames } from '../../core/analytics/reports.ts';
import type { FigureQuery, FigureRow } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import type { EventTable, Range } from './event-table.ts';
import { FIGURE_COLUMNS, figureRows, lastCounted, SUM_COLUMNS } from './retention.ts';

const later = (a: Date, b: Date) => (a > b ? a : b);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/** Splits a range into whole days, which are read from figures, and the rest, whose events are counted. */
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

function scopeOf({ by, path, version, language }: FigureQuery): Scope {
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

/** Sums as floating-point numbers, which are exact here and several times as fast as the numbers that `bigint` sums return. */
const ORDERS: Record<FigureQuery['order'], string> = {
  readings: 'sum(human::float8) + sum(ai::float8)',
  visitors: 'sum(visitors::float8)',
  events: 'sum(events::float8)',
};

/** Implements `AnalyticsStore.figures`: stored figures plus the events since, from one snapshot. */
export function readFigures(queries: Queries, table: EventTable, query: FigureQuery): Promise<FigureRow[]> {
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readMoment(transaction, table, query));
}

/** Columns of the lists that a query can filter by. */
const LISTED = { paths: 'path', keys: 'key', details: 'detail' } as const;
/** Sums that are always 0, or that no search report shows: computing each takes time. */
const ONLY_SEARCHES: ReadonlySet<string> = new Set(['opened', 'empty', 'refined']);
const ONLY_READERS: ReadonlySet<string> = new Set(['human', 'ai', 'visitors', 'humanVisitors', 'aiVisitors', 'amount']);

async function readMoment(queries: QueryRunner, table: EventTable, query: FigureQuery): Promise<FigureRow[]> {
  const { siteId, dimension, by, order, limit, offset } = query;
  const scope = scopeOf(query);
  // Otherwise groups of many figures are sorted on disk.
  await sql`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(queries);
  const last = await lastCounted(queries);
  const oldest = await table.oldestDay(queries);
  const { days, parts } = planOf(query, oldest === undefined ? query.to : startOfDay(oldest));
  const filters = (['path', 'version', 'language'] as const).filter((name) => query[name] !== undefined);
  const lists = (['paths', 'keys', 'details'] as const).flatMap((name) => {
    const wanted = query[name];
    return wanted === undefined ? [] : [{ column: LISTED[name], wanted }];
  });
  const counter = createFigureCounter({
    dimensions: [dimension],
    scopes: [scope],
    includes: (group) =>
      filters.every((name) => group[name] === query[name]) && lists.every(({ column, wanted }) => wanted.includes(group[column])),
  });
  const add = counter.add.bind(counter);
  const open = await table.spanOf(queries, { after: last, siteId });
  const added = open && { from: later(open.days.from, days.from), to: earlier(open.days.to, days.to) };
  if (added && added.from < added.to) await table.readTouched(queries, { after: last, siteId }, added, add);
  const counted = counter.take();
  for (const part of parts) {
    await table.readRange(queries, siteId, part, add);
    counted.push(...counter.take());
  }
  const wanted = filters.map((name) => sql`AND ${sql.ref(name)} = ${query[name]}`);
  for (const list of lists) wanted.push(sql`AND ${sql.ref(list.column)} = ANY(${list.wanted}::text[])`);
  const groups = GROUPS[by];
  const shown = ['path', 'key', 'detail'].map((name) => (groups.includes(name) ? name : `'' AS ${name}`));
  const startsAt = { day: 'day', hour: 'day + make_interval(hours => key::integer)' }[by as 'day' | 'hour'];
  const startColumn = startsAt === undefined ? 'NULL::timestamptz' : `(${startsAt})::timestamp AT TIME ZONE 'UTC'`;
  const sums = sumNames.map((name, index) => {
    const isKept = dimension === 'search' ? !ONLY_READERS.has(name) : !ONLY_SEARCHES.has(name);
    return `${isKept ? `sum(${SUM_COLUMNS[index]}::float8)` : '0::float8'} AS "${name}"`;
  });
  const sorting = [...(startsAt !== undefined ? [] : [`${ORDERS[order]} DESC`]), ...groups].join(', ');
  const { rows } = await sql<FigureRow>`
    SELECT ${sql.raw([...shown, `${startColumn} AS "startsAt"`, ...sums].join(', '))}, max(last_at) AS "lastAt"
    FROM (
      SELECT ${FIGURE_COLUMNS} FROM analytics_days WHERE site_id = ${siteId} AND dimension = ${dimension} AND scope = ${scope}
        AND day >= ${isoDayOf(days.from)}::date AND day < ${isoDayOf(days.to)}::date ${sql.join(wanted, sql` `)}
      UNION ALL SELECT ${FIGURE_COLUMNS} FROM ${figureRows(counted)}
    ) figures
    ${sql.raw(groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`)}
    HAVING ${sql.raw(by === 'all' || order === 'events' ? 'count(*) > 0' : `${ORDERS[order]} > 0`)}
    ORDER BY ${sql.raw(sorting === '' ? '1' : sorting)} LIMIT ${limit} OFFSET ${offset}`.execute(queries);
  return rows;
}
