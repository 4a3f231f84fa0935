import { z } from 'zod';
import { plainText } from '../plain-text.ts';

/** Characters of what a reader writes with a rating. */
const LONGEST_COMMENT = 2000;

/** What a reader says of an answer, wherever they say it. */
export const ratingBody = z.object({
  threadId: z.string().max(64).describe('The thread’s id, as the answer brought it.'),
  messageId: z
    .string()
    .max(256)
    .optional()
    .describe('The answer’s id in its stream; without it the newest of the thread is meant.'),
  helpful: z.boolean().nullable().describe('Null takes back what was said.'),
  comment: plainText(0, LONGEST_COMMENT)
    .optional()
    .describe('What the reader writes with it; kept until they rate that answer again.'),
});
