import { type RawBuilder, sql } from 'kysely';
import { DAY_MS, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { FigureQuery, FigureRow } from '../../ports/analytics-store.ts';
import type { QueryRunner } from '../../ports/database.ts';
import { dayFigures, FIGURE_COLUMNS, type Scope } from './dimension-sql.ts';
import { daysWithEvents } from './retention.ts';

/** Days of a range that are read from stored figures, and the times whose events are counted; ends are exclusive. */
interface Plan {
  days: { from: string; to: string };
  events: { from: Date; to: Date }[];
}

const later = (a: Date, b: Date) => (a > b ? a : b);
const earlier = (a: Date, b: Date) => (a < b ? a : b);
const ceilDay = (at: Date) => {
  const floor = floorDay(at);
  return floor.getTime() === at.getTime() ? at : new Date(floor.getTime() + DAY_MS);
};

/**
 * @param oldest the first day of which there are events
 * @param open the first day whose figures are not complete
 */
function planOf({ from, to }: { from: Date; to: Date }, oldest: Date, open: Date): Plan {
  // A part of a day whose events are gone is that whole day.
  const start = from < oldest ? floorDay(from) : from;
  const end = to < oldest ? ceilDay(to) : to;
  const firstWhole = ceilDay(start);
  const afterWhole = later(firstWhole, earlier(floorDay(end), open));
  const events = [
    { from: start, to: earlier(firstWhole, end) },
    { from: later(afterWhole, start), to: end },
  ].filter((range) => range.from < range.to);
  return { days: { from: isoDayOf(firstWhole), to: isoDayOf(afterWhole) }, events };
}

/** The time before which the figures of every day are complete, and that from which there are events. */
async function bounds(queries: QueryRunner): Promise<{ oldest: Date; open: Date }> {
  const days = await daysWithEvents(queries);
  const far = new Date(Date.now() + 2 * DAY_MS);
  const first = days[0];
  const open = days.find(({ isRolled }) => !isRolled);
  return { oldest: first ? startOfDay(first.day) : floorDay(far), open: open ? startOfDay(open.day) : floorDay(far) };
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

const ORDERS: Record<FigureQuery['order'], string> = {
  readings: 'sum(human) + sum(ai)',
  visitors: 'sum(visitors)',
  events: 'sum(events)',
};

/** Answers `AnalyticsStore.figures`. */
export async function readFigures(queries: QueryRunner, query: FigureQuery): Promise<FigureRow[]> {
  const { siteId, dimension, by, keys, path, version, language, order, limit, offset } = query;
  const scope = scopeOf(query);
  const { oldest, open } = await bounds(queries);
  const plan = planOf(query, oldest, open);
  const wanted = (
    [
      ['path', path],
      ['version', version],
      ['language', language],
    ] as const
  ).flatMap(([column, value]) => (value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]));
  if (keys !== undefined) wanted.push(sql`key = ANY(${keys}::text[])`);
  const filter = wanted.length === 0 ? sql`true` : sql.join(wanted, sql` AND `);
  const columns = sql.raw(`day, path, key, detail, ${FIGURE_COLUMNS}`);
  const parts: RawBuilder<unknown>[] = [
    sql`SELECT ${columns} FROM analytics_days WHERE site_id = ${siteId} AND dimension = ${dimension} AND scope = ${scope}
      AND day >= ${plan.days.from}::date AND day < ${plan.days.to}::date AND ${filter}`,
    ...plan.events.map(({ from, to }) => {
      const which = sql`site_id = ${siteId} AND at >= ${from} AND at < ${to}`;
      return sql`SELECT ${columns} FROM (${dayFigures(dimension, scope, which, filter)}) counted`;
    }),
  ];
  const groups = GROUPS[by];
  const shown = ['path', 'key', 'detail'].map((name) => (groups.includes(name) ? name : `'' AS ${name}`));
  const startsAt = { day: 'day', hour: 'day + make_interval(hours => key::integer)' }[by as 'day' | 'hour'];
  const startColumn = startsAt === undefined ? 'NULL::timestamptz' : `(${startsAt})::timestamp AT TIME ZONE 'UTC'`;
  const isByTime = startsAt !== undefined;
  const sorting = [...(isByTime ? [] : [`${ORDERS[order]} DESC`]), ...groups].join(', ');
  const { rows } = await sql<FigureRow>`
    SELECT ${sql.raw([...shown, `${startColumn} AS "startsAt"`].join(', '))},
      sum(events) AS events, sum(human) AS human, sum(ai) AS ai, sum(visitors) AS visitors,
      sum(human_visitors) AS "humanVisitors", sum(ai_visitors) AS "aiVisitors",
      sum(opened) AS opened, sum(empty) AS empty, sum(refined) AS refined, sum(amount) AS amount, max(last_at) AS "lastAt"
    FROM (${sql.join(parts, sql` UNION ALL `)}) figures
    ${sql.raw(groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`)}
    HAVING ${sql.raw(by === 'all' || order === 'events' ? 'count(*) > 0' : `${ORDERS[order]} > 0`)}
    ORDER BY ${sql.raw(sorting === '' ? '1' : sorting)} LIMIT ${limit} OFFSET ${offset}`.execute(queries);
  return rows;
}
