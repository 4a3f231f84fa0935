import {
  FEEDBACK_REASONS,
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
} from '@docent/format/analytics/feedback.ts';
import * as z from 'zod';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import * as field from '../kernel/operations/described.ts';
import { endOf, pageEnd, paging, plainText } from '../kernel/operations/fields.ts';
import { operationsOf } from '../kernel/operations/operation.ts';
import { queryOf, reportFilters } from './analytics-schema.ts';
import { changeFeedback, deleteFeedback, listSiteFeedback, summarizeFeedback } from './feedback.ts';
import type { FeedbackRow } from './feedback-queries.ts';

/** A comma-separated list of one or more allowed words. */
function wordsOf<Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(words)))
    .optional();
}

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

export const feedbackFilters = {
  ...reportFilters,
  source: wordsOf(FEEDBACK_SOURCES).describe(
    'Only feedback of these kinds, separated by commas: `contextual` has a comment or a reason, `thumbs_only` has neither, `agent` was sent by a program over MCP. Docent does not collect `code_snippet`.',
  ),
  status: wordsOf(FEEDBACK_STATUSES).describe(
    'Only feedback in these states, separated by commas.',
  ),
  helpful: yesOrNo.optional().describe('Only helpful, or only unhelpful.'),
  about: field.optional(
    z.enum(['page', 'answer']),
    'Only feedback on pages, or on answers of the assistant.',
  ),
  previews: field.optional(
    yesOrNo,
    '`true`: only feedback on pages of previews, which is excluded by default.',
  ),
};

const status = z.enum(FEEDBACK_STATUSES);
const note = plainText(0, 4000).nullable();

const feedbackChanges = z
  .strictObject({
    status: status.optional().describe('Its status.'),
    note: note.optional().describe('A note by the owners; `null` removes it.'),
  })
  .meta({ examples: [{ status: 'resolved', note: 'Example added.' }] });

const feedback = field.resource(
  'Feedback',
  'Feedback of a reader on a page or an answer, or of an agent on a page.',
  {
    id: field.text('Identifier. For a rating, the identifier of the answer.'),
    about: field.choice(
      ['page', 'answer'],
      'Whether it is about a page or about an answer of the assistant.',
    ),
    path: field.text.orNull(
      'The page, or the page on which the question was asked; `null` if unknown.',
    ),
    version: field.text.orNull('Version of the page; `null` if it has none.'),
    language: field.text.orNull('Language of the page; `null` if it has none.'),
    comment: field.text.orNull('Comment of the reader or the agent.'),
    reason: field.orNull(
      z.enum(FEEDBACK_REASONS),
      'Why the page did not help; `null` if the reader did not choose a reason.',
    ),
    createdAt: field.time('When it was sent.'),
    source: field.choice(
      FEEDBACK_SOURCES,
      '`contextual` has a comment or a reason, `thumbs_only` has neither, `agent` was sent by a program over MCP.',
    ),
    status: status.describe('Its status.'),
    note: note.describe('A note by the owners.'),
    handledBy: field.text.orNull(
      'Who last changed the status or the note: a user, a key, or `operator`.',
    ),
    helpful: field.flag.orNull(
      'Whether the page or the answer helped; `null` if an agent did not specify it.',
    ),
    contact: z.null().describe('Always `null`: readers are anonymous.'),
    preview: field.text.orNull(
      'Name of the preview whose reader sent it; `null` for the live site.',
    ),
    threadId: field.text.orNull('Identifier of the conversation; `null` for feedback on a page.'),
    question: field.text.orNull('The question that was answered.'),
    answer: field.text.orNull('The answer, in Markdown.'),
  },
  {
    id: '5f0c2f6a-9f0b-4a51-8a6e-3d1c6f2b7e90',
    about: 'page',
    path: '/guides/start',
    version: null,
    language: 'en',
    comment: 'There is no example.',
    reason: 'missing',
    createdAt: '2026-11-21T10:42:00.000Z',
    source: 'contextual',
    status: 'in_progress',
    note: 'An example is in review.',
    handledBy: 'operator',
    helpful: false,
    contact: null,
    preview: null,
    threadId: null,
    question: null,
    answer: null,
  },
);

function feedbackView({ version, language, ...row }: FeedbackRow): z.infer<typeof feedback> {
  return { ...row, version: version || null, language: language || null, contact: null };
}

const ratings = field.resource(
  'PageFeedback',
  'The feedback on one page, and on answers to questions asked on it.',
  {
    path: field.text.orNull('The page; `null` for ratings of answers whose page is unknown.'),
    thumbsUp: field.int('Number of helpful votes.'),
    thumbsDown: field.int('Number of unhelpful votes.'),
    code: field.int('Feedback on code blocks. Always 0: Docent does not collect it.'),
    total: field.int('All feedback.'),
  },
  { path: '/guides/start', thumbsUp: 12, thumbsDown: 3, code: 0, total: 15 },
);

/**
 * `GET /v1/analytics/{projectId}/feedback`, `…/feedback/by-page` and `PATCH …/feedback/{feedbackId}`
 */
export function feedbackRoutes(app: App, deps: Deps): void {
  const operation = operationsOf(app, deps, 'Analytics');
  const url = '/v1/analytics/:projectId/feedback';
  operation({
    route: `GET ${url}`,
    operationId: 'listFeedback',
    summary: 'List feedback',
    description:
      'Lists the feedback of readers and agents on pages, and of readers on answers of the assistant, newest first.',
    permission: 'analytics.read',
    query: z.object({ ...feedbackFilters, ...paging(100, 50) }),
    answer: z.object({
      feedback: field.list(feedback, 'The feedback, newest first.'),
      ...pageEnd,
    }),
    run: async (call) => {
      const page = await listSiteFeedback(deps, call.actor, queryOf(call));
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
    query: z.object({ ...feedbackFilters, limit: paging(100, 10).limit }),
    answer: z.object({
      feedback: field.list(ratings, 'The pages, the one with the most feedback first.'),
      hasMore: pageEnd.hasMore,
    }),
    run: async (call) => {
      const { pages, hasMore } = await summarizeFeedback(deps, call.actor, queryOf(call));
      return { feedback: pages, hasMore };
    },
  });
  operation({
    route: `PATCH ${url}/:feedbackId`,
    operationId: 'changeFeedback',
    summary: 'Change feedback',
    description: 'Sets the status or the note of feedback. Omitted fields stay unchanged.',
    permission: 'feedback.write',
    body: feedbackChanges,
    answer: feedback,
    run: async ({ actor, params, body }) =>
      feedbackView(await changeFeedback(deps, actor, { ...params, ...body })),
  });
  operation({
    route: `DELETE ${url}/:feedbackId`,
    operationId: 'deleteFeedback',
    summary: 'Delete feedback',
    description:
      'Deletes one piece of feedback, for example because it has personal data. This cannot be undone.',
    permission: 'projects.write',
    answer: z.null().describe('The feedback is deleted.'),
    run: ({ actor, params }) => deleteFeedback(deps, actor, params),
  });
}
