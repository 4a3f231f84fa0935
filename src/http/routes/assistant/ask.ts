import type { FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AssistantQuestion } from '../../../core/assistant/assistant-question.ts';
import { readAssistantRequest } from '../../../core/assistant/read-assistant-request.ts';
import type { AnswerWire } from '../../../core/assistant/wire/answer-wire.ts';
import { answerQuestion } from '../../../services/answer-question.ts';
import type { Deps } from '../../../services/deps.ts';
import { findAskedSite } from '../../../services/find-asked-site.ts';
import type { LiveSite } from '../../../services/live-sites.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import type { Metrics } from '../../metrics.ts';
import { problems } from '../../problem.ts';
import { countAssistantRequest, declareAssistantLimits } from '../../rate-limits.ts';
import { abortOnClose } from '../../streams.ts';
import { sendAnswer } from './send-answer.ts';

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
  /** Runs before all else of a request, also of one that is refused. */
  announce?: (request: FastifyRequest, reply: FastifyReply) => void;
  wire: (question: AssistantQuestion, request: FastifyRequest) => AnswerWire;
}

/** The two addresses of a discovery operation: the hosted service's own, and the plain one. The description has one of them. */
export const discoveryPrefixes = [
  { prefix: '/discovery', hide: false },
  { prefix: '', hide: true },
] as const;

export const domainParams = z.object({ domain: z.string().describe("The site's identifier or one of its hostnames.") });

/** The site that a request names. Hooks run before parameters are parsed; the address itself guarantees this one. */
export function domainOf(request: FastifyRequest): string {
  return (request.params as { domain: string }).domain;
}

/** The declared body is for the description; what is accepted is wider, so the operation reads it itself. */
function validateAllButBody(route: { schema: unknown; httpPart?: string; method: string; url: string }) {
  if (route.httpPart === 'body') return (value: unknown) => ({ value });
  return validatorCompiler({ ...route, schema: route.schema as z.ZodType });
}

/** `POST /{v1|v2}/assistant/{domain}/message`: a question, and its answer as a stream in the protocol of that version. */
export function askAssistantRoutes(app: App, deps: Deps, metrics: Metrics, operation: AssistantOperation): void {
  const sites = new WeakMap<FastifyRequest, LiveSite>();
  const announce = async (request: FastifyRequest, reply: FastifyReply) => operation.announce?.(request, reply);
  const findSite = async (request: FastifyRequest) => {
    sites.set(request, await findAskedSite(deps, actorOf(request), domainOf(request)));
  };
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
        security: [{ assistantKey: [] }],
        params: domainParams,
        ...(operation.querystring && { querystring: operation.querystring }),
        body: operation.body,
        response: {
          200: { description: 'The answer as it is written.', content: { [operation.mediaType]: { schema: z.string() } } },
          ...problems(400, 401, 403, 404, 413, 415, 429),
        },
      },
      onRequest: [
        announce,
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
        const wire = operation.wire(question, request);
        const closeStream = metrics.openStream(wire.protocol);
        try {
          await sendAnswer(reply, answer.events, wire);
        } finally {
          closeStream();
        }
      },
    });
  }
}
