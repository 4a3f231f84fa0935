import { z } from 'zod';
import { uiMessageStream } from '../../../core/assistant/wire/ui-message-stream.ts';
import type { App } from '../../app-types.ts';
import { problems } from '../../problem.ts';
import { discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { type AskDeps, type AskOptions, askAssistantRoutes } from './ask.ts';
import { uiMessageBodySchema } from './chat-message-schema.ts';

const querystring = z.object({
  threadIdOnFinish: z
    .string()
    .optional()
    .describe(
      '`1` repeats the identifier of the conversation as a key of the event `finish`. AI SDK releases before July 2026 fail on it.',
    ),
});

/** `POST /v2/assistant/{domain}/message`: answers a question as a UI message stream; also the URL to resume one. */
export function askAssistantV2Routes(app: App, deps: AskDeps, options: AskOptions): void {
  askAssistantRoutes(app, deps, {
    ...options,
    version: 'v2',
    operationId: 'createAssistantMessageV2',
    summary: 'Ask the assistant',
    description:
      'Answers a question from the pages of a site, as server-sent events in the UI message stream protocol, which `useChat` of the AI SDK v5, v6 and v7 reads. The identifier of the conversation is in `x-thread-id` and in the metadata of the message; the secret of a new one is in `x-thread-key`.',
    deprecated: false,
    body: uiMessageBodySchema,
    querystring,
    mediaType: 'text/event-stream',
    responseHeaders: ['x-vercel-ai-ui-message-stream'],
    streamExample: `data: {"type":"start","messageId":"msg-01K9Z6","messageMetadata":{"threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}}

data: {"type":"start-step"}

data: {"type":"tool-input-start","toolCallId":"call-1","toolName":"search"}

data: {"type":"tool-input-available","toolCallId":"call-1","toolName":"search","input":{"query":"rotate a key"}}

data: {"type":"tool-output-available","toolCallId":"call-1","output":{"type":"search","results":[{"content":"…","path":"guides/keys","url":"https://docs.acme.example/guides/keys","metadata":{"title":"Keys"}}]}}

data: {"type":"source-url","sourceId":"source-1","url":"https://docs.acme.example/guides/keys","title":"Keys"}

data: {"type":"text-start","id":"text-1"}

data: {"type":"text-delta","id":"text-1","delta":"To rotate a key, "}

data: {"type":"text-end","id":"text-1"}

data: {"type":"finish-step"}

data: {"type":"finish","finishReason":"stop","messageMetadata":{"threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}}

data: [DONE]

`,
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
          'Clients call this when they start, to resume an interrupted answer. An answer ends when its reader disconnects, so there is never one to resume, and the response is always 204.',
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params: domainParams.extend({
          chatId: z.string().meta({ description: 'Identifier of the chat in the client.', examples: ['chat-1'] }),
        }),
        response: { 204: z.null().describe('There is nothing to resume.'), ...problems(401, 403, 404) },
      },
      onRequest: options.access.free,
      handler: async (_request, reply) => reply.code(204).send(null),
    });
  }
}
