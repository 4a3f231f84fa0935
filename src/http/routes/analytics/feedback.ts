import { z } from 'zod';
import type { AnswerRow } from '../../../db/conversations.ts';
import { listAnswerFeedback, summarizeFeedback } from '../../../services/analytics/read-analytics.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import { projectParams } from '../projects/project-params.ts';
import { endOf, pageEnd, paging, range, rangeOf } from './analytics-schema.ts';

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
  source: listOf(sourceNames).describe(
    'Only feedback of these kinds, separated by commas: `contextual` has a comment, `thumbs_only` has none. Docent takes no other kinds.',
  ),
  status: listOf(statusNames).describe(
    'Only feedback in these states, separated by commas. In Docent, all feedback is `pending`.',
  ),
};

const feedback = z
  .object({
    id: z.string().describe('Identifier of the answer.'),
    path: z.string().nullable().describe('The page that the question was asked on, where it is known.'),
    comment: z.string().nullable().describe('What the reader wrote with the rating.'),
    createdAt: z.iso.datetime().describe('When the reader rated the answer.'),
    source: z.enum(['contextual', 'thumbs_only']).describe('`contextual` has a comment, `thumbs_only` has none.'),
    status: z.literal('pending').describe('Always `pending`.'),
    helpful: z.boolean().describe('Whether the answer helped.'),
    contact: z.null().describe('Always `null`: readers are not asked who they are.'),
    threadId: z.string().describe('Identifier of the conversation.'),
    question: z.string().nullable().describe('The question.'),
    answer: z.string().describe('The answer, in Markdown.'),
  })
  .meta({
    id: 'AnswerFeedback',
    description: 'What a reader said of an answer.',
    examples: [
      {
        id: '5f0c2f6a-9f0b-4a51-8a6e-3d1c6f2b7e90',
        path: '/guides/start',
        comment: 'There is no example.',
        createdAt: '2026-11-21T10:42:00.000Z',
        source: 'contextual',
        status: 'pending',
        helpful: false,
        contact: null,
        threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S',
        question: 'How do I rotate a key?',
        answer: 'To rotate a key, make a second one …',
      },
    ],
  });

const helpful = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()
  .describe('Only feedback on answers that helped, or that did not.');

const byPage = z
  .object({
    path: z.string().nullable().describe('The page that the questions were asked on; `null` where it is not known.'),
    thumbsUp: z.int().describe('Answers that helped.'),
    thumbsDown: z.int().describe('Answers that did not help.'),
    code: z.int().describe('Feedback on code blocks. Always 0: Docent does not collect it.'),
    total: z.int().describe('All ratings.'),
  })
  .meta({
    id: 'PageFeedback',
    description: 'The ratings of answers to questions that were asked on one page.',
    examples: [{ path: '/guides/start', thumbsUp: 12, thumbsDown: 3, code: 0, total: 15 }],
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
      summary: 'List feedback',
      description: 'Lists what readers said of the answers of the assistant, newest first.',
      querystring: z.object({ ...filters, helpful, ...paging(100, 50) }),
      response: {
        200: z.object({ feedback: z.array(feedback).describe('The feedback, newest first.'), ...pageEnd }),
        ...problems(400, 401, 403, 404),
      },
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
      summary: 'Count feedback by page',
      description:
        'Counts what readers said of answers by the page that the question was asked on, the page with the most ratings first.',
      querystring: z.object({ ...filters, limit: paging(100, 10).limit }),
      response: {
        200: z.object({
          feedback: z.array(byPage).describe('The pages, the one with the most ratings first.'),
          hasMore: pageEnd.hasMore,
        }),
        ...problems(400, 401, 403, 404),
      },
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
