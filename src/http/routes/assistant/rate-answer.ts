import { z } from 'zod';
import { rateAnswer } from '../../../services/assistant/rate-answer.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { type DiscoveryAccess, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { ratingBody } from './rating-schema.ts';

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
