import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import { DAY_MS, isoDayOf, startOfDay } from '@docent/format/analytics/days.ts';
import {
  VISITOR_FILTERS,
  type VisitorFilter,
  visitorFiltersOf,
} from '@docent/format/analytics/reports.ts';
import { sql } from 'kysely';
import type { StoredEvent } from '../../ports/analytics-store.ts';
import type { QueryRunner } from '../../ports/database.ts';
import {
  type AddEvent,
  EVENTS_LOCK,
  type EventTable,
  lockFigures,
  type NewEvents,
  type Range,
  TEXT_COLUMNS,
} from './event-table.ts';

/**
 * Returns a text as a literal of ClickHouse SQL, whose servers have query parameters only since
 * version 20.
 */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`;
}

const TABLE = 'docent_analytics_events';
const COLUMNS = `toString(id) AS number, site_id, toString(at) AS ms, toString(visitor) AS who, ${TEXT_COLUMNS.join(', ')}, amount, position`;
/** The table's days end in 2149; nothing is stored that late. */
const LAST_DAY = startOfDay('2100-01-01');
const WAIT_MS = 100;
const MAX_WAIT_MS = 10 * 60_000;

type Row = Record<(typeof TEXT_COLUMNS)[number] | 'number' | 'site_id' | 'ms' | 'who', string> & {
  amount: number;
  position: number;
  is_old?: number;
};

/**
 * Events in a ClickHouse database, for sites whose events outgrow PostgreSQL. Uses only what
 * servers since 18.16 have: numbers instead of `DateTime64`, literals instead of query parameters,
 * `ALTER TABLE … DELETE` instead of `DELETE`.
 *
 * Numbers come from the platform's database in a transaction that ends after the insert, so that
 * they settle as they do there. If an insert fails after the server has stored a part of it, its
 * events may be stored twice.
 */
export async function openClickHouseEvents(
  url: string,
): Promise<EventTable & { version(): Promise<string>; close(): Promise<void> }> {
  const client = createClient({
    url,
    application: 'docent',
    request_timeout: 120_000,
    log: { level: ClickHouseLogLevel.OFF },
  });
  // The second part of the partition is always 0. It makes the server record the smallest and
  // largest number of each part, so that only parts with new events are read.
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS ${TABLE} (day Date, id UInt64, site_id String, at Int64, visitor Int64,
      ${TEXT_COLUMNS.map((name) => `${name} String`).join(', ')}, amount Int32, position Int32)
      ENGINE = MergeTree PARTITION BY (day, intDiv(id, 1000000000000000)) ORDER BY (site_id, at, id)`,
  });
  await addMissingColumns(client);
  const version = async () => {
    const answer = await client.query({
      query: 'SELECT version() AS version',
      format: 'JSONEachRow',
    });
    const [row] = await answer.json<{ version: string }>();
    return `ClickHouse ${row?.version}`;
  };
  return { ...eventsOf(client), version, close: () => client.close() };
}

/** A table of an earlier version has fewer columns. */
async function addMissingColumns(client: ClickHouseClient): Promise<void> {
  const answer = await client.query({
    query: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${TABLE}'`,
    format: 'JSONEachRow',
  });
  const names = new Set((await answer.json<{ name: string }>()).map(({ name }) => name));
  const missing = TEXT_COLUMNS.filter((name) => !names.has(name));
  for (const name of missing)
    await client
      .command({ query: `ALTER TABLE ${TABLE} ADD COLUMN ${name} String` })
      // Several processes start at once.
      .catch(async (error: unknown) => {
        const again = await client.query({
          query: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${TABLE}' AND name = '${name}'`,
          format: 'JSONEachRow',
        });
        if ((await again.json()).length === 0) throw error;
      });
}

const within = ({ from, to }: Range) =>
  `day >= ${literal(isoDayOf(from))} AND day <= ${literal(isoDayOf(to < LAST_DAY ? to : LAST_DAY))}
    AND at >= ${from.getTime()} AND at < ${to.getTime()}`;
const ofSite = (siteId: string | undefined) =>
  siteId === undefined ? '1' : `site_id = ${literal(siteId)}`;
const isNew = ({ after, upTo, siteId }: NewEvents) =>
  `id > ${after} AND ${upTo === undefined ? '1' : `id <= ${upTo}`} AND ${ofSite(siteId)}`;

/** Visitors have another number each day, so those of the range are found by it alone. */
function ofVisitors(visitors: VisitorFilter, where: string): string {
  const conditions = visitorFiltersOf(visitors).map(({ name, value }) => {
    const { field, kinds, of, ...filter } = VISITOR_FILTERS[name];
    const by = { readers: `class = 'human'`, machines: `class != 'human'`, all: '1' }[of];
    const has =
      'isAmong' in filter
        ? `position(${field}, ${literal(JSON.stringify(value))}) > 0`
        : `${field} = ${literal(value)}`;
    return `max(kind IN (${kinds.map(literal).join(', ')}) AND ${by} AND ${has}) = 1`;
  });
  if (conditions.length === 0) return '';
  return ` AND visitor IN (SELECT visitor FROM ${TABLE} WHERE ${where} GROUP BY visitor HAVING ${conditions.join(' AND ')})`;
}

function eventsOf(client: ClickHouseClient): EventTable {
  async function select<Found>(query: string): Promise<Found[]> {
    const result = await client.query({ query, format: 'JSONEachRow' });
    return result.json<Found>();
  }
  async function count(where: string): Promise<number> {
    const [row] = await select<{ found: string }>(
      `SELECT toString(count()) AS found FROM ${TABLE} WHERE ${where}`,
    );
    return Number(row?.found ?? 0);
  }
  async function storedEvents(query: string): Promise<StoredEvent[]> {
    const rows = await select<Row>(`SELECT ${COLUMNS} FROM ${TABLE} WHERE ${query}`);
    return rows.map((row) => ({
      ...eventOf(row),
      id: Number(row.number),
      visitor: hexOf(row.who),
    }));
  }
  async function days(): Promise<string[]> {
    const rows = await select<{
      day: string;
    }>(`SELECT DISTINCT toString(min_date) AS day FROM system.parts
      WHERE database = currentDatabase() AND table = '${TABLE}' AND active AND rows > 0 ORDER BY day`);
    return rows.map(({ day }) => day);
  }
  async function readSorted(columns: string, where: string, add: AddEvent): Promise<void> {
    const query = `SELECT ${columns} FROM ${TABLE} WHERE ${where} ORDER BY site_id, visitor, at, id`;
    const result = await client.query({ query, format: 'JSONEachRow' });
    for await (const rows of result.stream<Row>())
      for (const row of rows) {
        const event = row.json();
        add(eventOf(event), event.is_old === 1);
      }
  }
  /** The server deletes in the background; this waits for it. */
  async function remove(where: string): Promise<void> {
    await client.command({ query: `ALTER TABLE ${TABLE} DELETE WHERE ${where}` });
    for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_MS) {
      const running = await select(`SELECT mutation_id FROM system.mutations
        WHERE database = currentDatabase() AND table = '${TABLE}' AND is_done = 0 LIMIT 1`);
      if (running.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    throw new Error('ClickHouse did not finish deleting events within 10 minutes.');
  }

  const rowOf = ({ siteId, at, ...event }: AnalyticsEvent, id: number | undefined) => ({
    ...{ ...event, id, site_id: siteId, day: isoDayOf(at), at: at.getTime() },
  });

  return {
    async append(queries, events) {
      await queries.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ id: number }>`
          WITH storing AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${EVENTS_LOCK}))
          SELECT nextval('analytics_event_ids') AS id FROM storing, generate_series(1, ${events.length}::integer)`.execute(
          transaction,
        );
        const values = events.map((event, index) => rowOf(event, rows[index]?.id));
        await client.insert({ table: TABLE, values, format: 'JSONEachRow' });
      });
    },
    async list(_queries, { siteId, from, to, path, version, language }, { after, limit }) {
      const start = after && after.at > from ? after.at : from;
      const filters = Object.entries({ path, version, language }).filter(
        ([, value]) => value !== undefined,
      );
      const conditions = filters
        .map(([name, value]) => ` AND ${name} = ${literal(value as string)}`)
        .join('');
      const next = after
        ? ` AND (at > ${after.at.getTime()} OR (at = ${after.at.getTime()} AND id > ${after.id}))`
        : '';
      const listedEvents: StoredEvent[] = [];
      // Day by day, because the server sorts all that it reads.
      for (const day of await days()) {
        if (day < isoDayOf(start) || startOfDay(day) >= to || listedEvents.length >= limit)
          continue;
        const where = `${within({ from: start, to })} AND day = ${literal(day)} AND ${ofSite(siteId)}${conditions}${next}`;
        listedEvents.push(
          ...(await storedEvents(`${where} ORDER BY at, id LIMIT ${limit - listedEvents.length}`)),
        );
      }
      return listedEvents;
    },
    listAfter(_queries, siteId, { after, upTo, limit }) {
      const which = isNew({ after, upTo, siteId });
      // The last number first, because the server reads all columns of what it sorts.
      const last = `SELECT max(id) FROM (SELECT id FROM ${TABLE} WHERE ${which} ORDER BY id LIMIT ${limit})`;
      return storedEvents(`${which} AND id <= (${last}) ORDER BY id`);
    },
    async countAfter(_queries, siteId, after, limit) {
      return Math.min(limit, await count(isNew({ after, siteId })));
    },
    countOf: (_queries, siteId, day) => count(`${ofSite(siteId)} AND day = ${literal(day)}`),
    async countReaderViews(_queries, siteIds, after, range) {
      if (siteIds.length === 0) return 0;
      const sites = siteIds.map(literal).join(', ');
      return count(
        `${isNew({ after })} AND site_id IN (${sites}) AND kind = 'view' AND class = 'human' AND ${within(range)}`,
      );
    },
    days,
    async spanOf(_queries, which, limit) {
      const first = limit === undefined ? '' : `ORDER BY id LIMIT ${limit}`;
      const [row] = await select<Record<'found' | 'last' | 'start' | 'end', string>>(`
        SELECT toString(count()) AS found, toString(max(id)) AS last, toString(min(day)) AS start, toString(max(day)) AS end
        FROM (SELECT id, day FROM ${TABLE} WHERE ${isNew(which)} ${first})`);
      if (!row || row.found === '0') return undefined;
      const to = new Date(startOfDay(row.end).getTime() + DAY_MS);
      return {
        count: Number(row.found),
        last: Number(row.last),
        days: { from: startOfDay(row.start), to },
      };
    },
    readRange(_queries, siteId, range, { kinds, visitors }, add) {
      const where = `${ofSite(siteId)} AND ${within(range)}`;
      const ofKinds = ` AND kind IN (${kinds.map(literal).join(', ')})`;
      return readSorted(COLUMNS, where + ofKinds + ofVisitors(visitors, where), add);
    },
    readTouched: (_queries, which, range, add) =>
      readSorted(
        `${COLUMNS}, id <= ${which.after} AS is_old`,
        `${isNew({ ...which, after: 0 })} AND ${within(range)} AND (site_id, visitor, day) IN (
          SELECT site_id, visitor, day FROM ${TABLE} WHERE ${isNew(which)} AND ${within(range)})`,
        add,
      ),
    async readAfter(_queries, after, limit) {
      const which = isNew({ after });
      const last = `SELECT max(id) FROM (SELECT id FROM ${TABLE} WHERE ${which} ORDER BY id LIMIT ${limit})`;
      const rows = await select<Row>(
        `SELECT ${COLUMNS} FROM ${TABLE} WHERE ${which} AND id <= (${last}) ORDER BY id`,
      );
      return rows.map((row) => ({ ...eventOf(row), id: Number(row.number) }));
    },
    async restore(_queries, events) {
      await client.insert({
        table: TABLE,
        values: events.map((event) => rowOf(event, event.id)),
        format: 'JSONEachRow',
      });
    },
    outside: {
      hasAny: async () => (await select(`SELECT 1 FROM ${TABLE} LIMIT 1`)).length > 0,
      async clear() {
        await client.command({ query: `TRUNCATE TABLE ${TABLE}` });
      },
    },
    async expire(queries, { today, last, eventDays }) {
      await queries.transaction().execute(async (transaction) => {
        await lockFigures(transaction);
        const siteStarts = await select<{ site_id: string; start: string }>(
          `SELECT site_id, toString(min(day)) AS start FROM ${TABLE} WHERE id <= ${last} GROUP BY site_id`,
        );
        const kept = await retentionOf(transaction, eventDays);
        const old = siteStarts.flatMap(({ site_id: siteId, start }) => {
          const first = isoDayOf(new Date(today.getTime() - (kept.get(siteId) ?? -1) * DAY_MS));
          return start < first
            ? [{ siteId, where: `(${ofSite(siteId)} AND day < ${literal(first)})` }]
            : [];
        });
        // In steps, because a query has a maximum length.
        for (let from = 0; from < old.length; from += 500) {
          const part = old.slice(from, from + 500);
          const where = `id <= ${last} AND (${part.map((siteRange) => siteRange.where).join(' OR ')})`;
          await noteDropped(
            transaction,
            part.map(({ siteId }) => siteId),
            (siteId, after) => count(`${isNew({ after, siteId })} AND ${where}`),
          );
          await remove(where);
        }
      });
    },
    async delete(_queries, siteId, range) {
      const where = `${ofSite(siteId)} AND ${within(range)}`;
      const eventCount = await count(where);
      if (eventCount > 0) await remove(where);
      return eventCount;
    },
  };
}

function eventOf({ number, site_id: siteId, ms, who, is_old, ...event }: Row): AnalyticsEvent {
  return { ...event, siteId, at: new Date(Number(ms)), visitor: who } as AnalyticsEvent;
}

const hexOf = (decimal: string) => BigInt.asUintN(64, BigInt(decimal)).toString(16);

/** Returns for how many days each site keeps its events. */
async function retentionOf(queries: QueryRunner, eventDays: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; days: number }>`
    SELECT id, coalesce((analytics_settings->>'eventDays')::integer, ${eventDays}::integer) AS days FROM sites`.execute(
    queries,
  );
  return new Map(rows.map(({ id, days }) => [id, days]));
}

/** Adds to each stream the number of its events that are deleted before delivery. */
async function noteDropped(
  queries: QueryRunner,
  siteIds: readonly string[],
  lostOf: (siteId: string, after: number) => Promise<number>,
): Promise<void> {
  const { rows } = await sql<{ id: string; siteId: string; last: number }>`
    SELECT id, site_id AS "siteId", last_event AS last FROM analytics_streams WHERE site_id = ANY(${siteIds}::text[])`.execute(
    queries,
  );
  for (const { id, siteId, last } of rows) {
    const lost = await lostOf(siteId, last);
    if (lost > 0)
      await sql`UPDATE analytics_streams SET dropped = dropped + ${lost} WHERE id = ${id}`.execute(
        queries,
      );
  }
}
