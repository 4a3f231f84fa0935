import { sql } from 'kysely';
import { createFigureCounter, type Scope } from '../../core/analytics/count-figures.ts';
import { ceilDay, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import { sumNames } from '../../core/analytics/reports.ts';
import type { FigureQuery, FigureRow } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { FIGURE_COLUMNS, figureRows, figuresOfEvents, SUM_COLUMNS, touchedFigures } from './figure-rows.ts';
import { daysWithEvents, lastCounted } from './retention.ts';

interface Range {
  from: Date;
  to: Date;
}

const later = (a: Date, b: Date) => (a > b ? a : b);
const earlier = (a: Date, b: Date) => (a < b ? a : b);

/** Whole days of a range, which are read from figures, and the rest of it, whose events are counted. */
function planOf({ from, to }: Range, oldest: Date): { days: Range; parts: Range[] } {
  // A part of a day whose events are gone is that whole day.
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

/** The days on which a site has events that its figures do not contain. */
async function openDays(queries: QueryRunner, siteId: string, last: number): Promise<Range | undefined> {
  const { rows } = await sql<{ count: number } & Range>`
    SELECT count(*) AS count, min(at) AS from, max(at) AS to FROM analytics_events
    WHERE id > ${last}::bigint AND site_id = ${siteId}`.execute(queries);
  const [row] = rows;
  return row && row.count > 0 ? { from: floorDay(row.from), to: ceilDay(new Date(row.to.getTime() + 1)) } : undefined;
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

/** Added up as floating-point numbers, which are exact here and several times as fast as the numbers that `bigint` gives. */
const ORDERS: Record<FigureQuery['order'], string> = {
  readings: 'sum(human::float8) + sum(ai::float8)',
  visitors: 'sum(visitors::float8)',
  events: 'sum(events::float8)',
};

/** Answers `AnalyticsStore.figures`: what figures contain, and what the events since add, of one moment. */
export function readFigures(queries: Queries, query: FigureQuery): Promise<FigureRow[]> {
  return queries
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readMoment(transaction, query));
}

async function readMoment(queries: QueryRunner, query: FigureQuery): Promise<FigureRow[]> {
  const { siteId, dimension, by, keys, order, limit, offset } = query;
  const scope = scopeOf(query);
  // Groups of many figures are otherwise sorted on the disk.
  await sql`SELECT set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(queries);
  const last = await lastCounted(queries);
  const [oldest] = await daysWithEvents(queries);
  const { days, parts } = planOf(query, oldest === undefined ? query.to : startOfDay(oldest));
  const filters = (['path', 'version', 'language'] as const).filter((name) => query[name] !== undefined);
  const counter = createFigureCounter({
    dimensions: [dimension],
    scopes: [scope],
    includes: (group) => filters.every((name) => group[name] === query[name]) && (keys === undefined || keys.includes(group.key)),
  });
  const which = sql`site_id = ${siteId}`;
  const open = await openDays(queries, siteId, last);
  const added = open && { from: later(open.from, days.from), to: earlier(open.to, days.to) };
  const counted = added && added.from < added.to ? await touchedFigures(queries, counter, { last, days: added, which }) : [];
  for (const part of parts) counted.push(...(await figuresOfEvents(queries, counter, { days: part, which })));
  const wanted = filters.map((name) => sql`AND ${sql.ref(name)} = ${query[name]}`);
  if (keys !== undefined) wanted.push(sql`AND key = ANY(${keys}::text[])`);
  const groups = GROUPS[by];
  const shown = ['path', 'key', 'detail'].map((name) => (groups.includes(name) ? name : `'' AS ${name}`));
  const startsAt = { day: 'day', hour: 'day + make_interval(hours => key::integer)' }[by as 'day' | 'hour'];
  const startColumn = startsAt === undefined ? 'NULL::timestamptz' : `(${startsAt})::timestamp AT TIME ZONE 'UTC'`;
  const sums = sumNames.map((name, index) => `sum(${SUM_COLUMNS[index]}::float8) AS "${name}"`);
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
