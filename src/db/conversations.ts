import { sql } from 'kysely';
import type { AnswerOutcome } from '../core/assistant/answer-event.ts';
import type { Caller } from '../core/assistant/assistant-question.ts';
import type { QueryRunner } from '../ports/database.ts';
import { MESSAGE_CHARACTERS } from './threads.ts';

/** What of a site is asked for. */
export interface ConversationScope {
  siteId: string;
  /** Threads in which nobody wrote since then are to be deleted, and count as gone already. */
  keptSince: Date;
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
  /** Only what was asked on this page. */
  path?: string | undefined;
}

/** Where a list that is newest first goes on: after the row of that time and id. */
export interface ListPlace {
  at: Date;
  id: string;
}

export interface AnswerRow {
  id: string;
  threadId: string;
  /** Null where the question is not stored. */
  question: string | null;
  pagePath: string | null;
  caller: Caller | null;
  content: string;
  sources: { title: string; url: string }[];
  outcome: AnswerOutcome | null;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  firstTextMs: number | null;
  durationMs: number | null;
  helpful: boolean | null;
  comment: string | null;
  createdAt: Date;
}

export interface AnswerFilter {
  outcome?: AnswerOutcome | undefined;
  after?: ListPlace | undefined;
  limit: number;
}

/** What a list has of a question and of an answer; a thread has all that is stored. */
const EXCERPT_CHARACTERS = 4000;

const answerColumns = [
  'answer.id',
  'answer.thread_id as threadId',
  sql<string | null>`left(asked.content, ${EXCERPT_CHARACTERS})`.as('question'),
  'asked.page_path as pagePath',
  'asked.caller',
  sql<string>`left(answer.content, ${EXCERPT_CHARACTERS})`.as('content'),
  'answer.sources',
  'answer.outcome',
  'answer.model',
  'answer.input_tokens as inputTokens',
  'answer.output_tokens as outputTokens',
  'answer.first_text_ms as firstTextMs',
  'answer.duration_ms as durationMs',
  'rating.helpful',
  'rating.comment',
  'answer.created_at as createdAt',
] as const;

/** The answers of a site, each with the question before it in its thread. */
function answersOf(queries: QueryRunner, { siteId, keptSince, from, to, path }: ConversationScope) {
  let answers = queries
    .selectFrom('messages as answer')
    .innerJoin('threads', 'threads.id', 'answer.thread_id')
    .leftJoin('feedback as rating', 'rating.message_id', 'answer.id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('messages as before')
          .select(['before.content', 'before.page_path', 'before.caller'])
          .whereRef('before.thread_id', '=', 'answer.thread_id')
          .whereRef('before.position', '<', 'answer.position')
          .where('before.role', '=', 'user')
          .orderBy('before.position', 'desc')
          .limit(1)
          .as('asked'),
      (join) => join.onTrue(),
    )
    .where('answer.role', '=', 'assistant')
    .where('threads.site_id', '=', siteId)
    .where('threads.updated_at', '>=', keptSince);
  if (from) answers = answers.where('answer.created_at', '>=', from);
  if (to) answers = answers.where('answer.created_at', '<', to);
  if (path !== undefined) answers = answers.where('asked.page_path', '=', path);
  return answers;
}

/** The answers of a site, newest first. */
export async function listAnswers(queries: QueryRunner, scope: ConversationScope, filter: AnswerFilter): Promise<AnswerRow[]> {
  const { outcome, after, limit } = filter;
  let answers = answersOf(queries, scope);
  if (outcome !== undefined) answers = answers.where('answer.outcome', '=', outcome);
  if (after) answers = answers.where(sql<boolean>`(answer.created_at, answer.id) < (${after.at}::timestamptz, ${after.id})`);
  return answers.select(answerColumns).orderBy('answer.created_at', 'desc').orderBy('answer.id', 'desc').limit(limit).execute();
}

/** How many questions came from where; null where it was not kept. */
export async function countCallers(
  queries: QueryRunner,
  { siteId, keptSince, from, to, path }: ConversationScope,
): Promise<{ caller: Caller | null; count: number }[]> {
  let questions = queries
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.thread_id')
    .where('messages.role', '=', 'user')
    .where('threads.site_id', '=', siteId)
    .where('threads.updated_at', '>=', keptSince);
  if (from) questions = questions.where('messages.created_at', '>=', from);
  if (to) questions = questions.where('messages.created_at', '<', to);
  if (path !== undefined) questions = questions.where('messages.page_path', '=', path);
  return questions
    .select(['messages.caller', sql<number>`count(*)::integer`.as('count')])
    .groupBy('messages.caller')
    .execute();
}

export interface ThreadSummaryRow {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  /** The first one. */
  question: string | null;
  questionCount: number;
  /** Of the newest answer. */
  outcome: AnswerOutcome | null;
}

/** The threads of a site, the last begun first. */
export async function listThreads(
  queries: QueryRunner,
  { siteId, keptSince, from, to, path }: ConversationScope,
  { outcome, after, limit }: AnswerFilter,
): Promise<ThreadSummaryRow[]> {
  let threads = queries
    .selectFrom('threads')
    .innerJoinLateral(
      (query) =>
        query
          .selectFrom('messages')
          .whereRef('messages.thread_id', '=', 'threads.id')
          .select([
            sql<number>`count(*) filter (where role = 'user')::integer`.as('questionCount'),
            sql<
              string | null
            >`(array_agg(left(content, ${EXCERPT_CHARACTERS}) order by position) filter (where role = 'user'))[1]`.as('question'),
            sql<AnswerOutcome | null>`(array_agg(outcome order by position desc) filter (where role = 'assistant'))[1]`.as(
              'outcome',
            ),
          ])
          .as('said'),
      (join) => join.onTrue(),
    )
    .where('threads.site_id', '=', siteId)
    .where('threads.updated_at', '>=', keptSince);
  if (from) threads = threads.where('threads.created_at', '>=', from);
  if (to) threads = threads.where('threads.created_at', '<', to);
  if (path !== undefined)
    threads = threads.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as question')
          .select('question.id')
          .whereRef('question.thread_id', '=', 'threads.id')
          .where('question.page_path', '=', path),
      ),
    );
  if (outcome !== undefined) {
    threads = threads.where('said.outcome', '=', outcome);
    // Some answer has it: an index knows these, so that a rare outcome needs no look at every thread.
    threads = threads.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as answer')
          .select('answer.id')
          .whereRef('answer.thread_id', '=', 'threads.id')
          .where('answer.role', '=', 'assistant')
          .where('answer.outcome', '=', outcome),
      ),
    );
  }
  if (after) threads = threads.where(sql<boolean>`(threads.created_at, threads.id) < (${after.at}::timestamptz, ${after.id})`);
  return threads
    .select([
      'threads.id',
      'threads.created_at as createdAt',
      'threads.updated_at as updatedAt',
      'said.question',
      'said.questionCount',
      'said.outcome',
    ])
    .orderBy('threads.created_at', 'desc')
    .orderBy('threads.id', 'desc')
    .limit(limit)
    .execute();
}

const messageColumns = [
  'messages.id',
  'messages.role',
  sql<string>`left(messages.content, ${MESSAGE_CHARACTERS})`.as('content'),
  'page_path as pagePath',
  'caller',
  'sources',
  'outcome',
  'model',
  'input_tokens as inputTokens',
  'output_tokens as outputTokens',
  'first_text_ms as firstTextMs',
  'duration_ms as durationMs',
  'rating.helpful',
  'rating.comment',
  'messages.created_at as createdAt',
] as const;

export type MessageRow = Omit<AnswerRow, 'threadId' | 'question'> & { role: 'user' | 'assistant' };

/**
 * A thread of that site with its last messages, oldest first: as many as stay within both limits, and the last one in any case.
 * `hasEarlier`: some were left out.
 */
export async function readThread(
  queries: QueryRunner,
  { siteId, keptSince }: ConversationScope,
  { threadId, maxMessages, maxCharacters }: { threadId: string; maxMessages: number; maxCharacters: number },
): Promise<{ createdAt: Date; hasEarlier: boolean; messages: MessageRow[] } | undefined> {
  const thread = await queries
    .selectFrom('threads')
    .select('created_at as createdAt')
    .where('id', '=', threadId)
    .where('site_id', '=', siteId)
    .where('updated_at', '>=', keptSince)
    .executeTakeFirst();
  if (!thread) return undefined;
  const length = sql`least(length(content), ${MESSAGE_CHARACTERS}) + length(sources::text)`;
  const newest = await queries
    .selectFrom('messages')
    .select(['id', sql<number>`(sum(${length}) over (order by position desc))::float8`.as('characters')])
    .where('thread_id', '=', threadId)
    .orderBy('position', 'desc')
    .limit(maxMessages + 1)
    .execute();
  const fitting = newest.slice(0, maxMessages).filter(({ characters }, rank) => rank === 0 || characters <= maxCharacters);
  if (fitting.length === 0) return { createdAt: thread.createdAt, hasEarlier: false, messages: [] };
  const messages = await queries
    .selectFrom('messages')
    .leftJoin('feedback as rating', 'rating.message_id', 'messages.id')
    .select(messageColumns)
    .where('messages.thread_id', '=', threadId)
    .where(
      'messages.id',
      'in',
      fitting.map(({ id }) => id),
    )
    .orderBy('messages.position')
    .execute();
  return { createdAt: thread.createdAt, hasEarlier: fitting.length < newest.length, messages };
}
