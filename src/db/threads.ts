import { type OnConflictBuilder, sql } from 'kysely';
import type { AnswerOutcome } from '../core/assistant/answer-event.ts';
import type { Caller } from '../core/assistant/assistant-question.ts';
import type { QueryRunner } from '../ports/database.ts';
import type { Tables } from './tables.ts';

export interface ThreadRow {
  id: string;
  fp: string;
  keyHash: string;
}

export interface TurnRow {
  role: 'user' | 'assistant';
  content: string;
}

export interface NewMessage {
  id: string;
  threadId: string;
  role: 'user' | 'assistant';
  content: string;
  sources: { title: string; url: string }[];
  status: 'complete' | 'incomplete';
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  outcome: AnswerOutcome | null;
  firstTextMs: number | null;
  durationMs: number | null;
  /** Of questions. */
  pagePath?: string | undefined;
  /** Of questions. */
  caller?: Caller | undefined;
  createdAt: Date;
}

export async function findThread(queries: QueryRunner, siteId: string, id: string): Promise<ThreadRow | undefined> {
  return queries
    .selectFrom('threads')
    .select(['id', 'fp', 'key_hash as keyHash'])
    .where('id', '=', id)
    .where('site_id', '=', siteId)
    .executeTakeFirst();
}

export interface NewThread extends ThreadRow {
  siteId: string;
  createdAt: Date;
}

/** Threads that begin, and messages in the order in which they are added, to those threads and others. */
export interface TurnsToInsert {
  threads: NewThread[];
  messages: NewMessage[];
}

/** Stores threads and messages in one statement: all of them or none. What is stored already stays, so that it can be retried. */
export async function insertTurns(queries: QueryRunner, { threads, messages }: TurnsToInsert): Promise<void> {
  const touched = [...new Set(messages.map(({ threadId }) => threadId))];
  const updatedAt = new Date(Math.max(...messages.map(({ createdAt }) => createdAt.getTime())));
  const begin = queries.with('touched', (query) =>
    query.updateTable('threads').set({ updated_at: updatedAt }).where('id', 'in', touched),
  );
  const rows = messages.map(messageRow);
  if (threads.length === 0) await begin.insertInto('messages').values(rows).onConflict(keepStored).execute();
  else {
    await begin
      .with('begun', (query) => query.insertInto('threads').values(threads.map(threadRow)).onConflict(keepStored))
      .insertInto('messages')
      .values(rows)
      .onConflict(keepStored)
      .execute();
  }
}

const keepStored = <Table extends 'threads' | 'messages'>(conflict: OnConflictBuilder<Tables, Table>) =>
  conflict.column('id').doNothing();

function threadRow({ id, siteId, fp, keyHash, createdAt }: NewThread) {
  return { id, site_id: siteId, fp, key_hash: keyHash, created_at: createdAt, updated_at: createdAt };
}

function messageRow(message: NewMessage) {
  return {
    id: message.id,
    thread_id: message.threadId,
    role: message.role,
    content: message.content,
    sources: JSON.stringify(message.sources),
    status: message.status,
    model: message.model,
    input_tokens: message.inputTokens,
    output_tokens: message.outputTokens,
    outcome: message.outcome,
    first_text_ms: message.firstTextMs,
    duration_ms: message.durationMs,
    page_path: message.pagePath ?? null,
    caller: message.caller ?? null,
    created_at: message.createdAt,
  };
}

/** What is stored of a message, and read of older ones that are longer. */
export const MESSAGE_CHARACTERS = 64_000;

/** What a reader says of an answer: of the one with that id, or of the newest of the thread. */
export interface Rating {
  threadId: string;
  messageId: string | undefined;
  /** Null takes back what was said. */
  helpful: boolean | null;
  comment: string | null;
  ratedAt: Date;
}

/**
 * Stores what the reader said of an answer, in place of what they said before.
 * @returns false where there is no such answer
 */
export async function setHelpful(
  queries: QueryRunner,
  { threadId, messageId, helpful, comment, ratedAt }: Rating,
): Promise<boolean> {
  const answers = queries.selectFrom('messages').where('thread_id', '=', threadId).where('role', '=', 'assistant');
  const found = messageId === undefined ? answers.orderBy('position', 'desc').limit(1) : answers.where('id', '=', messageId);
  const answer = await found.select(['id', 'position']).executeTakeFirst();
  if (!answer) return false;
  if (helpful === null) {
    await queries.deleteFrom('feedback').where('message_id', '=', answer.id).execute();
    return true;
  }
  const source = comment === null ? 'thumbs_only' : 'contextual';
  const asked = queries
    .selectFrom('messages')
    .select('page_path')
    .where('thread_id', '=', threadId)
    .where('position', '<', answer.position)
    .where('role', '=', 'user')
    .orderBy('position', 'desc')
    .limit(1);
  const values = { id: answer.id, message_id: answer.id, preview_id: null, reason: null, source, helpful, comment } as const;
  await queries
    .insertInto('feedback')
    .values(({ selectFrom }) => ({
      ...values,
      site_id: selectFrom('threads').select('site_id').where('id', '=', threadId).$asScalar().$notNull(),
      path: asked.$asScalar(),
      created_at: ratedAt,
    }))
    .onConflict((conflict) => conflict.columns(['site_id', 'id']).doUpdateSet({ source, helpful, comment, created_at: ratedAt }))
    .execute();
  return true;
}

/** Removes one message, where it is there. */
export async function deleteMessage(queries: QueryRunner, threadId: string, messageId: string): Promise<void> {
  await queries.deleteFrom('messages').where('thread_id', '=', threadId).where('id', '=', messageId).execute();
}

/** Removes a message and everything after it: the reader asked it again or edited it. */
export async function deleteMessagesFrom(queries: QueryRunner, threadId: string, messageId: string): Promise<void> {
  await queries
    .deleteFrom('messages')
    .where('thread_id', '=', threadId)
    .where('position', '>=', (where) =>
      where
        .selectFrom('messages as first')
        .select('first.position')
        .where('first.id', '=', messageId)
        .where('first.thread_id', '=', threadId),
    )
    .execute();
}

/** The last `limit` turns of a thread that say something, oldest first; only those before a message, where it is there. */
export async function listTurns(
  queries: QueryRunner,
  threadId: string,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<TurnRow[]> {
  let turns = queries
    .selectFrom('messages')
    .select(['role', sql<string>`left(content, ${MESSAGE_CHARACTERS})`.as('content')])
    .where('thread_id', '=', threadId)
    .where('content', '!=', '');
  if (before !== undefined) {
    turns = turns.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages as asked')
            .select('asked.id')
            .where('asked.id', '=', before)
            .where('asked.thread_id', '=', threadId)
            .whereRef('asked.position', '<=', 'messages.position'),
        ),
      ),
    );
  }
  const newestFirst = await turns.orderBy('position', 'desc').limit(limit).execute();
  return newestFirst.reverse();
}

/** Deletes the threads of sites in which nobody wrote for as long as the site keeps them. Returns how many. */
export async function deleteExpiredThreads(queries: QueryRunner, now: Date, defaultDays: number): Promise<number> {
  const days = sql<number>`coalesce((sites.assistant_settings ->> 'retentionDays')::int, ${defaultDays})`;
  const { numDeletedRows } = await queries
    .deleteFrom('threads')
    .using('sites')
    .whereRef('sites.id', '=', 'threads.site_id')
    .where(sql<boolean>`threads.updated_at < ${now}::timestamptz - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
