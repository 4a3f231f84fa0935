import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import type { FigureScope, VisitorFilter } from '@docent/format/analytics/reports.ts';
import { sql } from 'kysely';
import type { AnalyticsStore, EventCopies } from '../../ports/analytics-store.ts';
import type { Queries, QueryRunner } from '../../ports/database.ts';

/** Columns of events that are texts, named like the fields of an event. */
export const TEXT_COLUMNS = [
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
  'groups',
] as const;

export interface Range {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Events with numbers after `after`, up to `upTo`, of a site or of all. */
export interface NewEvents {
  after: number;
  upTo?: number;
  siteId?: string;
}

/** Events of these kinds, by the visitors who meet every filter. */
export interface WhichEvents {
  kinds: readonly AnalyticsEvent['kind'][];
  visitors: VisitorFilter;
}

export type AddEvent = (event: AnalyticsEvent, isOld: boolean) => void;

/**
 * Where events are stored. Their numbers, figures and salts are always in the platform's database,
 * whose connection or transaction is the first argument.
 */
export interface EventTable extends EventCopies {
  /**
   * Stores events with ascending numbers, none of which is settled before the event can be read.
   */
  append(queries: Queries, events: readonly AnalyticsEvent[]): Promise<void>;
  list(
    queries: QueryRunner,
    scope: FigureScope,
    page: Parameters<AnalyticsStore['events']>[1],
  ): ReturnType<AnalyticsStore['events']>;
  listAfter(
    queries: QueryRunner,
    ...query: Parameters<AnalyticsStore['eventsAfter']>
  ): ReturnType<AnalyticsStore['eventsAfter']>;
  countAfter(
    queries: QueryRunner,
    ...query: Parameters<AnalyticsStore['countAfter']>
  ): Promise<number>;
  countOf(queries: QueryRunner, siteId: string, day: string): Promise<number>;
  /**
   * Returns how many views of readers these sites have among events with numbers after `after`,
   * within the range.
   */
  countReaderViews(
    queries: QueryRunner,
    siteIds: readonly string[],
    after: number,
    range: Range,
  ): Promise<number>;
  /** Returns the days with events, oldest first. */
  days(queries: QueryRunner): Promise<string[]>;
  /** Returns count, last number and days of the first `limit` events. */
  spanOf(
    queries: QueryRunner,
    which: NewEvents,
    limit?: number,
  ): Promise<{ count: number; last: number; days: Range } | undefined>;
  /** Passes these events of a site in the order that counting needs. Runs within a transaction. */
  readRange(
    queries: QueryRunner,
    siteId: string,
    range: Range,
    which: WhichEvents,
    add: AddEvent,
  ): Promise<void>;
  /**
   * Passes all events of the days of those visitors who caused new ones, the others as old, in the
   * order that counting needs. Runs within a transaction.
   * @param days contain the new events, so that no other day is searched
   */
  readTouched(queries: QueryRunner, which: NewEvents, days: Range, add: AddEvent): Promise<void>;
  /**
   * Deletes counted events past their retention, and those of deleted sites. Records how many of
   * them streams had not delivered.
   * @param kept `last`: the last counted event; `eventDays`: for sites without their own retention
   */
  expire(queries: Queries, kept: { today: Date; last: number; eventDays: number }): Promise<void>;
  /** Deletes the events of a site. @returns their number */
  delete(queries: QueryRunner, siteId: string, range: Range): Promise<number>;
}

/** Advisory lock numbers, unique in this database: changing figures, and storing events. */
export const FIGURES_LOCK = sql.raw('4718331915');
export const EVENTS_LOCK = sql.raw('4718331916');

/**
 * Waits until no other transaction changes figures, and keeps others from it until this one ends.
 */
export async function lockFigures(transaction: QueryRunner): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${FIGURES_LOCK})`.execute(transaction);
}
