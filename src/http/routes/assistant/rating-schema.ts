import { z } from 'zod';
import { plainText } from '../plain-text.ts';

/** Maximum characters of a comment. */
const MAX_COMMENT_LENGTH = 2000;

/** A reader's rating of an answer, from any client. */
export const ratingBody = z
  .object({
    threadId: z.string().max(64).describe('Identifier of the conversation, from `x-thread-id`.'),
    messageId: z
      .string()
      .max(256)
      .optional()
      .describe('Identifier of the answer in its stream. Without it, the newest answer of the conversation.'),
    helpful: z.boolean().nullable().describe('Whether the answer helped; `null` removes the rating.'),
    comment: plainText(0, MAX_COMMENT_LENGTH).optional().describe('The reader’s comment.'),
  })
  .meta({ examples: [{ threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S', helpful: false, comment: 'There is no example.' }] });
