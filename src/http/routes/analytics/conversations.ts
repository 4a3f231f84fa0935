import { z } from 'zod';
import type { AnswerRow, MessageRow, ThreadSummaryRow } from '../../../db/conversations.ts';
import type { Deps } from '../../../services/deps.ts';
import { countQuestionsByCaller, listConversations, listSiteThreads, readSiteThread } from '../../../services/read-analytics.ts';
import type { App } from '../../app-types.ts';
import { actorOf, requireActor } from '../../identify.ts';
import { problems } from '../../problem.ts';
import {
  answerFacts,
  endOf,
  factsOf,
  outcome,
  pageEnd,
  paging,
  projectParams,
  range,
  rangeOf,
  sources,
} from './analytics-schema.ts';

const caller = z
  .enum(['web', 'api'])
  .nullable()
  .describe('`web`: a page in a browser; `api`: a program. Null where it was not kept.');

const conversation = z
  .object({
    id: z.string().describe('Of the answer.'),
    threadId: z.string(),
    timestamp: z.iso.datetime().describe('When the answer ended.'),
    query: z.string(),
    response: z.string(),
    responseType: z.literal('answer'),
    sources,
    resolutionStatus: z.enum(['answered', 'unanswered']).describe('`unanswered` is every outcome but `answered`.'),
    queryCategory: z.null().describe('Questions are not sorted into categories.'),
    pageUrl: z.string().nullable().describe('The page on which the question was asked, where the caller said so.'),
    caller,
    ...answerFacts,
  })
  .meta({ id: 'AssistantConversation' });

const threadSummary = z
  .object({
    threadId: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    query: z.string().describe('The first question.'),
    questionCount: z.int(),
    outcome: outcome.nullable().describe('Of the newest answer; null where there is none.'),
  })
  .meta({ id: 'AssistantThreadSummary' });

const said = { id: z.string(), content: z.string(), createdAt: z.iso.datetime() };
const message = z.discriminatedUnion('role', [
  z.object({ ...said, role: z.literal('user'), path: z.string().nullable(), caller }),
  z.object({ ...said, role: z.literal('assistant'), sources, ...answerFacts }),
]);
const thread = z
  .object({ threadId: z.string(), createdAt: z.iso.datetime(), messages: z.array(message) })
  .meta({ id: 'AssistantThread' });

const callerStats = z.object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() });

/** A path that a caller named is shown as an address of the site where it can be one. */
function pageUrlOf(path: string | null, publicUrl: string): string | null {
  return path !== null && /^\/(?!\/)/.test(path) && URL.canParse(publicUrl + path) ? publicUrl + path : null;
}

function conversationView(row: AnswerRow, publicUrl: string): z.infer<typeof conversation> {
  return {
    id: row.id,
    threadId: row.threadId,
    timestamp: row.createdAt.toISOString(),
    query: row.question ?? '',
    response: row.content,
    responseType: 'answer',
    sources: row.sources,
    resolutionStatus: row.outcome === 'answered' ? 'answered' : 'unanswered',
    queryCategory: null,
    pageUrl: pageUrlOf(row.pagePath, publicUrl),
    caller: row.caller,
    ...factsOf(row),
  };
}

function summaryView({ id, createdAt, updatedAt, question, questionCount, outcome: ended }: ThreadSummaryRow) {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { threadId: id, ...times, query: question ?? '', questionCount, outcome: ended };
}

function messageView(row: MessageRow): z.infer<typeof message> {
  const both = { id: row.id, content: row.content, createdAt: row.createdAt.toISOString() };
  if (row.role === 'user') return { ...both, role: 'user', path: row.pagePath, caller: row.caller };
  return { ...both, role: 'assistant', sources: row.sources, ...factsOf(row) };
}

/** `GET /v1/analytics/{projectId}/assistant`, `…/threads`, `…/threads/{threadId}` and `…/caller-stats` */
export function conversationRoutes(app: App, deps: Deps): void {
  const shared = { tags: ['Analytics'], security: [{ adminKey: [] }] };
  const onRequest = requireActor(deps, 'analytics.read');
  const url = '/v1/analytics/:projectId/assistant';
  const listQuery = z.object({ ...range, outcome: outcome.optional(), ...paging(1000, 100) });

  app.route({
    method: 'GET',
    url,
    schema: {
      ...shared,
      operationId: 'listAssistantConversations',
      summary: 'Questions and their answers, newest first',
      params: projectParams,
      querystring: listQuery,
      response: { 200: z.object({ conversations: z.array(conversation), ...pageEnd }), ...problems(400, 401, 403, 404) },
    },
    onRequest,
    handler: async (request, reply) => {
      const asked = { ...request.params, ...request.query, ...rangeOf(request.query) };
      const page = await listConversations(deps, actorOf(request), asked);
      return reply.send({ conversations: page.rows.map((row) => conversationView(row, page.publicUrl)), ...endOf(page) });
    },
  });

  app.route({
    method: 'GET',
    url: `${url}/threads`,
    schema: {
      ...shared,
      operationId: 'listAssistantThreads',
      summary: 'Threads, the last begun first',
      params: projectParams,
      querystring: listQuery,
      response: { 200: z.object({ threads: z.array(threadSummary), ...pageEnd }), ...problems(400, 401, 403, 404) },
    },
    onRequest,
    handler: async (request, reply) => {
      const asked = { ...request.params, ...request.query, ...rangeOf(request.query) };
      const page = await listSiteThreads(deps, actorOf(request), asked);
      return reply.send({ threads: page.rows.map(summaryView), ...endOf(page) });
    },
  });

  app.route({
    method: 'GET',
    url: `${url}/threads/:threadId`,
    schema: {
      ...shared,
      operationId: 'getAssistantThread',
      summary: 'A thread with what was said in it',
      description: 'At most the last thousand messages, oldest first.',
      params: projectParams.extend({ threadId: z.string() }),
      response: { 200: thread, ...problems(401, 403, 404) },
    },
    onRequest,
    handler: async (request, reply) => {
      const { createdAt, messages } = await readSiteThread(deps, actorOf(request), request.params);
      const { threadId } = request.params;
      return reply.send({ threadId, createdAt: createdAt.toISOString(), messages: messages.map(messageView) });
    },
  });

  app.route({
    method: 'GET',
    url: `${url}/caller-stats`,
    schema: {
      ...shared,
      operationId: 'getAssistantCallerStats',
      summary: 'How many questions came from where',
      description: '`other` are those of which it was not kept.',
      params: projectParams,
      querystring: z.object(range),
      response: { 200: callerStats, ...problems(400, 401, 403, 404) },
    },
    onRequest,
    handler: async (request, reply) => {
      const asked = { ...request.params, ...rangeOf(request.query) };
      return reply.send(await countQuestionsByCaller(deps, actorOf(request), asked));
    },
  });
}
