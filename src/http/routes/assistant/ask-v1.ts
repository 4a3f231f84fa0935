import { dataStream } from '../../../core/assistant/wire/data-stream.ts';
import type { Deps } from '../../../services/deps.ts';
import type { App } from '../../app-types.ts';
import type { Metrics } from '../../metrics.ts';
import { domainOf } from '../discovery/discovery-operation.ts';
import { askAssistantRoutes } from './ask.ts';
import { messageBodySchema } from './chat-message-schema.ts';

/** 2026-01-01T00:00:00Z, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1767225600';

/** `POST /v1/assistant/{domain}/message`: a question, and its answer as an AI SDK data stream. */
export function askAssistantV1Routes(app: App, deps: Deps, metrics: Metrics): void {
  askAssistantRoutes(app, deps, metrics, {
    version: 'v1',
    operationId: 'createAssistantMessage',
    summary: 'Ask the assistant (AI SDK v4)',
    description:
      'Answers with the AI SDK data stream protocol, version 1. The thread’s id is in `x-thread-id`, the key of a new one in `x-thread-key`.',
    deprecated: true,
    body: messageBodySchema,
    mediaType: 'text/plain',
    announce(request, reply) {
      const prefix = request.url.startsWith('/discovery/') ? '/discovery' : '';
      const successor = `${deps.config.publicUrl}${prefix}/v2/assistant/${encodeURIComponent(domainOf(request))}/message`;
      reply.header('deprecation', DEPRECATED_SINCE).header('link', `<${successor}>; rel="successor-version"`);
    },
    wire: (question) => dataStream({ minimal: question.wire === 'minimal' }),
  });
}
