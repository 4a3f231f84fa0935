import { z } from 'zod';
import { uiMessageStream } from '../../../core/assistant/wire/ui-message-stream.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/find-asked-site.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import type { Metrics } from '../../metrics.ts';
import { problems } from '../../problem.ts';
import { discoveryPrefixes, domainOf, domainParams } from '../discovery/discovery-operation.ts';
import { askAssistantRoutes } from './ask.ts';
import { uiMessageBodySchema } from './ui-message-schema.ts';

const querystring = z.object({
  threadIdOnFinish: z
    .string()
    .optional()
    .describe('`1` repeats the thread’s id as a key of the event `finish`. Releases of the AI SDK before July 2026 fail on it.'),
});

/** `POST /v2/assistant/{domain}/message`: a question, and its answer as a UI message stream; and the address to resume one. */
export function askAssistantV2Routes(app: App, deps: Deps, metrics: Metrics): void {
  askAssistantRoutes(app, deps, metrics, {
    version: 'v2',
    operationId: 'createAssistantMessageV2',
    summary: 'Ask the assistant (AI SDK v5, v6, v7)',
    description:
      'Answers with the UI message stream protocol of the AI SDK. The thread’s id is in the metadata of the message and in `x-thread-id`, the key of a new one in `x-thread-key`.',
    deprecated: false,
    body: uiMessageBodySchema,
    querystring,
    mediaType: 'text/event-stream',
    wire: (question, request) =>
      uiMessageStream({
        minimal: question.wire === 'minimal',
        threadIdOnFinish: (request.query as z.infer<typeof querystring>).threadIdOnFinish === '1',
      }),
  });
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'GET',
      url: `${prefix}/v2/assistant/:domain/message/:chatId/stream`,
      schema: {
        hide,
        operationId: 'resumeAssistantMessage',
        summary: 'Resume an answer',
        description:
          'Answers end when their reader leaves, so there is never one to resume. Clients ask when they begin and read 204 as “nothing to resume”.',
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params: domainParams.extend({ chatId: z.string() }),
        response: { 204: z.null().describe('There is nothing to resume.'), ...problems(401, 403, 404) },
      },
      onRequest: [requireActor(deps, 'assistant.read')],
      handler: async (request, reply) => {
        await findAskedSite(deps, actorOf(request), domainOf(request));
        return reply.code(204).send(null);
      },
    });
  }
}
