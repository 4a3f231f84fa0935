import type { Config } from '../../../config.ts';
import { dataStream } from '../../../core/assistant/wire/data-stream.ts';
import type { App } from '../../app-types.ts';
import { domainOf } from '../discovery/discovery-operation.ts';
import { type AskDeps, type AskOptions, askAssistantRoutes } from './ask.ts';
import { messageBodySchema } from './chat-message-schema.ts';

/** 2026-01-01T00:00:00Z in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1767225600';

/** `POST /v1/assistant/{domain}/message`: answers a question as an AI SDK data stream. */
export function askAssistantV1Routes(app: App, deps: AskDeps & { config: Pick<Config, 'publicUrl'> }, options: AskOptions): void {
  askAssistantRoutes(app, deps, {
    ...options,
    version: 'v1',
    operationId: 'createAssistantMessage',
    summary: 'Ask the assistant (v1)',
    description:
      'Answers a question in the AI SDK data stream protocol, version 1, for clients of the AI SDK v4. New clients use `POST /v2/assistant/{domain}/message`. The identifier of the conversation is in `x-thread-id`; the secret of a new one is in `x-thread-key`.',
    deprecated: true,
    body: messageBodySchema,
    mediaType: 'text/plain',
    responseHeaders: ['x-vercel-ai-data-stream', 'Deprecation', 'Link'],
    streamExample: `f:{"messageId":"msg-01K9Z6"}
8:[{"type":"finish","threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}]
9:{"toolCallId":"call-1","toolName":"search","args":{"query":"rotate a key"}}
9:{"toolCallId":"call-1-results","toolName":"search_results","args":{"query":"rotate a key"}}
a:{"toolCallId":"call-1","result":[{"content":"…","path":"guides/keys","url":"https://docs.acme.example/guides/keys","metadata":{"title":"Keys"}}]}
a:{"toolCallId":"call-1-results","result":{"type":"search","results":[{"content":"…","path":"guides/keys","url":"https://docs.acme.example/guides/keys","metadata":{"title":"Keys"}}]}}
h:{"sourceType":"url","id":"source-1","url":"https://docs.acme.example/guides/keys","title":"Keys"}
0:"To rotate a key, make a second one …"
e:{"finishReason":"stop","usage":{"promptTokens":812,"completionTokens":96},"isContinued":false}
8:[{"type":"finish","threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}]
2:[{"type":"finish","threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}]
d:{"finishReason":"stop","usage":{"promptTokens":812,"completionTokens":96},"type":"finish","threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}
`,
    announce(request, reply) {
      const prefix = /^\/(?:api\/)?discovery\//.test(request.url) ? '/discovery' : '';
      const successor = `${deps.config.publicUrl}${prefix}/v2/assistant/${encodeURIComponent(domainOf(request))}/message`;
      reply.header('deprecation', DEPRECATED_SINCE).header('link', `<${successor}>; rel="successor-version"`);
    },
    wire: (question) => dataStream({ minimal: question.wire === 'minimal' }),
  });
}
