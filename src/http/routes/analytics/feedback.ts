import { z } from 'zod';
import type { Deps } from '../../../services/deps.ts';
import { changeFeedback, listSiteFeedback, summarizeFeedback } from '../../../services/feedback/manage-feedback.ts';
import type { App } from '../../app-types.ts';
import { endOf, pageEnd, paging } from '../../lists.ts';
import { operationsOf } from '../../operation.ts';
import { projectParams } from '../projects/project-schema.ts';
import { feedback, feedbackChanges, feedbackFilters, feedbackQueryOf, feedbackView, ratings } from './feedback-schema.ts';

/** `GET /v1/analytics/{projectId}/feedback`, `…/feedback/by-page` and `PATCH …/feedback/{feedbackId}` */
export function feedbackRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  const url = '/v1/analytics/:projectId/feedback';
  operation({
    route: `GET ${url}`,
    operationId: 'listFeedback',
    summary: 'List feedback',
    description: 'Lists the feedback of readers and agents on pages, and of readers on answers of the assistant, newest first.',
    permission: 'analytics.read',
    params: projectParams,
    query: z.object({ ...feedbackFilters, ...paging(100, 50) }),
    answer: z.object({ feedback: z.array(feedback).describe('The feedback, newest first.'), ...pageEnd }),
    run: async ({ actor, params, query: { cursor, limit, ...filters } }) => {
      const page = await listSiteFeedback(deps, actor, { ...params, ...feedbackQueryOf(filters), cursor, limit });
      return { feedback: page.rows.map(feedbackView), ...endOf(page) };
    },
  });
  operation({
    route: `GET ${url}/by-page`,
    operationId: 'summarizeFeedbackByPage',
    summary: 'Count feedback by page',
    description:
      'Counts feedback by page, the page with the most first. A rating of an answer counts for the page on which the question was asked; `about` selects one kind.',
    permission: 'analytics.read',
    params: projectParams,
    query: z.object({ ...feedbackFilters, limit: paging(100, 10).limit }),
    answer: z.object({
      feedback: z.array(ratings).describe('The pages, the one with the most feedback first.'),
      hasMore: pageEnd.hasMore,
    }),
    run: async ({ actor, params, query: { limit, ...filters } }) => {
      const { pages, hasMore } = await summarizeFeedback(deps, actor, { ...params, ...feedbackQueryOf(filters), limit });
      return { feedback: pages, hasMore };
    },
  });
  operation({
    route: `PATCH ${url}/:feedbackId`,
    operationId: 'changeFeedback',
    summary: 'Change feedback',
    description: 'Sets the status or the note of feedback. Omitted fields stay unchanged.',
    permission: 'feedback.write',
    params: projectParams.extend({
      feedbackId: z
        .string()
        .max(64)
        .meta({ description: 'Identifier of the feedback.', examples: ['01K9Z52N4T8W6X3C1V7B9M0QRS'] }),
    }),
    body: feedbackChanges,
    answer: feedback,
    run: async ({ actor, params, body: { status, note } }) => {
      const changes = { ...(status !== undefined && { status }), ...(note !== undefined && { note }) };
      return feedbackView(await changeFeedback(deps, actor, { ...params, ...changes }));
    },
  });
}
