import type { FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AnswerWire } from '../../../core/assistant/answer-event.ts';
import type { AssistantQuestion, Caller } from '../../../core/assistant/chat-request.ts';
import { readAssistantRequest } from '../../../core/assistant/read-assistant-request.ts';
import { type AnswerDeps, answerQuestion } from '../../../services/assistant/answer-question.ts';
import { type CheckDeps, requireProof } from '../../../services/assistant/bot-check.ts';
import { limitHeaders, type ResponseHeader } from '../../api-document/response-headers.ts';
import type { App } from '../../app-types.ts';
import type { AnswerMetrics } from '../../metrics.ts';
import { problems } from '../../problem.ts';
import { abortOnClose } from '../../streams.ts';
import { type DiscoveryAccess, discoveryPrefixes, domainParams } from '../discovery/discovery-operation.ts';
import { respondWithAnswer } from './send-answer.ts';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export type AskDeps = AnswerDeps & CheckDeps;

export interface AskOptions {
  access: DiscoveryAccess;
  metrics: AnswerMetrics;
}

/** The protocols of client releases differ only in these points. */
export interface AssistantOperation {
  version: 'v1' | 'v2';
  operationId: string;
  summary: string;
  description: string;
  deprecated: boolean;
  /** The documented body. The operation accepts more, because real clients send less and more than their protocol says. */
  body: z.ZodType;
  querystring?: z.ZodType;
  mediaType: string;
  streamExample: string;
  responseHeaders: readonly ResponseHeader[];
  /** Runs first for every request, including refused ones. */
  announce?: (request: FastifyRequest, reply: FastifyReply) => void;
  wire: (question: AssistantQuestion, request: FastifyRequest) => AnswerWire;
}

/** The declared body is for the description; the operation accepts more, so it parses the body itself. */
function validateAllButBody(route: { schema: unknown; httpPart?: string; method: string; url: string }) {
  if (route.httpPart === 'body') return (value: unknown) => ({ value });
  return validatorCompiler({ ...route, schema: route.schema as z.ZodType });
}

/** `POST /{v1|v2}/assistant/{domain}/message`: answers a question as a stream in the protocol of that version. */
export function askAssistantRoutes(
  app: App,
  deps: AskDeps,
  { access, metrics, ...operation }: AssistantOperation & AskOptions,
): void {
  const announce = async (request: FastifyRequest, reply: FastifyReply) => operation.announce?.(request, reply);
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
      onRequest: [announce, ...access.counted('assistant')],
      handler: async (request, reply) => {
        const question: AssistantQuestion = { ...readAssistantRequest(request.body), caller: callerOf(request) };
        const site = access.siteOf(request);
        const { botCheck } = await deps.assistantSettings.of(site.siteId);
        // A signed-in user is not a bot.
        if (botCheck && !access.isMember(request)) await requireProof(deps, site.siteId, question.proof);
        const answer = await answerQuestion(deps, site, question, abortOnClose(reply.raw), metrics.observeAnswer);
        await respondWithAnswer(reply, answer, operation.wire(question, request), metrics);
      },
    });
  }
}

/** A browser sends the origin of its page, which a page cannot prevent; programs have no reason to. */
function callerOf({ headers }: Pick<FastifyRequest, 'headers'>): Caller {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined ? 'web' : 'api';
}
