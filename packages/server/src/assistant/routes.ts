import type { AnswerWire } from '@docent/assistant/chat/answer-event.ts';
import type { AssistantQuestion, Caller } from '@docent/assistant/chat/chat-request.ts';
import { readAssistantRequest } from '@docent/assistant/chat/read-assistant-request.ts';
import { dataStream } from '@docent/assistant/wire/data-stream.ts';
import { uiMessageStream } from '@docent/assistant/wire/ui-message-stream.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod';
import type { Config } from '../kernel/config/config.ts';
import type { Deps } from '../kernel/deps.ts';
import type { App } from '../kernel/http/base-app.ts';
import type { CountDeps } from '../kernel/http/count-fetch.ts';
import type { AnswerMetrics } from '../kernel/http/metrics.ts';
import { problems } from '../kernel/http/problem.ts';
import { limitHeaders, type ResponseHeader } from '../kernel/http/response-headers.ts';
import { abortOnClose } from '../kernel/http/streams.ts';
import * as field from '../kernel/operations/described.ts';
import {
  type DiscoveryAccess,
  discoveryOperationsOf,
  discoveryPrefixes,
  domainOf,
} from '../kernel/operations/discovery-operation.ts';
import { pathParams, plainText } from '../kernel/operations/fields.ts';
import type { LiveSite } from '../ports/live-sites.ts';
import { pageRoute, searchRoute } from '../search/routes.ts';
import { type AnswerDeps, answerQuestion } from './answer-question.ts';
import { type CheckDeps, makeChallenge, requireProof } from './bot-check.ts';
import { asSentence } from './chat-errors.ts';
import { messageBodySchema, uiMessageBodySchema } from './chat-message-schema.ts';
import { rateAnswer } from './conversation.ts';
import { respondWithAnswer } from './send-answer.ts';

export type DiscoveryDeps = AnswerDeps &
  CheckDeps &
  CountDeps & { config: Pick<Config, 'publicUrl'> };

/** What programs and chat windows ask about a site: questions, searches, pages. */
export function discoveryRoutes(app: App, deps: DiscoveryDeps, options: AskOptions): void {
  askV2Routes(app, deps, options);
  askV1Routes(app, deps, options);
  for (const add of [getAssistantSettingsRoute, rateAnswerRoute, searchRoute, pageRoute])
    add(app, deps, options.access);
}

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

export interface AskOptions {
  access: DiscoveryAccess;
  metrics: AnswerMetrics;
}

/** The protocols of client releases differ only in these points. */
interface AskOperation {
  version: 'v1' | 'v2';
  operationId: string;
  summary: string;
  description: string;
  deprecated: boolean;
  /**
   * The documented body. The operation accepts more, because real clients send less and more than
   * their protocol says.
   */
  body: z.ZodType;
  querystring?: z.ZodType;
  mediaType: string;
  streamExample: string;
  responseHeaders: readonly ResponseHeader[];
  /** Runs first for every request, including refused ones. */
  announce?: (request: FastifyRequest, reply: FastifyReply) => void;
  wire: (question: AssistantQuestion, request: FastifyRequest) => AnswerWire;
}

/**
 * The declared body is for the description; the operation accepts more, so it parses the body
 * itself.
 */
function validateAllButBody(route: {
  schema: unknown;
  httpPart?: string;
  method: string;
  url: string;
}) {
  if (route.httpPart === 'body') return (value: unknown) => ({ value });
  return validatorCompiler({ ...route, schema: route.schema as z.ZodType });
}

/**
 * `POST /{v1|v2}/assistant/{domain}/message`: answers a question as a stream in the protocol of that version.
 */
function askRoutes(
  app: App,
  deps: AnswerDeps & CheckDeps,
  { access, metrics }: AskOptions,
  operation: AskOperation,
): void {
  const {
    version,
    body,
    querystring,
    mediaType,
    streamExample,
    responseHeaders,
    announce,
    wire,
    ...described
  } = operation;
  for (const { prefix, hide } of discoveryPrefixes) {
    app.route({
      method: 'POST',
      url: `${prefix}/${version}/assistant/:domain/message`,
      bodyLimit: BODY_LIMIT_BYTES,
      validatorCompiler: validateAllButBody,
      errorHandler: asSentence,
      schema: {
        hide,
        ...described,
        tags: ['Assistant'],
        'x-response-headers': [...limitHeaders, 'x-thread-id', 'x-thread-key', ...responseHeaders],
        security: [{ assistantKey: [] }],
        params: pathParams('/:domain'),
        ...(querystring && { querystring }),
        body,
        response: {
          200: {
            description: 'The answer, streamed as it is written.',
            content: { [mediaType]: { schema: z.string().meta({ examples: [streamExample] }) } },
          },
          ...problems(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
      onRequest: [
        async (request, reply) => announce?.(request, reply),
        ...access.counted('assistant'),
      ],
      handler: async (request, reply) => {
        const isTry = access.isMember(request);
        const question: AssistantQuestion = {
          ...readAssistantRequest(request.body),
          caller: callerOf(request),
          isTry,
        };
        const site = access.siteOf(request);
        const { botCheck } = await deps.assistantSettings.of(site.siteId);
        // A signed-in user is not a bot.
        if (botCheck && !isTry) await requireProof(deps, site.siteId, question.proof);
        const answer = await answerQuestion(
          deps,
          site,
          question,
          abortOnClose(reply),
          metrics.observeAnswer,
        );
        await respondWithAnswer(reply, answer, wire(question, request), metrics);
      },
    });
  }
}

/**
 * A browser sends the origin of its page, which a page cannot prevent; programs have no reason to.
 */
function callerOf({ headers }: Pick<FastifyRequest, 'headers'>): Caller {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined ? 'web' : 'api';
}

const v2Querystring = z.object({
  threadIdOnFinish: field.text.optional(
    '`1` repeats the identifier of the conversation as a key of the event `finish`. AI SDK releases before July 2026 fail on it.',
  ),
});

/**
 * `POST /v2/assistant/{domain}/message`: answers a question as a UI message stream; also the URL to resume one.
 */
function askV2Routes(app: App, deps: DiscoveryDeps, options: AskOptions): void {
  askRoutes(app, deps, options, {
    version: 'v2',
    operationId: 'createAssistantMessageV2',
    summary: 'Ask the assistant',
    description:
      'Answers a question from the pages of a site, as server-sent events in the UI message stream protocol, which `useChat` of the AI SDK v5, v6 and v7 reads. The identifier of the conversation is in `x-thread-id` and in the metadata of the message; the secret of a new one is in `x-thread-key`.',
    deprecated: false,
    body: uiMessageBodySchema,
    querystring: v2Querystring,
    mediaType: 'text/event-stream',
    responseHeaders: ['x-vercel-ai-ui-message-stream'],
    streamExample: `data: {"type":"start","messageId":"msg-01K9Z6","messageMetadata":{"threadId":"01K9Z3W6Y7QJ5T8B2M4N6P8R0S"}}

data: {"type":"start-step"}

data: {"type":"tool-input-start","toolCallId":"call-1","toolName":"search"}

data: {"type":"tool-input-available","toolCallId":"call-1","toolName":"search","input":{"query":"rotate a key"}}

data: {"type":"tool-output-available","toolCallId":"call-1","output":{"type":"search","results":[{"content":"…","path":"guides/keys","url":"https://docs.acme.example/guides/keys","metadata":{"title":"Keys","score":0.81,"used":true}}]}}

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
        threadIdOnFinish: (request.query as z.infer<typeof v2Querystring>).threadIdOnFinish === '1',
      }),
  });
  const operation = discoveryOperationsOf(app, options.access, 'Assistant');
  operation({
    route: 'GET /v2/assistant/:domain/message/:chatId/stream',
    operationId: 'resumeAssistantMessage',
    summary: 'Resume an answer',
    description:
      'Clients call this when they start, to resume an interrupted answer. An answer ends when its reader disconnects, so there is never one to resume, and the response is always 204.',
    answer: z.null().describe('There is nothing to resume.'),
    run: () => null,
  });
}

/** 2026-01-01T00:00:00Z in the format of RFC 9745. */
const DEPRECATED_SINCE = '@1767225600';

/** `POST /v1/assistant/{domain}/message`: answers a question as an AI SDK data stream. */
function askV1Routes(app: App, deps: DiscoveryDeps, options: AskOptions): void {
  askRoutes(app, deps, options, {
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
a:{"toolCallId":"call-1","result":[{"content":"…","path":"guides/keys","url":"https://docs.acme.example/guides/keys","metadata":{"title":"Keys","score":0.81,"used":true}}]}
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
      reply
        .header('deprecation', DEPRECATED_SINCE)
        .header('link', `<${successor}>; rel="successor-version"`);
    },
    wire: ({ wire, searchForm }) => dataStream({ minimal: wire === 'minimal', searchForm }),
  });
}

const chatSettings = z
  .object({
    name: field.text('Name of the site.'),
    siteUrl: field.text(
      'Address of the site, without a trailing slash; links in an answer that begin with `/` are relative to it.',
    ),
    enabled: field.flag('Whether the assistant answers.'),
    starterQuestions: field.texts('Questions to offer before the first one.'),
    supportEmail: field.text.orNull(
      'E-mail address to refer readers to when the documentation has no answer.',
    ),
    supportUrl: field.text.orNull(
      'Web address to refer readers to when the documentation has no answer.',
    ),
    botCheck: field.partOrNull(
      'The bot check for the next question; `null` if the site has none.',
      {
        challenge: field.text('The challenge, valid for one question.'),
        bits: field.int(
          'Find a number for which the SHA-256 of `<challenge>.<number>` starts with this many zero bits, and send `<challenge>.<number>` as `proof`.',
        ),
        expiresAt: field.time('When the challenge expires.'),
      },
    ),
  })
  .meta({
    examples: [
      {
        name: 'Acme',
        siteUrl: 'https://docs.acme.example',
        enabled: true,
        starterQuestions: ['How do I install Acme?'],
        supportEmail: 'support@acme.example',
        supportUrl: null,
        botCheck: null,
      },
    ],
  });

type ChatSettingsDeps = Pick<Deps, 'assistantSettings' | 'clock' | 'secret'>;

/** What a chat window needs before the first question. */
export async function chatSettingsOf(
  deps: ChatSettingsDeps,
  { siteId, build, publicUrl }: LiveSite,
) {
  const { enabled, starterQuestions, supportEmail, supportUrl, botCheck } =
    await deps.assistantSettings.of(siteId);
  return {
    name: build.config.name,
    siteUrl: publicUrl,
    enabled,
    starterQuestions,
    supportEmail,
    supportUrl,
    botCheck: botCheck ? makeChallenge(deps, siteId) : null,
  };
}

/** `GET /v1/assistant/{domain}/settings` */
function getAssistantSettingsRoute(
  app: App,
  deps: ChatSettingsDeps,
  access: DiscoveryAccess,
): void {
  const operation = discoveryOperationsOf(app, access, 'Assistant');
  operation({
    route: 'GET /v1/assistant/:domain/settings',
    operationId: 'getAssistantSettings',
    summary: 'Get the chat window settings',
    description:
      'Returns the content of a chat window before the first question, and the bot check, if the site has one.',
    bucket: 'assistant',
    answer: chatSettings,
    run: ({ site, reply }) => {
      reply.header('cache-control', 'no-store');
      return chatSettingsOf(deps, site);
    },
  });
}

/** A reader's rating of an answer, from any client. */
export const ratingBody = z
  .object({
    threadId: z.string().max(64).describe('Identifier of the conversation, from `x-thread-id`.'),
    messageId: field.optional(
      z.string().max(256),
      'Identifier of the answer in its stream. Without it, the newest answer of the conversation.',
    ),
    helpful: field.flag.orNull('Whether the answer helped; `null` removes the rating.'),
    comment: plainText(0, 2000).optional().describe('The reader’s comment.'),
  })
  .meta({
    examples: [
      { threadId: '01K9Z3W6Y7QJ5T8B2M4N6P8R0S', helpful: false, comment: 'There is no example.' },
    ],
  });

/**
 * `POST /v1/assistant/{domain}/feedback`: stores a reader's rating of an answer, from a chat window on any page.
 */
function rateAnswerRoute(
  app: App,
  deps: Pick<Deps, 'threads' | 'clock'>,
  access: DiscoveryAccess,
): void {
  const operation = discoveryOperationsOf(app, access, 'Assistant');
  operation({
    route: 'POST /v1/assistant/:domain/feedback',
    operationId: 'rateAssistantAnswer',
    summary: 'Rate an answer',
    description:
      'Stores whether an answer helped. A new rating of the same answer replaces the previous one and its comment.',
    bucket: 'assistant',
    body: ratingBody,
    answer: z.null().describe('The rating is stored.'),
    run: ({ site, body }) => rateAnswer(deps, { siteId: site.siteId, ...body }),
  });
}
