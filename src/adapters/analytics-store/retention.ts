import { sql } from 'kysely';
import { DAY_MS, floorDay, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import { DIMENSIONS } from '../../core/analytics/reports.ts';
import type { AnalyticsRetention } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import { dayFigures, FIGURE_COLUMNS, SCOPES, type Scope } from './dimension-sql.ts';

/** Events may come this long after they happened; then a day is complete. */
const LATE_MS = 70 * 60 * 1000;
/** Any number that nobody else in the database uses; it names the advisory lock of this work. */
const LOCK = 4_718_331_915;

/** The days of which there are events, oldest first. */
export async function daysWithEvents(queries: QueryRunner): Promise<{ day: string; isRolled: boolean }[]> {
  const { rows } = await sql<{ day: string; isRolled: boolean }>`
    SELECT to_char(made.day, 'YYYY-MM-DD') AS day, rolled.day IS NOT NULL AS "isRolled"
    FROM (SELECT to_date(right(relname, 8), 'YYYYMMDD') AS day FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'analytics_events'::regclass) made
    LEFT JOIN analytics_rolled_days rolled USING (day) ORDER BY made.day`.execute(queries);
  return rows;
}

/** Answers `AnalyticsStore.rollUp`. */
export async function rollUpDays(queries: Queries, now: Date): Promise<string[]> {
  const ended = isoDayOf(new Date(now.getTime() - LATE_MS));
  const open = (await daysWithEvents(queries)).filter(({ day, isRolled }) => !isRolled && day < ended);
  const done: string[] = [];
  for (const { day } of open) if (await rollUpDay(queries, day)) done.push(day);
  return done;
}

async function rollUpDay(queries: Queries, day: string): Promise<boolean> {
  const from = startOfDay(day);
  const which = sql`at >= ${from} AND at < ${new Date(from.getTime() + DAY_MS)} AND site_id IN (SELECT id FROM sites)`;
  return queries.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(${sql.raw(`${LOCK}`)}) AS mine`.execute(
      transaction,
    );
    if (!rows[0]?.mine) return false;
    await sql`DELETE FROM analytics_days WHERE day = ${day}::date`.execute(transaction);
    const columns = sql.raw(`path, version, language, key, detail, ${FIGURE_COLUMNS}`);
    for (const dimension of DIMENSIONS)
      for (const scope of Object.keys(SCOPES) as Scope[])
        await sql`INSERT INTO analytics_days (site_id, day, dimension, scope, ${columns})
          SELECT site_id, day, ${dimension}, ${scope}, ${columns} FROM (${dayFigures(dimension, scope, which)}) figures`.execute(
          transaction,
        );
    await sql`INSERT INTO analytics_rolled_days (day) VALUES (${day}::date) ON CONFLICT DO NOTHING`.execute(transaction);
    return true;
  });
}

/** Answers `AnalyticsStore.expire`. A day goes only when its figures are made. */
export async function expireOld(queries: Queries, now: Date, defaults: AnalyticsRetention): Promise<void> {
  const today = floorDay(now);
  await sql`DELETE FROM analytics_salts WHERE day < ${isoDayOf(new Date(today.getTime() - DAY_MS))}::date`.execute(queries);
  const days = sql`coalesce((sites.analytics_settings->>'eventDays')::integer, ${defaults.eventDays}::integer)`;
  const figureDays = sql`coalesce((sites.analytics_settings->>'figureDays')::integer, ${defaults.figureDays}::integer)`;
  const { rows } = await sql<{ most: number | null }>`SELECT max(${days}) AS most FROM sites`.execute(queries);
  const first = isoDayOf(new Date(today.getTime() - (rows[0]?.most ?? defaults.eventDays) * DAY_MS));
  for (const { day, isRolled } of await daysWithEvents(queries)) {
    if (!isRolled || day >= first) continue;
    await sql`DROP TABLE IF EXISTS ${sql.raw(`analytics_events_${day.replaceAll('-', '')}`)}`.execute(queries);
  }
  await sql`DELETE FROM analytics_events USING sites WHERE sites.id = site_id
    AND at < ${today}::timestamptz - make_interval(days => ${days})
    AND (at AT TIME ZONE 'UTC')::date IN (SELECT day FROM analytics_rolled_days)`.execute(queries);
  await sql`DELETE FROM analytics_days USING sites WHERE sites.id = site_id
    AND day < (${today}::timestamptz AT TIME ZONE 'UTC')::date - ${figureDays}`.execute(queries);
  await deleteEventsOfGoneSites(queries);
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
  const first = from ? floorDay(from) : new Date(0);
  const last = to ?? new Date('9999-01-01T00:00:00Z');
  const { numAffectedRows } = await sql`
    DELETE FROM analytics_events WHERE site_id = ${siteId} AND at >= ${first} AND at < ${last}`.execute(queries);
  await sql`DELETE FROM analytics_days WHERE site_id = ${siteId} AND day >= ${isoDayOf(first)}::date
    AND day < ${isoDayOf(last)}::date`.execute(queries);
  return Number(numAffectedRows ?? 0);
}
