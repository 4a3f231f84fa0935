import { z } from 'zod';
import { changeAnalyticsSettings, deleteAnalytics, readAnalyticsSettings } from '../../../services/analytics/change-analytics.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectParams as params } from '../projects/project-params.ts';

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
const day = z.iso.date().transform((text) => new Date(text));

/** `GET` and `PATCH /v1/project/{projectId}/analytics-settings`, `DELETE /v1/analytics/{projectId}` */
export function analyticsSettingsRoutes(app: App, deps: Deps): void {
  const shared = { security: [{ adminKey: [] }], params };
  const url = '/v1/project/:projectId/analytics-settings';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      tags: ['Projects'],
      operationId: 'getProjectAnalyticsSettings',
      summary: 'Get the analytics settings',
      description: 'Returns the analytics settings of a site.',
      response: { 200: settings, ...problems(401, 403, 404) },
    },
    onRequest: requireActor(deps, 'projects.read'),
    handler: async (request, reply) => reply.send(await readAnalyticsSettings(deps, actorOf(request), request.params.projectId)),
  });
  app.route({
    method: 'PATCH',
    url,
    schema: {
      ...shared,
      tags: ['Projects'],
      operationId: 'changeProjectAnalyticsSettings',
      summary: 'Change the analytics settings',
      description: 'Changes the given settings and keeps the others. Returns all settings.',
      body: changes,
      response: { 200: settings, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'projects.write'),
    handler: async (request, reply) =>
      reply.send(await changeAnalyticsSettings(deps, actorOf(request), request.params.projectId, request.body)),
  });
  app.route({
    method: 'DELETE',
    url: '/v1/analytics/:projectId',
    schema: {
      ...shared,
      tags: ['Analytics'],
      operationId: 'deleteAnalytics',
      summary: 'Delete analytics',
      description:
        'Deletes the analytics of a site: events and figures of whole UTC days, and the feedback on its pages of these days. Without a range, deletes everything. Conversations and their ratings are kept.',
      querystring: z.object({
        dateFrom: day.optional().describe('First day to delete.'),
        dateTo: day.optional().describe('First day to keep.'),
      }),
      response: {
        200: z
          .object({
            deletedEvents: z.int().describe('Number of deleted events.'),
            deletedFeedback: z.int().describe('Number of deleted feedback entries on pages.'),
          })
          .meta({ examples: [{ deletedEvents: 48210, deletedFeedback: 31 }] }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'projects.write'),
    handler: async (request, reply) => {
      const { dateFrom: from, dateTo: to } = request.query;
      return reply.send(await deleteAnalytics(deps, actorOf(request), { ...request.params, from, to }));
    },
  });
}
