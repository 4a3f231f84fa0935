import type { AnalyticsEvent } from '../core/analytics/analytics-event.ts';
import type { Dimension, FigureScope, Figures } from '../core/analytics/reports.ts';

export interface FigureQuery extends FigureScope {
  dimension: Dimension;
  /** What each row is about; `all` gives one row, or none where nothing was counted. */
  by: 'all' | 'path' | 'key' | 'detail' | 'key-and-detail' | 'day' | 'hour';
  /** Only these keys. */
  keys?: readonly string[] | undefined;
  /** What is sorted by, largest first. `day` and `hour` are sorted by time. */
  order: 'readings' | 'visitors' | 'events';
  limit: number;
  offset: number;
}

export interface FigureRow extends Figures {
  /** Start of the day or hour where rows are by time. */
  startsAt: Date | null;
}

export interface StoredEvent extends AnalyticsEvent {
  id: number;
}

/** How long what is kept, of a site. */
export interface AnalyticsRetention {
  eventDays: number;
  figureDays: number;
}

/** Keeps what was counted and answers questions about it. Days are UTC days. */
export interface AnalyticsStore {
  /** Stores events; any number of processes may at once. */
  append(events: readonly AnalyticsEvent[]): Promise<void>;
  /** The secret of a day (`2026-11-22`), the same for every process; made on first use. */
  saltOf(day: string): Promise<string>;
  /**
   * Figures of a site. Whole days are read from figures, parts of days from events. Of a day whose events are gone, the whole day
   * counts, also where the range begins or ends within it.
   */
  figures(query: FigureQuery): Promise<FigureRow[]>;
  /** Events of a site, oldest first, those after `after`. */
  events(scope: FigureScope, page: { after?: { at: Date; id: number } | undefined; limit: number }): Promise<StoredEvent[]>;
  /**
   * Events of a site in the order of their numbers: those after `after`, up to `upTo`.
   * @param range.upTo a number of `settledUpTo`, so that no event is missed
   */
  eventsAfter(siteId: string, range: { after: number; upTo: number; limit: number }): Promise<StoredEvent[]>;
  /** How many events of a site come after a number, counted up to `limit`. */
  countAfter(siteId: string, after: number, limit: number): Promise<number>;
  /** A number up to which all events are stored: none with a smaller one can appear any more. */
  settledUpTo(): Promise<number>;
  /** How many events of that day are stored. */
  countOf(siteId: string, day: string): Promise<number>;
  /**
   * Adds the events since it last ran to the figures, which only makes reading them quicker. Any number of processes may do it at
   * once. @returns how many were added
   */
  rollUp(): Promise<number>;
  /** Deletes what is too old, and salts after 48 hours. Notes how many of the deleted events streams had still to deliver. */
  expire(now: Date, defaults: AnalyticsRetention): Promise<void>;
  /** Deletes events and figures of a site in a range of whole days. @returns the number of events */
  delete(siteId: string, range: { from?: Date | undefined; to?: Date | undefined }): Promise<number>;
}
