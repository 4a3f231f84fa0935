import type { FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AssistantQuestion } from '../../../core/assistant/assistant-question.ts';
import { readAssistantRequest } from '../../../core/assistant/read-assistant-request.ts';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import { answerQuestion } from '../../../services/assistant/answer-question.ts';
import { requireProof } from '../../../services/assistant/bot-check.ts';
import type { Deps } from '../../../services/deps.ts';
import { limitHeaders, type ResponseHeader } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import { actorOf } from '../../identify.ts';
import type { Metrics } from '../../metrics.ts';
import { problems } from '../../problem.ts';
import { abortOnClose } from '../../streams.ts';
import { callerOf } from '../discovery/caller-of.ts';
import { discoveryHooks, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { respondWithAnswer } from './respond-with-answer.ts';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** Client releases ask for the same answer in protocols that differ in these points only. */
export interface AssistantOperation {
  version: 'v1' | 'v2';
  operationId: string;
  summary: string;
  description: string;
  deprecated: boolean;
  /** The documented body. What is accepted is wider, because real clients send less and more than their protocol says. */
  body: z.ZodType;
  querystring?: z.ZodType;
  mediaType: string;
  /** The start of a stream. */
  streamExample: string;
  responseHeaders: readonly ResponseHeader[];
  /** Runs before all else of a request, also of one that is refused. */
  announce?: (request: FastifyRequest, reply: FastifyReply) => void;
  wire: (question: AssistantQuestion, request: FastifyRequest) => AnswerWire;
}

/** The declared body is for the description; what is accepted is wider, so the operation reads it itself. */
function validateAllButBody(route: { schema: unknown; httpPart?: string; method: string; url: string }) {
  if (route.httpPart === 'body') return (value: unknown) => ({ value });
  return validatorCompiler({ ...route, schema: route.schema as z.ZodType });
}

/** `POST /{v1|v2}/assistant/{domain}/message`: a question, and its answer as a stream in the protocol of that version. */
export function askAssistantRoutes(app: App, deps: Deps, metrics: Metrics, operation: AssistantOperation): void {
  const announce = async (request: FastifyRequest, reply: FastifyReply) => operation.announce?.(request, reply);
  const { onRequest, siteOf } = discoveryHooks(deps, 'assistant');
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'POST',
      url: `${prefix}/${operation.version}/assistant/:domain/message`,
      bodyLimit: BODY_LIMIT_BYTES,
      validatorCompiler: validateAllButBody,
      schema: {
        hide,
        operationId: operation.operationId,
        summary: operation.summary,
        description: operation.description,
        deprecated: operation.deprecated,
        tags: ['Assistant'],
        'x-response-headers': [...limitHeaders, 'x-thread-id', 'x-thread-key', ...operation.responseHeaders],
        security: [{ assistantKey: [] }],
        params: domainParams,
        ...(operation.querystring && { querystring: operation.querystring }),
        body: operation.body,
        response: {
          200: {
            description: 'The answer, streamed as it is written.',
            content: { [operation.mediaType]: { schema: z.string().meta({ examples: [operation.streamExample] }) } },
          },
          ...problems(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
      onRequest: [announce, ...onRequest],
      handler: async (request, reply) => {
        const question: AssistantQuestion = { ...readAssistantRequest(request.body), caller: callerOf(request) };
        const { botCheck } = await deps.assistantSettings.of(siteOf(request).siteId);
        // Whoever is signed in is no bot.
        if (botCheck && actorOf(request).kind !== 'member') await requireProof(deps, siteOf(request).siteId, question.proof);
        const answer = await answerQuestion(deps, siteOf(request), question, abortOnClose(reply.raw), metrics.observeAnswer);
        await respondWithAnswer(reply, answer, operation.wire(question, request), metrics);
      },
    });
  }
}
