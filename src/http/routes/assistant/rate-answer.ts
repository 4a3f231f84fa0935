import { z } from 'zod';
import { rateAnswer } from '../../../services/assistant/rate-answer.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { type DiscoveryAccess, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { plainText } from '../fields.ts';

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

/** `POST /v1/assistant/{domain}/feedback`: stores a reader's rating of an answer, from a chat window on any page. */
export function rateAnswerRoute(app: App, deps: Pick<Deps, 'threads' | 'clock'>, access: DiscoveryAccess): void {
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'POST',
      url: `${prefix}/v1/assistant/:domain/feedback`,
      schema: {
        hide,
        operationId: 'rateAssistantAnswer',
        summary: 'Rate an answer',
        description:
          'Stores whether an answer helped. A new rating of the same answer replaces the previous one and its comment.',
        'x-response-headers': limitHeaders,
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params: domainParams,
        body: ratingBody,
        response: { 204: z.null().describe('The rating is stored.'), ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
      onRequest: access.counted('assistant'),
      handler: async (request, reply) => {
        await rateAnswer(deps, { siteId: access.siteOf(request).siteId, ...request.body });
        return reply.code(204).send(null);
      },
    });
  }
}
