import type { AnswerBasis } from '@docent/assistant/answer-basis.ts';
import type { StoredOutcome } from '@docent/assistant/chat/answer-event.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import { MESSAGE_CHARACTERS } from '../kernel/db/conversation-rows.ts';
import {
  given,
  hasRow,
  isWithin,
  type ListSlice,
  onPage,
  type TimeRange,
} from '../kernel/db/query-parts.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from '../ports/tables.ts';

export interface ConversationScope extends TimeRange {
  siteId: string;
  /** Threads without messages since then are due for deletion, and are treated as deleted. */
  keptSince: Date;
  /** Only questions asked on this page. */
  path?: string | undefined;
  /** Only questions asked in this version of the site. */
  version?: string | undefined;
  /** Only questions asked in this language of the site. */
  language?: string | undefined;
}

export interface AnswerFilter extends ListSlice {
  outcome?: StoredOutcome | undefined;
}

/** The outcome of the answers of a table; `messages_by_coverage` indexes this expression. */
export function outcomeOf(table: 'answer' | 'messages') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<StoredOutcome>`(CASE WHEN ${column('outcome')} IN ('aborted', 'failed') THEN ${column('outcome')} ELSE coalesce(${column('coverage')}, 'unknown') END)`;
}

/** The columns of a question and an answer in lists; a thread has everything that is stored. */
export const EXCERPT_CHARACTERS = 4000;

const answerColumns = [
  'answer.id',
  'answer.thread_id as threadId',
  sql<string | null>`left(asked.content, ${EXCERPT_CHARACTERS})`.as('question'),
  'asked.page_path as pagePath',
  'asked.caller',
  sql<string>`left(answer.content, ${EXCERPT_CHARACTERS})`.as('content'),
  'answer.sources',
  outcomeOf('answer').as('outcome'),
  'answer.model',
  'answer.input_tokens as inputTokens',
  'answer.output_tokens as outputTokens',
  'answer.first_text_ms as firstTextMs',
  'answer.duration_ms as durationMs',
  'rating.helpful',
  'rating.comment',
  'answer.created_at as createdAt',
] as const;

/** Selects the question before each `answer` in its thread, for a lateral join. */
export function questionBefore({
  selectFrom,
}: ExpressionBuilder<{ answer: Tables['messages'] } & Tables, 'answer'>) {
  return selectFrom('messages as before')
    .select([
      'before.content',
      'before.page_path',
      'before.page_version',
      'before.page_language',
      'before.caller',
    ])
    .whereRef('before.thread_id', '=', 'answer.thread_id')
    .whereRef('before.position', '<', 'answer.position')
    .where('before.role', '=', 'user')
    .orderBy('before.position', 'desc')
    .limit(1)
    .as('asked');
}

/** Joins the answers of a site, each with the preceding question of its thread. */
function answersOf(queries: QueryRunner, scope: ConversationScope) {
  const { path, version, language } = scope;
  return queries
    .selectFrom('messages as answer')
    .innerJoin('threads', 'threads.id', 'answer.thread_id')
    .leftJoin('feedback as rating', 'rating.message_id', 'answer.id')
    .leftJoinLateral(questionBefore, (join) => join.onTrue())
    .where('answer.role', '=', 'assistant')
    .where('threads.site_id', '=', scope.siteId)
    .where('threads.updated_at', '>=', scope.keptSince)
    .where(isWithin('answer.created_at', scope))
    .where(({ and }) =>
      and(
        given({
          'asked.page_path': path,
          'asked.page_version': version,
          'asked.page_language': language,
        }),
      ),
    );
}

/** Returns the answers of a site, newest first. */
export async function listAnswers(
  queries: QueryRunner,
  scope: ConversationScope,
  filter: AnswerFilter,
) {
  return answersOf(queries, scope)
    .$if(filter.outcome !== undefined, (query) =>
      query.where(outcomeOf('answer'), '=', filter.outcome as StoredOutcome),
    )
    .$call(onPage(filter, ['answer.created_at', 'answer.id']))
    .select(answerColumns)
    .execute();
}

/** An answer, and the question if it is stored. */
export type AnswerRow = Awaited<ReturnType<typeof listAnswers>>[number];

/** Returns the newest answers of a site, without their text. */
export async function listCountedAnswers(
  queries: QueryRunner,
  scope: ConversationScope,
  limit: number,
) {
  return answersOf(queries, scope)
    .select([
      'answer.thread_id as threadId',
      sql<string | null>`left(asked.content, 1000)`.as('question'),
      'answer.sources',
      outcomeOf('answer').as('outcome'),
      'rating.helpful',
      'answer.created_at as createdAt',
      sql<boolean>`EXISTS (SELECT FROM waiting_readers WHERE message_id = answer.id)`.as(
        'isWaiting',
      ),
    ])
    .orderBy('answer.created_at', 'desc')
    .orderBy('answer.id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * The parts of an answer needed to count it; the first source is the main one.
 */
export type CountedAnswer = Awaited<ReturnType<typeof listCountedAnswers>>[number];

/** Returns the number of questions by origin; null if it was not stored. */
export async function countCallers(queries: QueryRunner, scope: ConversationScope) {
  const { path, version, language } = scope;
  return queries
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.thread_id')
    .where('messages.role', '=', 'user')
    .where('threads.site_id', '=', scope.siteId)
    .where('threads.updated_at', '>=', scope.keptSince)
    .where(isWithin('messages.created_at', scope))
    .where(({ and }) =>
      and(given({ page_path: path, page_version: version, page_language: language })),
    )
    .select(['messages.caller', sql<number>`count(*)::integer`.as('count')])
    .groupBy('messages.caller')
    .execute();
}

/** Returns the threads of a site, most recently started first. */
export async function listThreads(
  queries: QueryRunner,
  scope: ConversationScope,
  { outcome, after, limit }: AnswerFilter,
) {
  const { path, version, language } = scope;
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
            >`(array_agg(left(content, ${EXCERPT_CHARACTERS}) order by position) filter (where role = 'user'))[1]`.as(
              'question',
            ),
            sql<StoredOutcome | null>`(array_agg(${outcomeOf('messages')} order by position desc) filter (where role = 'assistant'))[1]`.as(
              'outcome',
            ),
          ])
          .as('said'),
      (join) => join.onTrue(),
    )
    .where('threads.site_id', '=', scope.siteId)
    .where('threads.updated_at', '>=', scope.keptSince)
    .where(isWithin('threads.created_at', scope));
  if (path !== undefined || version !== undefined || language !== undefined)
    threads = threads.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as question')
          .select('question.id')
          .whereRef('question.thread_id', '=', 'threads.id')
          .where('question.role', '=', 'user')
          .where(({ and }) =>
            and(given({ page_path: path, page_version: version, page_language: language })),
          ),
      ),
    );
  if (outcome !== undefined) {
    threads = threads.where('said.outcome', '=', outcome);
    // Matches threads with any such answer: an index covers this, so that a rare outcome does not
    // scan every thread.
    threads = threads.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages as answer')
          .select('answer.id')
          .whereRef('answer.thread_id', '=', 'threads.id')
          .where('answer.role', '=', 'assistant')
          .where(outcomeOf('answer'), '=', outcome),
      ),
    );
  }
  return threads
    .$call(onPage({ after, limit }, ['threads.created_at', 'threads.id']))
    .select([
      'threads.id',
      'threads.created_at as createdAt',
      'threads.updated_at as updatedAt',
      'said.question',
      'said.questionCount',
      'said.outcome',
    ])
    .execute();
}

/** A thread with its first question and the outcome of its newest answer. */
export type ThreadSummaryRow = Awaited<ReturnType<typeof listThreads>>[number];

const messageColumns = [
  'messages.id',
  'messages.role',
  sql<string>`left(messages.content, ${MESSAGE_CHARACTERS})`.as('content'),
  'page_path as pagePath',
  'caller',
  'sources',
  outcomeOf('messages').as('outcome'),
  'model',
  'input_tokens as inputTokens',
  'output_tokens as outputTokens',
  'first_text_ms as firstTextMs',
  'duration_ms as durationMs',
  'basis',
  'rating.helpful',
  'rating.comment',
  'messages.created_at as createdAt',
] as const;

export type MessageRow = Omit<AnswerRow, 'threadId' | 'question'> & {
  role: 'user' | 'assistant';
  basis: AnswerBasis | null;
};

/** Deletes a thread with its messages. @returns false if the site has no such thread */
export async function deleteThread(
  queries: QueryRunner,
  siteId: string,
  threadId: string,
): Promise<boolean> {
  const deletion = queries
    .deleteFrom('threads')
    .where('site_id', '=', siteId)
    .where('id', '=', threadId);
  return hasRow(deletion.returning('id'));
}

/**
 * Returns a thread of that site with its last messages, oldest first: as many as fit both limits,
 * and at least the last one.
 * `hasEarlier`: some were left out.
 */
export async function readThread(
  queries: QueryRunner,
  { siteId, keptSince }: ConversationScope,
  {
    threadId,
    maxMessages,
    maxCharacters,
  }: { threadId: string; maxMessages: number; maxCharacters: number },
): Promise<{ createdAt: Date; hasEarlier: boolean; messages: MessageRow[] } | undefined> {
  const thread = await queries
    .selectFrom('threads')
    .select('created_at as createdAt')
    .where('id', '=', threadId)
    .where('site_id', '=', siteId)
    .where('updated_at', '>=', keptSince)
    .executeTakeFirst();
  if (!thread) return undefined;
  const length = sql`least(length(content), ${MESSAGE_CHARACTERS}) + length(sources::text) + coalesce(length(basis::text), 0)`;
  const newest = await queries
    .selectFrom('messages')
    .select([
      'id',
      sql<number>`(sum(${length}) over (order by position desc))::float8`.as('characters'),
    ])
    .where('thread_id', '=', threadId)
    .orderBy('position', 'desc')
    .limit(maxMessages + 1)
    .execute();
  const fitting = newest
    .slice(0, maxMessages)
    .filter(({ characters }, rank) => rank === 0 || characters <= maxCharacters);
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
