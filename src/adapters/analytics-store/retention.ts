import { type RawBuilder, sql } from 'kysely';
import { createFigureCounter, type DayFigure } from '../../core/analytics/count-figures.ts';
import { DAY_MS, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import { sumNames } from '../../core/analytics/reports.ts';
import type { AnalyticsRetention } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { EVENTS_LOCK, type EventTable, FIGURES_LOCK, lockFigures } from './event-table.ts';

/** Number of events counted per transaction: the embedded database serves no other query meanwhile. */
const STEP = 20_000;

/** Returns the last event that the figures contain. */
export async function lastCounted(queries: QueryRunner): Promise<number> {
  const { rows } = await sql<{ last: number }>`SELECT last_event AS last FROM analytics_counted`.execute(queries);
  return rows[0]?.last ?? 0;
}

/** Implements `AnalyticsStore.settledUpTo`: once the running inserts finish, no event with a smaller number can appear. */
export async function settledUpTo(queries: Queries): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${EVENTS_LOCK})`.execute(transaction);
    const { rows } = await sql<{ last: number }>`
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM analytics_event_ids`.execute(transaction);
    return rows[0]?.last ?? 0;
  });
}

/** Implements `AnalyticsStore.rollUp`. */
export async function countNewEvents(queries: Queries, table: EventTable): Promise<number> {
  const settled = await settledUpTo(queries);
  let total = 0;
  for (;;) {
    const counted = await countStep(queries, table, settled);
    total += counted;
    if (counted < STEP) return total;
  }
}

async function countStep(queries: Queries, table: EventTable, settled: number): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${FIGURES_LOCK}) AS mine`.execute(
      transaction,
    );
    if (!locks[0]?.mine) return 0;
    const last = await lastCounted(transaction);
    const step = await table.spanOf(transaction, { after: last, upTo: settled }, STEP);
    if (!step) return 0;
    const counter = createFigureCounter();
    await table.readTouched(transaction, { after: last, upTo: step.last }, step.days, counter.add.bind(counter));
    const figures = counter.take();
    const added = SUM_COLUMNS.map((name) => `${name} = analytics_days.${name} + excluded.${name}`).join(', ');
    if (figures.length > 0)
      await sql`
        INSERT INTO analytics_days (${FIGURE_COLUMNS}, digest)
        SELECT ${FIGURE_COLUMNS}, substr(sha256(convert_to(ROW(path, version, language, key, detail)::text, 'UTF8')), 1, 16)
        FROM ${figureRows(figures)} WHERE site_id IN (SELECT id FROM sites) ORDER BY dimension, scope
        ON CONFLICT (site_id, dimension, scope, day, digest)
        DO UPDATE SET ${sql.raw(added)}, last_at = greatest(analytics_days.last_at, excluded.last_at)`.execute(transaction);
    await sql`UPDATE analytics_counted SET last_event = ${step.last}`.execute(transaction);
    return step.count;
  });
}

/** Implements `AnalyticsStore.expire`. Events are deleted only after they were counted. */
export async function expireOld(queries: Queries, table: EventTable, now: Date, defaults: AnalyticsRetention): Promise<void> {
  const today = floorDay(now);
  await sql`DELETE FROM analytics_salts WHERE day < ${isoDayOf(new Date(today.getTime() - DAY_MS))}::date`.execute(queries);
  await table.expire(queries, { today, last: await lastCounted(queries), eventDays: defaults.eventDays });
  const figureDays = sql`coalesce((sites.analytics_settings->>'figureDays')::integer, ${defaults.figureDays}::integer)`;
  await sql`DELETE FROM analytics_days USING sites WHERE sites.id = site_id
    AND day < (${today}::timestamptz AT TIME ZONE 'UTC')::date - ${figureDays}`.execute(queries);
}

/** Implements `AnalyticsStore.delete`. */
export async function deleteFigures(
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
