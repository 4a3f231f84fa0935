import type { FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readAssistantRequest } from '../../../core/assistant/read-assistant-request.ts';
import { dataStreamHeaders, dataStreamKeepalive, encodeDataStream } from '../../../core/assistant/wire/data-stream.ts';
import { answerQuestion, type BegunAnswer } from '../../../services/answer-question.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/find-asked-site.ts';
import type { LiveSite } from '../../../services/live-sites.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import type { Metrics } from '../../metrics.ts';
import { problems } from '../../problem.ts';
import { countAssistantRequest, declareAssistantLimits } from '../../rate-limits.ts';
import { abortOnClose, sendStream } from '../../streams.ts';
import { messageBodySchema } from './chat-message-schema.ts';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** 2026-01-01T00:00:00Z, as RFC 9745 writes it. */
const DEPRECATED_SINCE = '@1767225600';

const params = z.object({ domain: z.string().describe("The site's identifier or one of its hostnames.") });

/** Hooks run before the parameters are parsed; the address itself guarantees this one. */
function domainOf(request: FastifyRequest): string {
  return (request.params as { domain: string }).domain;
}

/** The declared body is for the description; what is accepted is wider, so the operation reads it itself. */
function validateAllButBody(route: { schema: unknown; httpPart?: string; method: string; url: string }) {
  if (route.httpPart === 'body') return (value: unknown) => ({ value });
  return validatorCompiler({ ...route, schema: route.schema as z.ZodType });
}

/** `POST /v1/assistant/{domain}/message`: a question, and its answer as an AI SDK data stream. */
export function askAssistantV1Routes(app: App, deps: Deps, metrics: Metrics): void {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const announceSuccessor = async (request: FastifyRequest, reply: FastifyReply) => {
    const prefix = request.url.startsWith('/discovery/') ? '/discovery' : '';
    const successor = `${deps.config.publicUrl}${prefix}/v2/assistant/${encodeURIComponent(domainOf(request))}/message`;
    reply.header('deprecation', DEPRECATED_SINCE).header('link', `<${successor}>; rel="successor-version"`);
  };
  const findSite = async (request: FastifyRequest) => {
    sites.set(request, await findAskedSite(deps, actorOf(request), domainOf(request)));
  };
  for (const [prefix, hide] of [
    ['/discovery', false],
    ['', true],
  ] as const) {
    app.route({
      method: 'POST',
      url: `${prefix}/v1/assistant/:domain/message`,
      bodyLimit: BODY_LIMIT_BYTES,
      validatorCompiler: validateAllButBody,
      schema: {
        hide,
        operationId: 'createAssistantMessage',
        summary: 'Ask the assistant (AI SDK v4)',
        description:
          'Answers with the AI SDK data stream protocol, version 1. The thread’s id is in `x-thread-id`, the key of a new one in `x-thread-key`.',
        deprecated: true,
        tags: ['Assistant'],
        security: [{ assistantKey: [] }],
        params,
        body: messageBodySchema,
        response: {
          200: { description: 'The answer as it is written.', content: { 'text/plain': { schema: z.string() } } },
          ...problems(400, 401, 403, 404, 413, 415, 429),
        },
      },
      onRequest: [
        announceSuccessor,
        declareAssistantLimits(deps),
        requireActor(deps, 'assistant.ask'),
        findSite,
        countAssistantRequest(deps),
      ],
      handler: async (request, reply) => {
        const question = readAssistantRequest(request.body);
        const answer = await answerQuestion(deps, sites.get(request) as LiveSite, question, abortOnClose(reply.raw));
        reply.header('x-thread-id', answer.threadId);
        if (answer.newThreadKey !== undefined) reply.header('x-thread-key', answer.newThreadKey);
        const closeStream = metrics.openStream('data-stream');
        try {
          await sendStream(reply, encoded(answer, question.wire === 'minimal'), {
            headers: dataStreamHeaders,
            keepalive: dataStreamKeepalive,
          });
        } finally {
          closeStream();
        }
      },
    });
  }
}

async function* encoded({ events }: BegunAnswer, minimal: boolean): AsyncIterable<string> {
  for await (const event of events) yield encodeDataStream(event, { minimal });
}
