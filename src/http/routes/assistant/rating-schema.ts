import { z } from 'zod';
import { plainText } from '../plain-text.ts';

/** Characters of what a reader writes with a rating. */
const MAX_COMMENT_LENGTH = 2000;

/** What a reader says of an answer, wherever they say it. */
export const ratingBody = z
  .object({
    threadId: z.string().max(64).describe('Identifier of the conversation, from `x-thread-id`.'),
    messageId: z
      .string()
      .max(256)
      .optional()
      .describe('Identifier of the answer in its stream. Without it, the newest answer of the conversation.'),
    helpful: z.boolean().nullable().describe('Whether the answer helped; `null` removes the rating.'),
    comment: plainText(0, MAX_COMMENT_LENGTH).optional().describe('What the reader wrote with the rating.'),
  })
  .meta({ examples: [{ threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S', helpful: false, comment: 'There is no example.' }] });
