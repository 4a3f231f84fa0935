import { z } from 'zod';
import { changeAnalyticsSettings, deleteAnalytics, readAnalyticsSettings } from '../../../services/analytics/change-analytics.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams as params } from '../projects/project-schema.ts';
import { day, queryOf } from './analytics-schema.ts';

const fields = {
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
    .describe('Retention of feedback on pages, in days. Ratings of answers are kept with their conversation.'),
};
const example = { enabled: true, searchQueries: 'text', eventDays: 30, figureDays: 730, feedbackDays: 730 } as const;
const settings = z
  .object(fields)
  .meta({ id: 'AnalyticsSettings', description: 'The analytics settings of a site.', examples: [example] });
const changes = z
  .strictObject(fields)
  .partial()
  .meta({ examples: [{ searchQueries: 'hash' }] });

/** `GET` and `PATCH /v1/project/{projectId}/analytics-settings`, `DELETE /v1/analytics/{projectId}` */
export function analyticsSettingsRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Projects');
  const url = '/v1/project/:projectId/analytics-settings';
  operation({
    route: `GET ${url}`,
    operationId: 'getProjectAnalyticsSettings',
    summary: 'Get the analytics settings',
    description: 'Returns the analytics settings of a site.',
    permission: 'projects.read',
    params,
    answer: settings,
    run: ({ actor, params }) => readAnalyticsSettings(deps, actor, params.projectId),
  });
  operation({
    route: `PATCH ${url}`,
    operationId: 'changeProjectAnalyticsSettings',
    summary: 'Change the analytics settings',
    description: 'Changes the given settings and keeps the others. Returns all settings.',
    permission: 'projects.write',
    params,
    body: changes,
    answer: settings,
    run: ({ actor, params, body }) => changeAnalyticsSettings(deps, actor, params.projectId, body),
  });
  operationsOf(
    app,
    deps,
    'Analytics',
  )({
    route: 'DELETE /v1/analytics/:projectId',
    operationId: 'deleteAnalytics',
    summary: 'Delete analytics',
    description:
      'Deletes the analytics of a site: events and figures of whole UTC days, and the feedback on its pages of these days. Without a range, deletes everything. Conversations and their ratings are kept.',
    permission: 'projects.write',
    params,
    query: z.object({
      dateFrom: day.optional().describe('First day to delete.'),
      dateTo: day.optional().describe('First day to keep.'),
    }),
    answer: z
      .object({
        deletedEvents: z.int().describe('Number of deleted events.'),
        deletedFeedback: z.int().describe('Number of deleted feedback entries on pages.'),
      })
      .meta({ examples: [{ deletedEvents: 48210, deletedFeedback: 31 }] }),
    run: (call) => deleteAnalytics(deps, call.actor, queryOf(call)),
  });
}
