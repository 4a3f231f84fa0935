import { z } from 'zod';
import {
  FEEDBACK_REASONS,
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  type FeedbackSource,
  type FeedbackStatus,
} from '../../../core/analytics/feedback.ts';
import type { FeedbackRow } from '../../../db/feedback.ts';
import { plainText } from '../plain-text.ts';
import { rangeOf } from './analytics-schema.ts';
import { reportFilters } from './report-schema.ts';

/** One or more of some words, with commas between. */
function listOf<Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(words)))
    .optional();
}

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What feedback can be kept to. */
export const feedbackFilters = {
  ...reportFilters,
  source: listOf(FEEDBACK_SOURCES).describe(
    'Only feedback of these kinds, separated by commas: `contextual` has words or a reason, `thumbs_only` has neither, `agent` was sent by a program over MCP. Docent takes none of the kind `code_snippet`.',
  ),
  status: listOf(FEEDBACK_STATUSES).describe('Only feedback in these states, separated by commas.'),
  helpful: yesOrNo.optional().describe('Only feedback on what helped, or on what did not.'),
  about: z.enum(['page', 'answer']).optional().describe('Only feedback on pages, or on answers of the assistant.'),
  previews: yesOrNo.optional().describe('`true`: only feedback on pages of previews, which is otherwise left out.'),
};

interface Asked {
  dateFrom?: Date | undefined;
  dateTo?: Date | undefined;
  path?: string | undefined;
  version?: string | undefined;
  language?: string | undefined;
  source?: FeedbackSource[] | undefined;
  status?: FeedbackStatus[] | undefined;
  helpful?: boolean | undefined;
  about?: 'page' | 'answer' | undefined;
  previews?: boolean | undefined;
}

/** The filters in the words of the use cases. */
export function feedbackQueryOf(asked: Asked) {
  const { path, version, language, source, status, helpful, about, previews } = asked;
  return { ...rangeOf(asked), path, version, language, source, status, helpful, about, isOfPreviews: previews };
}

const status = z.enum(FEEDBACK_STATUSES);
const note = plainText(0, 4000).nullable();

export const feedbackChanges = z
  .strictObject({
    status: status.optional().describe('What became of it.'),
    note: note.optional().describe('A note of the owners; `null` removes it.'),
  })
  .meta({ examples: [{ status: 'resolved', note: 'Example added.' }] });

export const feedback = z
  .object({
    id: z.string().describe('Identifier. Of a rating, that of the answer.'),
    about: z.enum(['page', 'answer']).describe('Whether it is about a page or about an answer of the assistant.'),
    path: z.string().nullable().describe('The page, or the page that the question was asked on; `null` where it is not known.'),
    version: z.string().nullable().describe('Version of the page; `null` where it has none.'),
    language: z.string().nullable().describe('Language of the page; `null` where it has none.'),
    comment: z.string().nullable().describe('What the reader or the agent wrote.'),
    reason: z
      .enum(FEEDBACK_REASONS)
      .nullable()
      .describe('Why the page did not help; `null` where the reader did not choose one.'),
    createdAt: z.iso.datetime().describe('When it was sent.'),
    source: z
      .enum(FEEDBACK_SOURCES)
      .describe('`contextual` has words or a reason, `thumbs_only` has neither, `agent` was sent by a program over MCP.'),
    status: status.describe('What became of it.'),
    note: note.describe('A note of the owners.'),
    handledBy: z.string().nullable().describe('Who changed status or note last: a user, a key, or `operator`.'),
    helpful: z.boolean().nullable().describe('Whether the page or the answer helped; `null` where an agent did not say.'),
    contact: z.null().describe('Always `null`: readers are not asked who they are.'),
    preview: z.string().nullable().describe('Name of the preview whose reader sent it; `null` for the live site.'),
    threadId: z.string().nullable().describe('Identifier of the conversation; `null` for feedback on a page.'),
    question: z.string().nullable().describe('The question that was answered.'),
    answer: z.string().nullable().describe('The answer, in Markdown.'),
  })
  .meta({
    id: 'Feedback',
    description: 'What a reader said of a page or of an answer, or an agent of a page.',
    examples: [
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
    ],
  });

export function feedbackView({ version, language, createdAt, ...row }: FeedbackRow): z.infer<typeof feedback> {
  const page = { version: version || null, language: language || null };
  return { ...row, ...page, createdAt: createdAt.toISOString(), contact: null };
}

export const ratings = z
  .object({
    path: z.string().nullable().describe('The page; `null` for ratings of answers to questions whose page is not known.'),
    thumbsUp: z.int().describe('How often it helped.'),
    thumbsDown: z.int().describe('How often it did not help.'),
    code: z.int().describe('Feedback on code blocks. Always 0: Docent does not collect it.'),
    total: z.int().describe('All feedback.'),
  })
  .meta({
    id: 'PageFeedback',
    description: 'The feedback on one page, and on answers to questions that were asked on it.',
    examples: [{ path: '/guides/start', thumbsUp: 12, thumbsDown: 3, code: 0, total: 15 }],
  });
