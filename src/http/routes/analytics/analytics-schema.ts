import { z } from 'zod';
import type { AnswerRow, MessageRow } from '../../../db/conversations.ts';

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => new Date(text));

export const projectParams = z.object({ projectId: z.string().describe('Project id, identifier or hostname of the site.') });

/** The time that every operation can be kept to. */
export const range = {
  dateFrom: time.optional().describe('A date (UTC) or a time, ISO 8601.'),
  dateTo: time.optional().describe('The same; exclusive.'),
};

/** How lists are read page by page. */
export const paging = (mostRows: number, rows: number) => ({
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(mostRows).default(rows),
});

export const pageEnd = { nextCursor: z.string().nullable(), hasMore: z.boolean() };

/** What `pageEnd` says of a page. */
export function endOf({ nextCursor }: { nextCursor: string | null }) {
  return { nextCursor, hasMore: nextCursor !== null };
}

/** What the operations ask for, in the words of the use cases. */
export function rangeOf({ dateFrom, dateTo }: { dateFrom?: Date | undefined; dateTo?: Date | undefined }) {
  return { from: dateFrom, to: dateTo };
}

export const outcome = z
  .enum(['answered', 'not_in_docs', 'aborted', 'failed'])
  .describe(
    '`not_in_docs`: the documentation holds no answer; `aborted`: the reader left or stopped it; `failed`: the model did.',
  );

export const sources = z.array(z.object({ title: z.string(), url: z.string() }));

/** How an answer was made and what its reader said of it. */
export const answerFacts = {
  outcome: outcome.nullable().describe('How the answer ended; null on answers of early versions.'),
  model: z.string().nullable(),
  usage: z.object({ inputTokens: z.int().nullable(), outputTokens: z.int().nullable() }),
  timings: z.object({
    firstTextMs: z.int().nullable().describe('From the question to the first text; null where nothing was said.'),
    durationMs: z.int().nullable(),
  }),
  helpful: z.boolean().nullable().describe('Null where the reader said nothing.'),
  comment: z.string().nullable(),
};

/** The fields of `answerFacts`. */
export function factsOf(answer: AnswerRow | MessageRow) {
  const { outcome: ended, model, inputTokens, outputTokens, firstTextMs, durationMs, helpful, comment } = answer;
  return { outcome: ended, model, usage: { inputTokens, outputTokens }, timings: { firstTextMs, durationMs }, helpful, comment };
}
