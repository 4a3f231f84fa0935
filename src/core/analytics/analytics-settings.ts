/** Analytics settings of a site, set by its owners. */
export interface AnalyticsSettings {
  /** Whether events are counted. */
  enabled: boolean;
  /** What happens to the text of searches: kept, replaced by a stable hash, or left out. */
  searchQueries: 'text' | 'hash' | 'drop';
  /** Retention of events, in days. */
  eventDays: number;
  /** Retention of figures, in days. */
  figureDays: number;
  /** Days that feedback on pages is kept. */
  feedbackDays: number;
}

export const defaultAnalyticsSettings: AnalyticsSettings = {
  enabled: true,
  searchQueries: 'text',
  eventDays: 30,
  figureDays: 730,
  feedbackDays: 730,
};
