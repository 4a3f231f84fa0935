import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { ceilDay, DAY_MS, floorDay, isoDayOf, startOfDay } from '@docent/format/analytics/days.ts';
import {
  VISITOR_FILTERS,
  type VisitorFilter,
  visitorFiltersOf,
} from '@docent/format/analytics/reports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { StoredEvent } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';
import {
  type AddEvent,
  EVENTS_LOCK,
  type EventTable,
  lockFigures,
  TEXT_COLUMNS,
} from './event-table.ts';

/** The columns of stored events, each with its source field and type. */
const COLUMNS = [
  ['site_id', 'siteId', 'text'],
  ['at', 'at', 'timestamptz'],
  ['visitor', 'visitor', 'bigint'],
  ...TEXT_COLUMNS.map((name) => [name, name, 'text'] as const),
  ['amount', 'amount', 'integer'],
  ['position', 'position', 'integer'],
] as const;
const EVENT = sql.raw(
  `id, site_id AS "siteId", at, to_hex(visitor) AS visitor, ${TEXT_COLUMNS.join(', ')}, amount, position`,
);
const NAMES = sql.raw(COLUMNS.map(([column]) => column).join(', '));

/** Those that counting reads. */
const COUNTED = sql.raw(
  ['site_id AS "siteId"', 'at', 'visitor::text AS visitor', ...TEXT_COLUMNS, 'amount', 'position']
    .map((column) => `event.${column}`)
    .join(', '),
);
const PAGE = 2000;

/** Events in the platform's database, in one partition for each day. */
export function postgresEvents(): EventTable {
  const partitions = new Set<string>();

  async function openDay(queries: Queries, day: string): Promise<void> {
    if (partitions.has(day)) return;
    const from = startOfDay(day).toISOString();
    const to = new Date(startOfDay(day).getTime() + DAY_MS).toISOString();
    const name = sql.raw(`analytics_events_${day.replaceAll('-', '')}`);
    const range = sql.raw(`FROM ('${from}') TO ('${to}')`);
    await sql`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF analytics_events FOR VALUES ${range}`
      .execute(queries)
      .catch((error: { code?: string }) => {
        // If two processes create it at once, the later one gets an "already exists" error.
        if (!['42P07', '23505', '42P17'].includes(error.code ?? '')) throw error;
      });
    partitions.add(day);
  }

  async function insert(queries: Queries, events: readonly AnalyticsEvent[]): Promise<void> {
    const values = COLUMNS.map(([, field, type]) => {
      const list = events.map((event) => (field === 'at' ? event.at.toISOString() : event[field]));
      return sql`${list}::${sql.raw(type)}[]`;
    });
    await sql`WITH storing AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${EVENTS_LOCK}))
      INSERT INTO analytics_events (${NAMES})
      SELECT ${NAMES} FROM storing, unnest(${sql.join(values)}) event (${NAMES})`.execute(queries);
  }

  async function insertNumbered(queries: Queries, events: readonly StoredEvent[]): Promise<void> {
    const values = [['id', 'id', 'bigint'] as const, ...COLUMNS].map(([, field, type]) => {
      const list = events.map((event) =>
        field === 'at' ? event.at.toISOString() : (event[field] ?? ''),
      );
      return sql`${list}::${sql.raw(type)}[]`;
    });
    await sql`INSERT INTO analytics_events (id, ${NAMES}) SELECT * FROM unnest(${sql.join(values)})`.execute(
      queries,
    );
  }

  return {
    async append(queries, events) {
      const days = [...new Set(events.map(({ at }) => isoDayOf(at)))];
      for (const day of days) await openDay(queries, day);
      try {
        await insert(queries, events);
      } catch (error) {
        // 23514: no partition. Retention deleted it after it was created.
        if ((error as { code?: string }).code !== '23514') throw error;
        for (const day of days) partitions.delete(day);
        for (const day of days) await openDay(queries, day);
        await insert(queries, events);
      }
    },
    async list(queries, { siteId, from, to, path, version, language }, { after, limit }) {
      const { rows } = await sql<StoredEvent>`
        SELECT ${EVENT} FROM analytics_events
        WHERE site_id = ${siteId} AND at >= ${from} AND at < ${to}
          AND (at, id) > (${after?.at ?? new Date(0)}::timestamptz, ${after?.id ?? 0}::bigint)
          AND ${path === undefined ? sql`true` : sql`path = ${path}`}
          AND ${version === undefined ? sql`true` : sql`version = ${version}`}
          AND ${language === undefined ? sql`true` : sql`language = ${language}`}
        ORDER BY at, id LIMIT ${limit}`.execute(queries);
      return rows;
    },
    async listAfter(queries, siteId, { after, upTo, limit }) {
      const { rows } = await sql<StoredEvent>`
        SELECT ${EVENT} FROM analytics_events
        WHERE site_id = ${siteId} AND id > ${after}::bigint AND id <= ${upTo}::bigint ORDER BY id LIMIT ${limit}`.execute(
        queries,
      );
      return rows;
    },
    async countAfter(queries, siteId, after, limit) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM (
          SELECT 1 FROM analytics_events WHERE site_id = ${siteId} AND id > ${after}::bigint LIMIT ${limit}) waiting`.execute(
        queries,
      );
      return rows[0]?.count ?? 0;
    },
    async countOf(queries, siteId, day) {
      const from = startOfDay(day);
      const to = new Date(from.getTime() + DAY_MS);
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM analytics_events WHERE site_id = ${siteId} AND at >= ${from} AND at < ${to}`.execute(
        queries,
      );
      return rows[0]?.count ?? 0;
    },
    async countReaderViews(queries, siteIds, after, { from, to }) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM analytics_events
        WHERE ${isNew(after, undefined)} AND site_id = ANY(${[...siteIds]}::text[]) AND kind = 'view' AND class = 'human'
          AND at >= ${from} AND at < ${to}`.execute(queries);
      return rows[0]?.count ?? 0;
    },
    days: daysWithEvents,
    async spanOf(queries, { after, upTo, siteId }, limit) {
      const { rows } = await sql<{ count: number; last: number; from: Date; to: Date }>`
        SELECT count(*) AS count, max(id) AS last, min(at) AS from, max(at) AS to FROM (
          SELECT id, at FROM analytics_events WHERE ${isNew(after, upTo)} ${siteId === undefined ? sql`` : sql`AND site_id = ${siteId}`}
          ${limit === undefined ? sql`` : sql`ORDER BY id LIMIT ${limit}`}) new`.execute(queries);
      const [row] = rows;
      if (!row || row.count === 0) return undefined;
      return {
        count: row.count,
        last: row.last,
        days: { from: floorDay(row.from), to: ceilDay(new Date(row.to.getTime() + 1)) },
      };
    },
    readRange(queries, siteId, { from, to }, { kinds, visitors }, add) {
      const within = sql`site_id = ${siteId} AND at >= ${from}::timestamptz AND at < ${to}::timestamptz`;
      return readAll(
        queries,
        sql`SELECT ${COUNTED}, false AS "isOld" FROM analytics_events event
          WHERE ${within} AND kind = ANY(${[...kinds]}::text[]) ${ofVisitors(visitors, within)}`,
        add,
      );
    },
    readTouched(queries, { after, upTo, siteId }, { from, to }, add) {
      const within = sql`at >= ${from}::timestamptz AND at < ${to}::timestamptz`;
      const which = siteId === undefined ? sql`true` : sql`site_id = ${siteId}`;
      const events = sql`
        SELECT ${COUNTED}, id <= ${after}::bigint AS "isOld"
        FROM (SELECT DISTINCT site_id AS new_site, visitor AS new_visitor, date_trunc('day', at, 'UTC') AS new_day
          FROM analytics_events WHERE ${isNew(after, upTo)} AND ${within} AND ${which}) new
        JOIN analytics_events event ON site_id = new_site AND visitor = new_visitor AND at >= new_day AND at < new_day + interval '24 hours'
        WHERE ${within} AND ${isNew(0, upTo)}`;
      return readAll(queries, events, add);
    },
    async readAfter(queries, after, limit) {
      const { rows } = await sql<StoredEvent>`SELECT id, ${COUNTED} FROM analytics_events event
        WHERE id > ${after}::bigint ORDER BY id LIMIT ${limit}`.execute(queries);
      return rows;
    },
    async restore(queries, events) {
      for (const day of new Set(events.map(({ at }) => isoDayOf(at)))) await openDay(queries, day);
      await insertNumbered(queries, events);
    },
    expire: (queries, kept) => expireEvents(queries, kept),
    async delete(queries, siteId, { from, to }) {
      const { numAffectedRows } = await sql`
        DELETE FROM analytics_events WHERE site_id = ${siteId} AND at >= ${from} AND at < ${to}`.execute(
        queries,
      );
      return Number(numAffectedRows ?? 0);
    },
  };
}

/** Visitors have another number each day, so those of the range are found by it alone. */
function ofVisitors(visitors: VisitorFilter, within: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = visitorFiltersOf(visitors).map(({ name, value }) => {
    const { field, kinds, of, ...filter } = VISITOR_FILTERS[name];
    const by = { readers: sql`class = 'human'`, machines: sql`class <> 'human'`, all: sql`true` }[
      of
    ];
    const has =
      'isAmong' in filter
        ? sql`strpos(${sql.ref(field)}, ${JSON.stringify(value)}) > 0`
        : sql`${sql.ref(field)} = ${value}`;
    return sql`bool_or(kind = ANY(${[...kinds]}::text[]) AND ${by} AND ${has})`;
  });
  if (conditions.length === 0) return sql``;
  return sql`AND visitor IN (
    SELECT visitor FROM analytics_events WHERE ${within} GROUP BY visitor HAVING ${sql.join(conditions, sql` AND `)})`;
}

const isNew = (after: number, upTo: number | undefined) =>
  sql`id > ${after}::bigint AND ${upTo === undefined ? sql`true` : sql`id <= ${upTo}::bigint`}`;

/** Reads page by page to bound memory, and yields to other work in between. */
async function readAll(
  queries: QueryRunner,
  events: RawBuilder<unknown>,
  add: AddEvent,
): Promise<void> {
  await sql`DECLARE counted NO SCROLL CURSOR FOR ${events} ORDER BY site_id, visitor, at, id`.execute(
    queries,
  );
  for (;;) {
    const { rows } = await sql<
      AnalyticsEvent & { isOld: boolean }
    >`FETCH ${sql.raw(`${PAGE}`)} FROM counted`.execute(queries);
    for (const row of rows) add(row, row.isOld);
    if (rows.length < PAGE) break;
  }
  await sql`CLOSE counted`.execute(queries);
}

async function daysWithEvents(queries: QueryRunner): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    SELECT to_char(to_date(right(relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') AS day FROM pg_inherits
    JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'analytics_events'::regclass ORDER BY day`.execute(
    queries,
  );
  return rows.map(({ day }) => day);
}

async function expireEvents(
  queries: Queries,
  { today, last, eventDays }: Parameters<EventTable['expire']>[1],
): Promise<void> {
  const days = sql`coalesce((sites.analytics_settings->>'eventDays')::integer, ${eventDays}::integer)`;
  const { rows } = await sql<{
    days: number | null;
  }>`SELECT max(${days}) AS days FROM sites`.execute(queries);
  const first = isoDayOf(new Date(today.getTime() - (rows[0]?.days ?? eventDays) * DAY_MS));
  for (const day of await daysWithEvents(queries)) {
    if (day >= first) break;
    await queries.transaction().execute((transaction) => expireDay(transaction, day, last));
  }
  await queries.transaction().execute(async (transaction) => {
    await lockFigures(transaction);
    const isOld = sql`sites.id = site_id AND analytics_events.id <= ${last}
      AND at < ${today}::timestamptz - make_interval(days => ${days})`;
    await noteDropped(
      transaction,
      sql`SELECT site_id, analytics_events.id FROM analytics_events, sites WHERE ${isOld}`,
    );
    await sql`DELETE FROM analytics_events USING sites WHERE ${isOld}`.execute(transaction);
  });
  await deleteEventsOfGoneSites(queries);
}

/**
 * Drops the events of a day, unless some are still to be counted, or another process has dropped
 * them by now.
 */
async function expireDay(transaction: QueryRunner, day: string, last: number): Promise<void> {
  const name = `analytics_events_${day.replaceAll('-', '')}`;
  await lockFigures(transaction);
  const { rows: partitionRows } = await sql<{
    isThere: boolean;
  }>`SELECT to_regclass(${name}) IS NOT NULL AS "isThere"`.execute(transaction);
  if (!partitionRows[0]?.isThere) return;
  const partition = sql.raw(name);
  const { rows: waiting } =
    await sql`SELECT 1 FROM ${partition} WHERE id > ${last} LIMIT 1`.execute(transaction);
  if (waiting.length > 0) return;
  const end = new Date(startOfDay(day).getTime() + DAY_MS);
  await noteDropped(
    transaction,
    sql`SELECT site_id, id FROM analytics_events WHERE at >= ${startOfDay(day)} AND at < ${end}`,
  );
  await sql`DROP TABLE ${partition}`.execute(transaction);
}

/** Adds to each stream the number of its events that are deleted before delivery. */
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
    SELECT site_id FROM named WHERE site_id IS NOT NULL AND site_id NOT IN (SELECT id FROM sites))`.execute(
    queries,
  );
}
