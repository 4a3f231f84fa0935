import * as z from 'zod';

/** Analytics settings of a site, set by its owners. */
export const analyticsSettings = z.object({
  enabled: z.boolean().describe('Whether anything is counted on this site.'),
  searchQueries: z
    .enum(['text', 'hash', 'drop'])
    .describe('How search queries are stored: as text, as a keyed hash, or not at all.'),
  eventDays: z.int().min(2).max(400).describe('Retention of events, in days.'),
  figureDays: z.int().min(2).max(3650).describe('Retention of figures, in days.'),
  feedbackDays: z
    .int()
    .min(1)
    .max(3650)
    .describe(
      'Retention of feedback on pages, in days. Ratings of answers are kept with their conversation.',
    ),
});
export type AnalyticsSettings = z.infer<typeof analyticsSettings>;

export const defaultAnalyticsSettings: AnalyticsSettings = {
  enabled: true,
  searchQueries: 'text',
  eventDays: 30,
  figureDays: 730,
  feedbackDays: 730,
};
