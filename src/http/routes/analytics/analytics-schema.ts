import { z } from 'zod';
import type { AnswerRow, MessageRow } from '../../../db/conversations.ts';

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => new Date(text));

/** The time range that every operation accepts. */
export const range = {
  dateFrom: time.optional().describe('Start of the period, inclusive: a date (UTC) or a time in ISO 8601.'),
  dateTo: time.optional().describe('End of the period, exclusive: a date (UTC) or a time in ISO 8601.'),
};

/** Pagination of lists. */
export const paging = (maxRows: number, rows: number) => ({
  cursor: z.string().max(200).optional().describe('The `nextCursor` of the previous response.'),
  limit: z.coerce.number().int().min(1).max(maxRows).default(rows).describe('Maximum number of items to return.'),
});

export const pageEnd = {
  nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page. `null` on the last page.'),
  hasMore: z.boolean().describe('Whether there are more items.'),
};

/** Pagination fields of a response. */
export function endOf({ nextCursor }: { nextCursor: string | null }) {
  return { nextCursor, hasMore: nextCursor !== null };
}

/** Converts query parameters to the options of the use cases. */
export function rangeOf({ dateFrom, dateTo }: { dateFrom?: Date | undefined; dateTo?: Date | undefined }) {
  return { from: dateFrom, to: dateTo };
}

export const outcome = z
  .enum(['answered', 'not_in_docs', 'aborted', 'failed'])
  .describe(
    'How the answer ended. `not_in_docs`: the documentation has no answer; `aborted`: the reader left or stopped it; `failed`: the model failed.',
  );

export const sources = z
  .array(
    z
      .object({ title: z.string().describe('Title of the page.'), url: z.string().describe('URL of the page.') })
      .meta({ id: 'AnswerSource', description: 'A source of an answer.' }),
  )
  .describe('The sources of the answer.');

/** How an answer was generated, and its rating. */
export const answerFacts = {
  outcome: outcome.nullable().describe('Outcome of the answer; `null` if unknown.'),
  model: z.string().nullable().describe('The model that wrote the answer.'),
  usage: z
    .object({
      inputTokens: z.int().nullable().describe('Tokens that the model read.'),
      outputTokens: z.int().nullable().describe('Tokens that the model wrote.'),
    })
    .meta({ id: 'AnswerUsage', description: 'Tokens used by the answer, if the model reports them.' }),
  timings: z
    .object({
      firstTextMs: z.int().nullable().describe('Milliseconds from the question to the first text; `null` if there was none.'),
      durationMs: z.int().nullable().describe('Milliseconds from the question to the end of the answer.'),
    })
    .meta({ id: 'AnswerTimings', description: 'How long the answer took.' }),
  helpful: z.boolean().nullable().describe('How the reader rated the answer; `null` without a rating.'),
  comment: z.string().nullable().describe('The reader’s comment.'),
};

/** An example of `answerFacts`. */
export const exampleFacts = {
  outcome: 'answered',
  model: 'extractive',
  usage: { inputTokens: null, outputTokens: null },
  timings: { firstTextMs: 41, durationMs: 58 },
  helpful: false,
  comment: 'There is no example.',
} as const;

export const exampleSources = [{ title: 'Keys', url: 'https://docs.acme.example/guides/keys' }];

/** The fields of `answerFacts`. */
export function factsOf(answer: AnswerRow | MessageRow) {
  const { outcome: ended, model, inputTokens, outputTokens, firstTextMs, durationMs, helpful, comment } = answer;
  return { outcome: ended, model, usage: { inputTokens, outputTokens }, timings: { firstTextMs, durationMs }, helpful, comment };
}
