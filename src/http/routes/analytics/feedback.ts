import { z } from 'zod';
import type { AnswerRow } from '../../../db/conversations.ts';
import type { Deps } from '../../../services/deps.ts';
import { listAnswerFeedback, summarizeFeedback } from '../../../services/read-analytics.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { endOf, pageEnd, paging, projectParams, range, rangeOf } from './analytics-schema.ts';

const sourceNames = ['code_snippet', 'contextual', 'agent', 'thumbs_only'];
const statusNames = ['pending', 'in_progress', 'resolved', 'dismissed'];

/** One or more of some words, with commas between. */
function listOf(names: string[]) {
  return z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().refine((name) => names.includes(name), `must be one of ${names.join(', ')}`)))
    .optional();
}

const filters = {
  ...range,
  source: listOf(sourceNames).describe('`contextual` came with a comment, `thumbs_only` without one; there are no others here.'),
  status: listOf(statusNames).describe('Feedback is `pending`, always.'),
};

const feedback = z
  .object({
    id: z.string().describe('Of the answer.'),
    path: z.string().nullable().describe('The page on which the question was asked, where the caller said so.'),
    comment: z.string().nullable(),
    createdAt: z.iso.datetime().describe('When it was said.'),
    source: z.enum(['contextual', 'thumbs_only']),
    status: z.literal('pending'),
    helpful: z.boolean(),
    contact: z.null().describe('Readers are not asked who they are.'),
    threadId: z.string(),
    question: z.string().nullable(),
    answer: z.string(),
  })
  .meta({ id: 'AnswerFeedback' });

const helpful = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .describe('Only what was said of helpful answers, or of others.');

const byPage = z.object({
  path: z.string().nullable(),
  thumbsUp: z.int(),
  thumbsDown: z.int(),
  code: z.int().describe('Feedback on code blocks, which Docent does not take: 0.'),
  total: z.int(),
});

interface Wanted {
  source?: string[] | undefined;
  status?: string[] | undefined;
}

/** What the filters mean for what there is: ratings of answers, with words or without. */
function readFilters({ source, status }: Wanted): { hasComment: boolean | undefined; nothing: boolean } {
  const withWords = source === undefined || source.includes('contextual');
  const without = source === undefined || source.includes('thumbs_only');
  const nothing = (!withWords && !without) || (status !== undefined && !status.includes('pending'));
  return { hasComment: withWords && without ? undefined : withWords, nothing };
}

function feedbackView(row: AnswerRow): z.infer<typeof feedback> {
  return {
    id: row.id,
    path: row.pagePath,
    comment: row.comment,
    createdAt: (row.ratedAt ?? row.createdAt).toISOString(),
    source: row.comment === null ? 'thumbs_only' : 'contextual',
    status: 'pending',
    helpful: row.helpful === true,
    contact: null,
    threadId: row.threadId,
    question: row.question,
    answer: row.content,
  };
}

/** `GET /v1/analytics/{projectId}/feedback` and `…/feedback/by-page` */
export function feedbackRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Analytics'], security: [{ adminKey: [] }], params: projectParams };
  const url = '/v1/analytics/:projectId/feedback';
  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'listFeedback',
      summary: 'What readers said of answers, newest first',
      querystring: z.object({ ...filters, helpful, ...paging(100, 50) }),
      response: { 200: z.object({ feedback: z.array(feedback), ...pageEnd }), ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'analytics.read'),
    handler: async (request, reply) => {
      const { query } = request;
      const { hasComment, nothing } = readFilters(query);
      const asked = { ...rangeOf(query), hasComment, helpful: query.helpful, cursor: query.cursor, limit: query.limit };
      const page = await listAnswerFeedback(deps, actorOf(request), { projectId: request.params.projectId, ...asked });
      if (nothing) return reply.send({ feedback: [], nextCursor: null, hasMore: false });
      return reply.send({ feedback: page.rows.map(feedbackView), ...endOf(page) });
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/by-page`,
    schema: {
      ...shared,
      operationId: 'summarizeFeedbackByPage',
      summary: 'What readers said of answers, counted by page',
      description: 'By the page on which the question was asked; the most rated page first.',
      querystring: z.object({ ...filters, limit: paging(100, 10).limit }),
      response: { 200: z.object({ feedback: z.array(byPage), hasMore: z.boolean() }), ...problems(400, 401, 403, 404) },
    },
    onRequest: requireActor(deps, 'analytics.read'),
    handler: async (request, reply) => {
      const { query } = request;
      const { hasComment, nothing } = readFilters(query);
      const asked = { projectId: request.params.projectId, ...rangeOf(query), hasComment, limit: query.limit };
      const { pages, hasMore } = await summarizeFeedback(deps, actorOf(request), asked);
      if (nothing) return reply.send({ feedback: [], hasMore: false });
      const rows = pages.map((page) => ({ ...page, code: 0, total: page.thumbsUp + page.thumbsDown }));
      return reply.send({ feedback: rows, hasMore });
    },
  });
}
