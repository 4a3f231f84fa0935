import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AnalyticsStore } from '../../ports/analytics-store.ts';
import type { Database } from '../../ports/database.ts';
import type { EventTable } from './event-table.ts';
import { postgresEvents } from './postgres-events.ts';
import { readFigures } from './read-figures.ts';
import { countNewEvents, deleteFigures, expireOld, settledUpTo } from './retention.ts';

/** Stores analytics in the platform's database, embedded or on a server. @param table where its events are, if elsewhere */
export function createSqlAnalyticsStore(
  { queries }: Pick<Database, 'queries'>,
  table: EventTable = postgresEvents(),
): AnalyticsStore {
  return {
    async append(events) {
      if (events.length > 0) await table.append(queries, events);
    },
    async saltOf(day) {
      const salt = randomBytes(32).toString('base64url');
      await sql`INSERT INTO analytics_salts (day, salt) VALUES (${day}::date, ${salt}) ON CONFLICT DO NOTHING`.execute(queries);
      const { rows } = await sql<{ salt: string }>`SELECT salt FROM analytics_salts WHERE day = ${day}::date`.execute(queries);
      return (rows[0] as { salt: string }).salt;
    },
    figures: (query) => readFigures(queries, table, query),
    events: (scope, page) => table.list(queries, scope, page),
    eventsAfter: (siteId, range) => table.listAfter(queries, siteId, range),
    countAfter: (siteId, after, limit) => table.countAfter(queries, siteId, after, limit),
    settledUpTo: () => settledUpTo(queries),
    countOf: (siteId, day) => table.countOf(queries, siteId, day),
    rollUp: () => countNewEvents(queries, table),
    expire: (now, defaults) => expireOld(queries, table, now, defaults),
    delete: (siteId, range) => deleteFigures(queries, table, siteId, range),
  };
}
