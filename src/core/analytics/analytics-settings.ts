/** What the owners of a site decide about its analytics. */
export interface AnalyticsSettings {
  /** Whether anything is counted. */
  enabled: boolean;
  /** What becomes of the words of searches: kept, replaced by a hash that is the same for the same words, or left out. */
  searchQueries: 'text' | 'hash' | 'drop';
  /** Days that events are kept. */
  eventDays: number;
  /** Days that figures are kept. */
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
