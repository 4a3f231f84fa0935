import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AnalyticsEvent } from '../../core/analytics/analytics-event.ts';
import { isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { AnalyticsStore, StoredEvent } from '../../ports/analytics-store.ts';
import type { Database } from '../../ports/database.ts';
import { readFigures } from './read-figures.ts';
import { countNewEvents, deleteFigures, EVENTS_LOCK, expireOld, settledUpTo } from './retention.ts';

/** The columns that events are stored in, each with the field it comes from and its type. */
const COLUMNS = [
  ['site_id', 'siteId', 'text'],
  ['at', 'at', 'timestamptz'],
  ['visitor', 'visitor', 'bigint'],
  ...(
    [
      'kind',
      'class',
      'agent',
      'path',
      'version',
      'language',
      'name',
      'target',
      'source',
      'campaign',
      'device',
      'browser',
    ] as const
  ).map((name) => [name, name, 'text'] as const),
  ['amount', 'amount', 'integer'],
  ['position', 'position', 'integer'],
] as const;
const EVENT =
  sql.raw(`id, site_id AS "siteId", at, kind, class, agent, to_hex(visitor) AS visitor, path, version, language, name, target,
  source, campaign, device, browser, amount, position`);
const NAMES = sql.raw(COLUMNS.map(([column]) => column).join(', '));

/** Keeps analytics in the database of the platform, embedded or a server. */
export function createSqlAnalyticsStore({ queries }: Pick<Database, 'queries'>): AnalyticsStore {
  const partitions = new Set<string>();

  async function openDay(day: string): Promise<void> {
    if (partitions.has(day)) return;
    const from = startOfDay(day).toISOString();
    const to = new Date(startOfDay(day).getTime() + 86_400_000).toISOString();
    const name = sql.raw(`analytics_events_${day.replaceAll('-', '')}`);
    const range = sql.raw(`FROM ('${from}') TO ('${to}')`);
    await sql`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF analytics_events FOR VALUES ${range}`
      .execute(queries)
      .catch((error: { code?: string }) => {
        // Two processes that make it at once: the later one gets an error that it exists.
        if (!['42P07', '23505', '42P17'].includes(error.code ?? '')) throw error;
      });
    partitions.add(day);
  }

  async function insert(events: readonly AnalyticsEvent[]): Promise<void> {
    const values = COLUMNS.map(([, field, type]) => {
      const list = events.map((event) => (field === 'at' ? event.at.toISOString() : event[field]));
      return sql`${list}::${sql.raw(type)}[]`;
    });
    await sql`WITH storing AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${EVENTS_LOCK}))
      INSERT INTO analytics_events (${NAMES})
      SELECT ${NAMES} FROM storing, unnest(${sql.join(values)}) event (${NAMES})`.execute(queries);
  }

  return {
    async append(events) {
      if (events.length === 0) return;
      const days = [...new Set(events.map(({ at }) => isoDayOf(at)))];
      for (const day of days) await openDay(day);
      try {
        await insert(events);
      } catch (error) {
        // 23514: no partition. It was deleted with its age since it was made.
        if ((error as { code?: string }).code !== '23514') throw error;
        for (const day of days) partitions.delete(day);
        for (const day of days) await openDay(day);
        await insert(events);
      }
    },
    async saltOf(day) {
      const salt = randomBytes(32).toString('base64url');
      await sql`INSERT INTO analytics_salts (day, salt) VALUES (${day}::date, ${salt}) ON CONFLICT DO NOTHING`.execute(queries);
      const { rows } = await sql<{ salt: string }>`SELECT salt FROM analytics_salts WHERE day = ${day}::date`.execute(queries);
      return (rows[0] as { salt: string }).salt;
    },
    figures: (query) => readFigures(queries, query),
    async events({ siteId, from, to, path, version, language }, { after, limit }) {
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
    async eventsAfter(siteId, { after, upTo, limit }) {
      const { rows } = await sql<StoredEvent>`
        SELECT ${EVENT} FROM analytics_events
        WHERE site_id = ${siteId} AND id > ${after}::bigint AND id <= ${upTo}::bigint ORDER BY id LIMIT ${limit}`.execute(
        queries,
      );
      return rows;
    },
    async countAfter(siteId, after, limit) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM (
          SELECT 1 FROM analytics_events WHERE site_id = ${siteId} AND id > ${after}::bigint LIMIT ${limit}) waiting`.execute(
        queries,
      );
      return rows[0]?.count ?? 0;
    },
    settledUpTo: () => settledUpTo(queries),
    async countOf(siteId, day) {
      const from = startOfDay(day);
      const to = new Date(from.getTime() + 86_400_000);
      const { rows } = await sql<{ count: number }>`
        SELECT count(*) AS count FROM analytics_events WHERE site_id = ${siteId} AND at >= ${from} AND at < ${to}`.execute(
        queries,
      );
      return rows[0]?.count ?? 0;
    },
    rollUp: () => countNewEvents(queries),
    expire: (now, defaults) => expireOld(queries, now, defaults),
    delete: (siteId, range) => deleteFigures(queries, siteId, range),
  };
}
