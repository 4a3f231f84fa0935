import { type RawBuilder, sql } from 'kysely';
import { createFigureCounter } from '../../core/analytics/count-figures.ts';
import { ceilDay, DAY_MS, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { AnalyticsRetention } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { FIGURE_COLUMNS, figureRows, SUM_COLUMNS, touchedFigures } from './figure-rows.ts';

/** Advisory locks, by numbers that nothing else in the database uses: to change figures; to store events. */
const FIGURES_LOCK = sql.raw('4718331915');
export const EVENTS_LOCK = sql.raw('4718331916');
/** Events that are counted in one transaction: the embedded database serves nobody else meanwhile. */
const STEP = 20_000;

/** The days of which there are events, oldest first. */
export async function daysWithEvents(queries: QueryRunner): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT to_char(to_date(right(relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') AS day FROM pg_inherits
    JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'analytics_events'::regclass ORDER BY day`.execute(queries);
  return rows.map(({ day }) => day);
}

/** The last event that figures contain. */
export async function lastCounted(queries: QueryRunner): Promise<number> {
  const { rows } = await sql<{ last: number }>`SELECT last_event AS last FROM analytics_counted`.execute(queries);
  return rows[0]?.last ?? 0;
}

/** Answers `AnalyticsStore.settledUpTo`: no event with a smaller number can appear once those who were storing some have finished. */
export async function settledUpTo(queries: Queries): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${EVENTS_LOCK})`.execute(transaction);
    const { rows } = await sql<{ last: number }>`
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM analytics_event_ids`.execute(transaction);
    return rows[0]?.last ?? 0;
  });
}

/** Answers `AnalyticsStore.rollUp`. */
export async function countNewEvents(queries: Queries): Promise<number> {
  const settled = await settledUpTo(queries);
  let total = 0;
  for (;;) {
    const counted = await countStep(queries, settled);
    total += counted;
    if (counted < STEP) return total;
  }
}

async function countStep(queries: Queries, settled: number): Promise<number> {
  return queries.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${FIGURES_LOCK}) AS mine`.execute(
      transaction,
    );
    if (!locks[0]?.mine) return 0;
    const last = await lastCounted(transaction);
    const { rows } = await sql<{ count: number; upTo: number; from: Date; to: Date }>`
      SELECT count(*) AS count, max(id) AS "upTo", min(at) AS from, max(at) AS to
      FROM (SELECT id, at FROM analytics_events WHERE id > ${last}::bigint AND id <= ${settled}::bigint ORDER BY id LIMIT ${STEP}) new`.execute(
      transaction,
    );
    const [step] = rows;
    if (!step || step.count === 0) return 0;
    const days = { from: floorDay(step.from), to: ceilDay(new Date(step.to.getTime() + 1)) };
    const which = sql`site_id IN (SELECT id FROM sites)`;
    const figures = await touchedFigures(transaction, createFigureCounter(), { last, upTo: step.upTo, days, which });
    const added = SUM_COLUMNS.map((name) => `${name} = analytics_days.${name} + excluded.${name}`).join(', ');
    if (figures.length > 0)
      await sql`
        INSERT INTO analytics_days (${FIGURE_COLUMNS}, digest)
        SELECT ${FIGURE_COLUMNS}, substr(sha256(convert_to(ROW(path, version, language, key, detail)::text, 'UTF8')), 1, 16)
        FROM ${figureRows(figures)} ORDER BY dimension, scope
        ON CONFLICT (site_id, dimension, scope, day, digest)
        DO UPDATE SET ${sql.raw(added)}, last_at = greatest(analytics_days.last_at, excluded.last_at)`.execute(transaction);
    await sql`UPDATE analytics_counted SET last_event = ${step.upTo}`.execute(transaction);
    return step.count;
  });
}

/** Answers `AnalyticsStore.expire`. Events go only after they were counted. */
export async function expireOld(queries: Queries, now: Date, defaults: AnalyticsRetention): Promise<void> {
  const today = floorDay(now);
  await sql`DELETE FROM analytics_salts WHERE day < ${isoDayOf(new Date(today.getTime() - DAY_MS))}::date`.execute(queries);
  const days = sql`coalesce((sites.analytics_settings->>'eventDays')::integer, ${defaults.eventDays}::integer)`;
  const figureDays = sql`coalesce((sites.analytics_settings->>'figureDays')::integer, ${defaults.figureDays}::integer)`;
  const { rows } = await sql<{ days: number | null }>`SELECT max(${days}) AS days FROM sites`.execute(queries);
  const first = isoDayOf(new Date(today.getTime() - (rows[0]?.days ?? defaults.eventDays) * DAY_MS));
  const last = await lastCounted(queries);
  for (const day of await daysWithEvents(queries)) {
    if (day >= first) break;
    const partition = sql.raw(`analytics_events_${day.replaceAll('-', '')}`);
    const { rows: waiting } = await sql`SELECT 1 FROM ${partition} WHERE id > ${last} LIMIT 1`.execute(queries);
    if (waiting.length > 0) continue;
    await queries.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${FIGURES_LOCK})`.execute(transaction);
      const end = new Date(startOfDay(day).getTime() + DAY_MS);
      await noteDropped(
        transaction,
        sql`SELECT site_id, id FROM analytics_events WHERE at >= ${startOfDay(day)} AND at < ${end}`,
      );
      await sql`DROP TABLE IF EXISTS ${partition}`.execute(transaction);
    });
  }
  await queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${FIGURES_LOCK})`.execute(transaction);
    const isOld = sql`sites.id = site_id AND analytics_events.id <= ${last}
      AND at < ${today}::timestamptz - make_interval(days => ${days})`;
    await noteDropped(transaction, sql`SELECT site_id, analytics_events.id FROM analytics_events, sites WHERE ${isOld}`);
    await sql`DELETE FROM analytics_events USING sites WHERE ${isOld}`.execute(transaction);
  });
  await sql`DELETE FROM analytics_days USING sites WHERE sites.id = site_id
    AND day < (${today}::timestamptz AT TIME ZONE 'UTC')::date - ${figureDays}`.execute(queries);
  await deleteEventsOfGoneSites(queries);
}

/** Adds to each stream how many of its events are deleted before they were delivered. */
async function noteDropped(queries: QueryRunner, deleted: RawBuilder<unknown>): Promise<void> {
  await sql`UPDATE analytics_streams SET dropped = dropped + lost.count FROM (
      SELECT stream.id, count(*) AS count FROM analytics_streams stream
      JOIN (${deleted}) gone ON gone.site_id = stream.site_id AND gone.id > stream.last_event GROUP BY stream.id
    ) lost WHERE analytics_streams.id = lost.id`.execute(queries);
}

/** Finds the sites by skipping along the index, without reading their events. */
async function deleteEventsOfGoneSites(queries: Queries): Promise<void> {
  await sql`DELETE FROM analytics_events WHERE site_id IN (
    WITH RECURSIVE named AS (
      SELECT min(site_id) AS site_id FROM analytics_events
      UNION ALL
      SELECT (SELECT min(site_id) FROM analytics_events WHERE site_id > named.site_id) FROM named WHERE named.site_id IS NOT NULL
    )
    SELECT site_id FROM named WHERE site_id IS NOT NULL AND site_id NOT IN (SELECT id FROM sites))`.execute(queries);
}

/** Answers `AnalyticsStore.delete`. */
export async function deleteFigures(
  queries: Queries,
  siteId: string,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<number> {
  const first = from ? floorDay(from) : startOfDay('1970-01-01');
  const last = to ?? startOfDay('9999-01-01');
  return queries.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${FIGURES_LOCK})`.execute(transaction);
    const { numAffectedRows } = await sql`
      DELETE FROM analytics_events WHERE site_id = ${siteId} AND at >= ${first} AND at < ${last}`.execute(transaction);
    await sql`DELETE FROM analytics_days WHERE site_id = ${siteId} AND day >= ${isoDayOf(first)}::date
      AND day < ${isoDayOf(last)}::date`.execute(transaction);
    return Number(numAffectedRows ?? 0);
  });
}
