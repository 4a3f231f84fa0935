import { type RawBuilder, sql } from 'kysely';
import type { AnalyticsEvent } from '../../core/analytics/analytics-event.ts';
import type { DayFigure, FigureCounter } from '../../core/analytics/count-figures.ts';
import { sumNames } from '../../core/analytics/reports.ts';
import type { QueryRunner } from '../../ports/database.ts';

/** Columns of `analytics_days` for the fields that are added up, in the same order. */
export const SUM_COLUMNS = sumNames.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const COLUMNS: readonly (readonly [column: string, field: keyof DayFigure, type: string])[] = [
  ['site_id', 'siteId', 'text'],
  ['day', 'day', 'date'],
  ...(['dimension', 'scope', 'path', 'version', 'language', 'key', 'detail'] as const).map(
    (name) => [name, name, 'text'] as const,
  ),
  ...sumNames.map((name, index) => [SUM_COLUMNS[index] as string, name, 'bigint'] as const),
  ['last_at', 'lastAt', 'timestamptz'],
];
export const FIGURE_COLUMNS = sql.raw(COLUMNS.map(([column]) => column).join(', '));

/** Figures as rows of a query. */
export function figureRows(figures: readonly DayFigure[]): RawBuilder<unknown> {
  const lists = COLUMNS.map(([, field, type]) => {
    const values = figures.map((figure) => (field === 'lastAt' ? figure.lastAt.toISOString() : figure[field]));
    return sql`${values}::${sql.raw(type)}[]`;
  });
  return sql`unnest(${sql.join(lists)}) figure (${FIGURE_COLUMNS})`;
}

interface Range {
  from: Date;
  to: Date;
}

const PAGE = 2000;
const EVENT_COLUMNS =
  sql.raw(`event.site_id AS "siteId", event.at, event.kind, event.class, event.agent, event.visitor::text AS visitor,
  event.path, event.version, event.language, event.name, event.target, event.source, event.campaign, event.device, event.browser,
  event.amount, event.position`);

/** What the events of a time are, without figures. Within a transaction. */
export async function figuresOfEvents(
  queries: QueryRunner,
  counter: FigureCounter,
  { days, which }: { days: Range; which: RawBuilder<unknown> },
): Promise<DayFigure[]> {
  const events = sql`SELECT ${EVENT_COLUMNS}, false AS "isOld" FROM analytics_events event
    WHERE ${which} AND at >= ${days.from}::timestamptz AND at < ${days.to}::timestamptz`;
  return countAll(queries, counter, events);
}

/**
 * What events add to figures: reads the events of everybody who caused new ones, on their days. Within a transaction.
 * @param asked `last`: the last event that the figures contain; `upTo`: the last one that counts; `days`: whole days that contain
 *   all of these, so that no other day is searched; `which`: condition on the new events
 */
export async function touchedFigures(
  queries: QueryRunner,
  counter: FigureCounter,
  { last, upTo, days, which }: { last: number; upTo?: number; days: Range; which: RawBuilder<unknown> },
): Promise<DayFigure[]> {
  const within = sql`at >= ${days.from}::timestamptz AND at < ${days.to}::timestamptz`;
  const end = upTo === undefined ? sql`true` : sql`id <= ${upTo}::bigint`;
  const events = sql`
    SELECT ${EVENT_COLUMNS}, id <= ${last}::bigint AS "isOld"
    FROM (SELECT DISTINCT site_id AS new_site, visitor AS new_visitor, date_trunc('day', at, 'UTC') AS new_day
      FROM analytics_events WHERE id > ${last}::bigint AND ${end} AND ${within} AND ${which}) new
    JOIN analytics_events event ON site_id = new_site AND visitor = new_visitor AND at >= new_day AND at < new_day + interval '24 hours'
    WHERE ${within} AND ${end}`;
  return countAll(queries, counter, events);
}

/** Reads page by page, so that no flood fills the memory, and lets others run in between. */
async function countAll(queries: QueryRunner, counter: FigureCounter, events: RawBuilder<unknown>): Promise<DayFigure[]> {
  await sql`DECLARE counted NO SCROLL CURSOR FOR ${events} ORDER BY site_id, visitor, at, id`.execute(queries);
  for (;;) {
    const { rows } = await sql<AnalyticsEvent & { isOld: boolean }>`FETCH ${sql.raw(`${PAGE}`)} FROM counted`.execute(queries);
    for (const row of rows) counter.add(row, row.isOld);
    if (rows.length < PAGE) break;
  }
  await sql`CLOSE counted`.execute(queries);
  return counter.take();
}
