import type { AnalyticsEvent } from '@docent/format/analytics/analytics-event.ts';
import type { Dimension } from '@docent/format/analytics/count-figures.ts';
import type { FigureScope, Figures, VisitorFilter } from '@docent/format/analytics/reports.ts';
import type { Queries, QueryRunner } from './database.ts';

export interface FigureQuery extends FigureScope {
  dimension: Dimension;
  /** What to group rows by; `all` returns one row, or none if nothing was counted. */
  by: 'all' | 'path' | 'key' | 'detail' | 'key-and-detail' | 'day' | 'hour';
  /** Only these keys and pages. */
  keys?: readonly string[] | undefined;
  paths?: readonly string[] | undefined;
  /**
   * Only what these visitors did; counted from events, so it reaches back only as far as they are
   * stored, and what happened in the last seconds may be missing.
   */
  visitors?: VisitorFilter | undefined;
  /** Sort key, largest first. `day` and `hour` are sorted by time. */
  order: 'readings' | 'visitors' | 'events';
  limit: number;
  offset: number;
}

export interface FigureRow extends Figures {
  /** Start of the day or hour if rows are by time. */
  startsAt: Date | null;
}

export interface StoredEvent extends AnalyticsEvent {
  id: number;
}

/** All stored events with their numbers, to copy them to another platform. `visitor` is decimal. */
export interface EventCopies {
  /**
   * Returns the events after a number, in order, up to `limit`. @param queries its snapshot is what
   * is read, where events are in it
   */
  readAfter(queries: QueryRunner, after: number, limit: number): Promise<StoredEvent[]>;
  /** Stores events under the numbers that they have. */
  restore(queries: Queries, events: readonly StoredEvent[]): Promise<void>;
  /** Where events are outside the platform's database: whether there is any, and deletes all. */
  outside?: { hasAny(): Promise<boolean>; clear(): Promise<void> };
}

/** Retention periods of a site. */
export interface AnalyticsRetention {
  eventDays: number;
  figureDays: number;
}

/** Stores analytics and answers queries about it. Days are UTC days. */
export interface AnalyticsStore {
  /** Stores events; any number of processes may do so at once. */
  append(events: readonly AnalyticsEvent[]): Promise<void>;
  /**
   * Returns the secret of a day (`2026-11-22`), the same for every process; created on first use.
   */
  saltOf(day: string): Promise<string>;
  /**
   * Returns figures of a site. Whole days are read from figures, partial days from events. If the
   * events of a day are gone, the whole day counts, even if the range begins or ends within it.
   */
  figures(query: FigureQuery): Promise<FigureRow[]>;
  /**
   * Returns how many pages readers viewed on all of these sites together. Whole days are counted.
   */
  readerViews(siteIds: readonly string[], range: { from: Date; to: Date }): Promise<number>;
  /** Returns events of a site, oldest first, starting after `after`. */
  events(
    scope: FigureScope,
    page: { after?: { at: Date; id: number } | undefined; limit: number },
  ): Promise<StoredEvent[]>;
  /**
   * Returns events of a site in the order of their numbers: those after `after`, up to `upTo`.
   * @param range.upTo a number from `settledUpTo`, so that no event is missed
   */
  eventsAfter(
    siteId: string,
    range: { after: number; upTo: number; limit: number },
  ): Promise<StoredEvent[]>;
  /** Returns how many events of a site come after a number, counted up to `limit`. */
  countAfter(siteId: string, after: number, limit: number): Promise<number>;
  /**
   * Returns a number up to which all events are stored: none with a smaller one can appear any
   * more.
   */
  settledUpTo(): Promise<number>;
  /** Returns how many events of that day are stored. */
  countOf(siteId: string, day: string): Promise<number>;
  /**
   * Adds the events since its last run to the figures, which only makes reading faster. Any number
   * of processes may do so at once. @returns the number added
   */
  rollUp(): Promise<number>;
  /**
   * Deletes data past its retention, and salts after 48 hours. Records how many of the deleted
   * events streams had not delivered yet.
   */
  expire(now: Date, defaults: AnalyticsRetention): Promise<void>;
  /**
   * Deletes events and figures of a site in a range of whole days. @returns the number of events
   */
  delete(
    siteId: string,
    range: { from?: Date | undefined; to?: Date | undefined },
  ): Promise<number>;
}
