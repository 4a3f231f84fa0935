import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { changeFeedback, listSiteFeedback, summarizeFeedback } from '../../../services/feedback/manage-feedback.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectParams } from '../projects/project-params.ts';
import { endOf, pageEnd, paging } from './analytics-schema.ts';
import { feedback, feedbackChanges, feedbackFilters, feedbackQueryOf, feedbackView, ratings } from './feedback-schema.ts';

/** `GET /v1/analytics/{projectId}/feedback`, `…/feedback/by-page` and `PATCH …/feedback/{feedbackId}` */
export function feedbackRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Analytics'], security: [{ adminKey: [] }] };
  const url = '/v1/analytics/:projectId/feedback';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'listFeedback',
      summary: 'List feedback',
      description: 'Lists the feedback of readers and agents on pages, and of readers on answers of the assistant, newest first.',
      params: projectParams,
      querystring: z.object({ ...feedbackFilters, ...paging(100, 50) }),
      response: {
        200: z.object({ feedback: z.array(feedback).describe('The feedback, newest first.'), ...pageEnd }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'analytics.read'),
    handler: async (request, reply) => {
      const { cursor, limit, ...asked } = request.query;
      const query = { ...request.params, ...feedbackQueryOf(asked), cursor, limit };
      const page = await listSiteFeedback(deps, actorOf(request), query);
      return reply.send({ feedback: page.rows.map(feedbackView), ...endOf(page) });
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/by-page`,
    schema: {
      ...shared,
      operationId: 'summarizeFeedbackByPage',
      summary: 'Count feedback by page',
      description:
        'Counts feedback by page, the page with the most first. A rating of an answer counts for the page on which the question was asked; `about` selects one kind.',
      params: projectParams,
      querystring: z.object({ ...feedbackFilters, limit: paging(100, 10).limit }),
      response: {
        200: z.object({
          feedback: z.array(ratings).describe('The pages, the one with the most feedback first.'),
          hasMore: pageEnd.hasMore,
        }),
        ...problems(400, 401, 403, 404),
      },
    },
    onRequest: requireActor(deps, 'analytics.read'),
    handler: async (request, reply) => {
      const { limit, ...asked } = request.query;
      const query = { ...request.params, ...feedbackQueryOf(asked), limit };
      const { pages, hasMore } = await summarizeFeedback(deps, actorOf(request), query);
      return reply.send({ feedback: pages, hasMore });
    },
  });
  app.route({
    method: 'PATCH',
    url: `${url}/:feedbackId`,
    schema: {
      ...shared,
      operationId: 'changeFeedback',
      summary: 'Change feedback',
      description: 'Sets the status or the note of feedback. Omitted fields stay unchanged.',
      params: projectParams.extend({
        feedbackId: z
          .string()
          .max(64)
          .meta({ description: 'Identifier of the feedback.', examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'] }),
      }),
      body: feedbackChanges,
      response: { 200: feedback, ...problems(400, 401, 403, 404, 413, 415) },
    },
    onRequest: requireActor(deps, 'feedback.write'),
    handler: async (request, reply) => {
      const { status, note } = request.body;
      const changes = { ...(status !== undefined && { status }), ...(note !== undefined && { note }) };
      return reply.send(feedbackView(await changeFeedback(deps, actorOf(request), { ...request.params, ...changes })));
    },
  });
}
