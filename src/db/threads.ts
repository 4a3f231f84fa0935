import { sql } from 'kysely';
import type { AnswerOutcome } from '../core/assistant/answer-event.ts';
import type { QueryRunner } from '../ports/database.ts';

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

export async function insertThread(queries: QueryRunner, thread: ThreadRow & { siteId: string; createdAt: Date }): Promise<void> {
  await queries
    .insertInto('threads')
    .values({
      id: thread.id,
      site_id: thread.siteId,
      fp: thread.fp,
      key_hash: thread.keyHash,
      created_at: thread.createdAt,
      updated_at: thread.createdAt,
    })
    .execute();
}

/** Adds a message at the end of its thread. */
export async function insertMessage(queries: QueryRunner, message: NewMessage): Promise<void> {
  await queries
    .insertInto('messages')
    .values({
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
      created_at: message.createdAt,
    })
    .execute();
  await queries.updateTable('threads').set({ updated_at: message.createdAt }).where('id', '=', message.threadId).execute();
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

/** The last `limit` turns of a thread that say something, oldest first. */
export async function listTurns(queries: QueryRunner, threadId: string, limit: number): Promise<TurnRow[]> {
  const newestFirst = await queries
    .selectFrom('messages')
    .select(['role', 'content'])
    .where('thread_id', '=', threadId)
    .where('content', '!=', '')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
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
